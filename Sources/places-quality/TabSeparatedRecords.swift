import Merging
import PlacesKit

/// Reads records from tab-separated values with a header line on standard input.
final class TabSeparatedRecords {
  /// The known columns. The first three are required.
  static let columns = [
    "source", "id", "name", "other_names", "latitude", "longitude", "address", "house_number", "postcode", "locality", "region", "country",
    "phone", "website", "category",
  ]

  /// The index of each column, for each prefix.
  private let positions: [[String: Int]]
  /// The minimum number of columns of a line, which ends with the last required column.
  private let minColumns: Int
  /// The number of the line that was read last, from 1.
  private var line = 1
  /// The number of records whose coordinates are not numbers or are out of range, and the line of the first one.
  private var misplaced = (count: 0, firstLine: 0)

  /// Reads the header. Ends the program if a required column is missing. Prints a remark about unknown columns, because they may be
  /// misspelled.
  /// - Parameters:
  ///   - prefixes: the prefix of the columns of each record in a line.
  ///   - ignored: unknown columns about which no remark is printed.
  init(prefixes: [String], ignoring ignored: Set<String> = []) {
    guard let header = readLine() else { complain("standard input is empty; expected a header line") }
    // Spreadsheet programs write a byte order mark at the beginning.
    let scalars = header.unicodeScalars.drop { $0 == "\u{FEFF}" }
    let names = String(scalars).split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
    let unknownColumns = names.filter { name in
      !ignored.contains(name)
        && !prefixes.contains { name.hasPrefix($0) && TabSeparatedRecords.columns.contains(String(name.dropFirst($0.count))) }
    }
    if !unknownColumns.isEmpty {
      remark("not known and not read: \(unknownColumns.joined(separator: ", ")); see places-quality match --help")
    }
    positions = prefixes.map { prefix in
      for column in TabSeparatedRecords.columns.prefix(3) where !names.contains(prefix + column) {
        complain("column \(prefix + column) is missing")
      }
      var positions: [String: Int] = [:]
      for column in TabSeparatedRecords.columns { positions[column] = names.firstIndex(of: prefix + column) }
      return positions
    }
    minColumns = (positions.flatMap { columns in TabSeparatedRecords.columns.prefix(3).compactMap { columns[$0] } }.max() ?? 0) + 1
  }

  /// The records of the next line that is not blank, one for each prefix; nil at the end. Ends the program if a line ends before its last
  /// required column. Optional columns at the end of a line may be missing.
  func next() -> [MatchRecord]? {
    while let text = readLine() {
      line += 1
      if text.allSatisfy({ $0 == " " }) { continue }
      let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count >= minColumns else { complain("line \(line) has \(fields.count) of at least \(minColumns) columns") }
      return positions.map { record(fields, $0) }
    }
    if misplaced.count > 0 {
      remark("\(misplaced.count) records, the first in line \(misplaced.firstLine), have impossible coordinates, which are ignored")
      misplaced.count = 0
    }
    return nil
  }

  /// Reads all pairs, and calls the body for each pair with the profile of all records.
  func forEachPair(_ body: (MatchRecord, MatchRecord, RecordSetProfile) -> Void) {
    var pairs: [[MatchRecord]] = []
    while let pair = next() { pairs.append(pair) }
    let profile = RecordSetProfile(pairs.flatMap { $0 })
    for pair in pairs where pair.count == 2 { body(pair[0], pair[1], profile) }
  }

  private func record(_ fields: [Substring], _ positions: [String: Int]) -> MatchRecord {
    func text(_ column: String) -> String? {
      guard let position = positions[column], fields.indices.contains(position) else { return nil }
      let field = fields[position]
      return field.isEmpty ? nil : String(field)
    }
    var record = MatchRecord(source: text("source") ?? "", id: text("id"), name: text("name") ?? "")
    record.otherNames = text("other_names")?.split(separator: "|").map { String($0) } ?? []
    if let latitude = text("latitude"), let longitude = text("longitude") {
      record.location = Double(latitude).flatMap { latitude in Double(longitude).flatMap { Coordinate(latitude: latitude, longitude: $0) } }
      if record.location == nil { misplaced = (misplaced.count + 1, misplaced.count == 0 ? line : misplaced.firstLine) }
    }
    record.address = text("address")
    record.houseNumber = text("house_number")
    record.postcode = text("postcode")
    record.locality = text("locality")
    record.region = text("region")
    record.country = text("country")
    record.phone = text("phone")
    record.website = text("website")
    record.category = text("category")
    return record
  }
}
