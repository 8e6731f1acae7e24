import PlacesKit
import SQLite

/// Assigns each place its rank, which is its position in the order of descending importance, from 1; writes the place to the index; and
/// stores its terms for `PostingListWriter`.
struct PlaceWriter {
  let index: Database
  let scratch: Database
  /// The number of each area, by its code.
  private var areaNumbers: [String: Int] = [:]
  /// The number of each list of types. A key is the list, with spaces between the types.
  private var typeListNumbers: [String: Int] = [:]
  /// The attributes of all places (`PlaceColumns`), in the order of the ranks. They are the first words of the mapped section.
  private(set) var columnSpool: IntegerSpool

  init(index: Database, scratch: Database) {
    self.index = index
    self.scratch = scratch
    columnSpool = IntegerSpool(scratch, table: "section")
  }

  /// Writes all places. Returns their number.
  mutating func run(_ meter: inout ProgressMeter) throws -> Int {
    meter.begin(.writing)
    let total = try scratch.integer("SELECT count(*) FROM merged") ?? 0
    let statement = try scratch.statement("SELECT importance, id, record FROM merged ORDER BY importance DESC, id")
    var rank = 0
    while try statement.step() {
      try meter.tick(rank, of: total)
      rank += 1
      try write(rank, statement.integer(0), id: statement.text(1), stored: statement.blob(2))
    }
    try finishTables()
    return rank
  }

  /// Writes the record, the ids, the location and the area of a place, adds its columns, and stores its terms for the posting lists.
  private mutating func write(_ rank: Int, _ importance: Int, id: String, stored: [UInt8]) throws {
    let record = GazetteerRecord(id: id, stored: stored)
    try index.run("INSERT INTO place VALUES (?, ?, ?)", Value(rank), .text(id), .blob(stored))
    try index.run("INSERT OR IGNORE INTO identifier VALUES (?, ?)", .text(id), Value(rank))
    for equivalent in record.equivalents where equivalent.hasPrefix("geonames:") || TownDeduplication.isMapID(equivalent) {
      // In the index, an id of GeoNames has no prefix, and an id of a map has one.
      let otherID = equivalent.hasPrefix("geonames:") ? String(equivalent.dropFirst("geonames:".count)) : equivalent
      try scratch.run("INSERT INTO alias VALUES (?, ?)", .text(otherID), Value(rank))
    }
    var columns = PlaceColumns()
    if let location = record.location {
      columns.point = FixedPoint(location)
      let latitude = Value(Int(columns.point.latitude))
      let longitude = Value(Int(columns.point.longitude))
      try index.run("INSERT INTO spot VALUES (?, ?, ?, ?, ?)", Value(rank), latitude, latitude, longitude, longitude)
    }
    columns.importance = UInt16(clamping: importance)
    columns.country = number(of: record.country, in: &areaNumbers)
    // A region lies in itself.
    let ownRegion = record.areaCode == record.country ? "" : record.areaCode ?? ""
    columns.region = number(of: record.region.isEmpty ? ownRegion : record.region, in: &areaNumbers)
    columns.types = number(of: record.types.map(\.rawValue).joined(separator: " "), in: &typeListNumbers)
    try columnSpool.add(columns.firstWord)
    try columnSpool.add(columns.secondWord)
    if let code = record.areaCode {
      let area = number(of: code, in: &areaNumbers)
      try index.run("INSERT INTO area VALUES (?, ?, ?)", Value(Int(area)), .text(code), Value(rank))
    }
    var terms = PlaceTerms(record).terms.map { Array($0.utf8) }
    for area in Set([columns.country, columns.region]) where area > 0 { terms.append(TermKind.locatedIn.term(area)) }
    if columns.point != .none { terms.append(TermKind.cell.term(MapCells.number(of: columns.point))) }
    for term in terms { try scratch.run("INSERT INTO pair VALUES (?, ?)", .blob(term), Value(rank)) }
  }

  /// Writes the ids in other data, the lists of types, and the areas that are not places.
  private func finishTables() throws {
    // The ids in other data are added after the own ids of all places, so that they never replace an own id.
    let aliases = try scratch.statement("SELECT id, rank FROM alias ORDER BY rank")
    while try aliases.step() {
      try index.run("INSERT OR IGNORE INTO identifier VALUES (?, ?)", .text(aliases.text(0)), Value(aliases.integer(1)))
    }
    for (text, number) in typeListNumbers { try index.run("INSERT INTO types VALUES (?, ?)", Value(number), .text(text)) }
    // An area whose code is used by places, but which is not a place itself, gets rank 0. Filters need its number.
    for (code, number) in areaNumbers { try index.run("INSERT OR IGNORE INTO area VALUES (?, ?, 0)", Value(number), .text(code)) }
  }

  /// The number of a text in a table; 0 for an empty text, or if all numbers of 16 bits are in use. Adds a text that the table lacks.
  private func number(of text: String, in numbers: inout [String: Int]) -> UInt16 {
    guard !text.isEmpty else { return 0 }
    if let number = numbers[text] { return UInt16(clamping: number) }
    guard numbers.count < Int(UInt16.max) else { return 0 }
    numbers[text] = numbers.count + 1
    return UInt16(clamping: numbers.count)
  }
}
