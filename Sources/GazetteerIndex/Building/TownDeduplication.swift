import PlacesKit
import SQLite
import Text

/// Towns that a map and GeoNames both tell of, and a map's countries. Each becomes one place, under its GeoNames id or its code: the map's record
/// joins GeoNames', or those of the places that lie in the country.
///
/// The map's own id goes with its record as an equivalent, under which the place is still found, and which the record gets back when it is
/// carried over to another index, where GeoNames may know the town no more.
struct TownDeduplication {
  /// A town of a map, and the nearest town of GeoNames with a name of it. Only hashes of names are kept: a continent has millions.
  private struct Town {
    /// Among the staged records.
    var row: Int
    /// The hash of its id: two extracts of one map may both hold it.
    var own: UInt64
    var point: Coordinate
    var name: UInt64
    var otherNames: [UInt64]
    var twin: (id: String, distance: Double)?
  }

  /// Metres that two sources' middles of a town are apart at most: those of OpenStreetMap and GeoNames in Liechtenstein are 50 to 430.
  private static let reach = 5_000.0

  private var towns: [Town] = []
  private var cells: [Int: [Int]] = [:]
  /// The rows of the map's countries, by their codes. What lies in one makes it a place of its code, whether or not GeoNames tells of it.
  private var countries: [String: [Int]] = [:]

  /// Takes a record of a map, by its row among the staged ones.
  mutating func add(id: String, _ fields: ArraySlice<UInt8>, row: Int) {
    // Of a hundred features hardly one is a town.
    guard
      FieldSequence(fields).contains(where: {
        $0.0 == .types && ($0.1.starts(with: "locality".utf8) || $0.1.starts(with: "country".utf8))
      })
    else { return }
    let record = GazetteerRecord(id: id, fields: FieldSequence(fields))
    if TownDeduplication.isCountry(record), TownDeduplication.isOwn(record.id) { countries[record.country, default: []].append(row) }
    guard let point = record.location, TownDeduplication.isTown(record), TownDeduplication.isOwn(record.id) else { return }
    cells[TownGrid.cell(point, 0, 0), default: []].append(towns.count)
    towns.append(
      Town(
        row: row, own: FNV1a.hash(record.id.utf8), point: point, name: TownDeduplication.hash(record.name),
        otherNames: TownDeduplication.otherNames(of: record)))
  }

  /// Takes a town that GeoNames tells of.
  mutating func compare(_ record: GazetteerRecord) {
    guard let point = record.location, TownDeduplication.isTown(record), !TownDeduplication.isOwn(record.id) else { return }
    lazy var name = TownDeduplication.hash(record.name)
    lazy var otherNames = TownDeduplication.otherNames(of: record)
    for north in -1...1 {
      for east in -1...1 {
        for index in cells[TownGrid.cell(point, north, east)] ?? [] {
          let town = towns[index]
          let distance = town.point.distance(to: point)
          guard distance <= TownDeduplication.reach, distance < town.twin?.distance ?? .infinity else { continue }
          // One of the two must be called by its main name: neighbours share other names, such as that of their parish.
          guard town.name == name || town.otherNames.contains(name) || otherNames.contains(town.name) else { continue }
          towns[index].twin = (record.id, distance)
        }
      }
    }
  }

  /// Gives the records of towns that have a twin its id, and those of countries their code. Of several towns with one twin the nearest is it, and the others are others.
  func join(in scratch: Database) throws(SQLiteError) {
    var nearest: [String: Town] = [:]
    for town in towns {
      guard let twin = town.twin else { continue }
      if let other = nearest[twin.id]?.twin, other.distance <= twin.distance { continue }
      nearest[twin.id] = town
    }
    let statement = try scratch.statement("SELECT id, record FROM staged WHERE rowid = ?")
    defer { statement.reset() }
    let rows = Dictionary(grouping: towns, by: \.own)
    for (id, winner) in nearest {
      for town in rows[winner.own] ?? [] { try give(town.row, id, statement, scratch) }
    }
    for (code, rows) in countries {
      for row in rows { try give(row, code, statement, scratch) }
    }
  }

  private func give(_ row: Int, _ id: String, _ statement: Statement, _ scratch: Database) throws(SQLiteError) {
    statement.reset()
    try statement.bind(Int64(row), at: 1)
    guard try statement.step() else { return }
    var record = GazetteerRecord(id: id, fields: FieldSequence(statement.blob(1)[...]))
    record.equivalents.insert(statement.text(0), at: 0)
    try scratch.run(
      "UPDATE staged SET id = ?, record = ? WHERE rowid = ?", .text(id), .blob(record.encoded), Value(row))
  }

  /// The id and the fields that a map's record had before it joined the place of another id; nil for one that joined none.
  static func own(_ fields: ArraySlice<UInt8>, at id: String) -> (id: String, fields: [UInt8])? {
    guard !isOwn(id) else { return nil }
    var record = GazetteerRecord(id: id, fields: FieldSequence(fields))
    guard let own = record.equivalents.first, isOwn(own) else { return nil }
    record.equivalents.removeFirst()
    return (own, record.encoded)
  }

  /// Whether an id is one that maps' features have, as `GeoJSONFeatureReader` gives it.
  static func isOwn(_ id: String) -> Bool { id.hasPrefix("osm:") || id.hasPrefix("feature:") }

  private static func isTown(_ record: GazetteerRecord) -> Bool { record.areaCode == nil && record.types.first == "locality" }

  /// Whether it is a country that tells which one: a map's features lie in one, but only a country has the code of its own.
  private static func isCountry(_ record: GazetteerRecord) -> Bool {
    record.areaCode == nil && record.types.first == "country" && !record.country.isEmpty
  }

  private static func otherNames(of record: GazetteerRecord) -> [UInt64] {
    Set(record.names.map(\.text) + record.otherNames).map(hash)
  }

  private static func hash(_ name: String) -> UInt64 { FNV1a.hash(Folding.key(name).utf8) }
}
