import SQLite
import Text

/// Finds the countries whose regions have changed codes since Debian's data was made. In such a country, one code may denote two regions:
/// `VN.01` was An Giang and is Hanoi, which was `VN.44`. There Debian's record of a region is dropped if its names do not agree with those
/// of the GeoNames dump. If the dump was imported without the names of regions, all of Debian's regions of such a country are dropped.
struct RecodedRegions {
  /// The countries in which a region has another code in the dump.
  private var recodedCountries: Set<String> = []
  /// For each country, the number of towns whose region code differs between the dump and Debian's data, minus the number of towns whose
  /// region code is the same.
  private var movedTownBalances: [String: Int] = [:]

  init() {}

  /// Compares the staged regions of Debian's data with those of the GeoNames dump.
  init(_ scratch: Database) throws {
    // The id of a region is its code, such as `US.TX`.
    let statement = try scratch.statement(
      "SELECT id, source, record FROM staged WHERE source <= \(SourceNumber.geoNames) AND id LIKE '__.%'")
    defer { statement.reset() }
    // Debian's regions by their codes, and the dump's codes by country and folded name.
    var oldRegions: [String: GazetteerRecord] = [:]
    var codesByName: [String: Set<String>] = [:]
    while try statement.step() {
      let record = GazetteerRecord(id: statement.text(0), fields: FieldSequence(statement.blob(2)[...]))
      guard record.areaCode == record.id else { continue }
      if statement.integer(1) == SourceNumber.debian {
        oldRegions[record.id] = record
      } else {
        codesByName["\(record.country) \(Folding.key(record.name))", default: []].insert(record.id)
      }
    }
    for (code, record) in oldRegions {
      // A name may have several codes, since a town and the province around it may have the same name.
      if let newCodes = codesByName["\(record.country) \(Folding.key(record.name))"], !newCodes.contains(code) {
        recodedCountries.insert(record.country)
      }
    }
  }

  /// Compares the records of a town in both sources. All towns are compared before `isOtherRegion` is called for a region, because records
  /// are sorted by their ids, and the ids of towns are numbers.
  mutating func compare(_ new: GazetteerRecord, _ old: GazetteerRecord) {
    guard !new.region.isEmpty, !old.region.isEmpty else { return }
    movedTownBalances[old.country, default: 0] += new.region == old.region ? -1 : 1
  }

  /// Whether Debian's record, the last one, describes another region than the first record. If Debian's record is the only one, the answer
  /// is yes in a country in which most towns have another region code in the dump.
  func isOtherRegion(_ records: [GazetteerRecord]) -> Bool {
    if records.count == 1, let code = records[0].areaCode {
      return code != records[0].country && (movedTownBalances[records[0].country] ?? 0) > 0
    }
    guard records.count > 1, let new = records.first, let old = records.last, new.areaCode == new.id, recodedCountries.contains(new.country)
    else {
      return false
    }
    let newKeys = ([new.name] + new.otherNames).map { Folding.key($0) }.filter { !$0.isEmpty }
    return !([old.name] + old.names.map(\.text)).contains { name in
      let key = Folding.key(name)
      return !key.isEmpty && newKeys.contains { $0.contains(key) || key.contains($0) }
    }
  }
}
