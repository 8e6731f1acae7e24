import PlacesKit
import SQLite
import Text

/// Matches the towns and countries of a map (an import of features, `SourceNumber.isMap`) to those of GeoNames. The map's record takes the
/// GeoNames id, or the country's code, so that the records are merged into one place.
///
/// The map's own id remains as the first equivalent. The place is still found by this id, and the record gets the id back when it is copied
/// to another index, where GeoNames may no longer have the town.
struct TownDeduplication {
  /// A town of a map. Names are stored as hashes, because a continent has millions of them.
  private struct Town {
    /// The row id of the staged record.
    var row: Int
    /// The hash of its id in the map. Two extracts of one map may both contain the town, with the same id.
    var mapID: UInt64
    var point: Coordinate
    var nameHash: UInt64
    var otherNameHashes: [UInt64]
    /// The nearest GeoNames town so far, and its distance in metres.
    var match: (id: String, distance: Double)?
  }

  /// The maximum distance in metres between the locations of a town in two sources. In Liechtenstein, those of OpenStreetMap and GeoNames
  /// differ by 50 to 430 metres.
  private static let maxDistance = 5_000.0

  private var towns: [Town] = []
  /// The indices of the towns in each cell (`TownGrid`).
  private var cells: [UInt64: [Int]] = [:]
  /// The row ids of the countries of the maps, by code.
  private var countries: [String: [Int]] = [:]

  /// Adds a record of a map. Ignores records that are neither a town nor a country.
  /// - Parameter row: the row id of the staged record.
  mutating func add(id: String, _ fields: ArraySlice<UInt8>, row: Int) {
    // Fewer than one feature in a hundred is a town or a country, so the others are not decoded.
    guard
      FieldSequence(fields).contains(where: {
        $0.0 == .types && ($0.1.starts(with: "locality".utf8) || $0.1.starts(with: "country".utf8))
      })
    else { return }
    let record = GazetteerRecord(id: id, fields: FieldSequence(fields))
    if TownDeduplication.isCountry(record), TownDeduplication.isMapID(record.id) { countries[record.country, default: []].append(row) }
    guard let point = record.location, TownDeduplication.isTown(record), TownDeduplication.isMapID(record.id) else { return }
    cells[TownGrid.grid.cell(point), default: []].append(towns.count)
    towns.append(
      Town(
        row: row, mapID: FNV1a.hash(record.id.utf8), point: point, nameHash: TownDeduplication.hash(record.name),
        otherNameHashes: TownDeduplication.otherNameHashes(of: record)))
  }

  /// Compares a GeoNames town with the towns of the maps. Ignores any other record.
  mutating func compare(_ record: GazetteerRecord) {
    guard let point = record.location, TownDeduplication.isTown(record), !TownDeduplication.isMapID(record.id) else { return }
    lazy var nameHash = TownDeduplication.hash(record.name)
    lazy var otherNameHashes = TownDeduplication.otherNameHashes(of: record)
    for cell in TownGrid.grid.cells(around: point) {
      for index in cells[cell] ?? [] {
        let town = towns[index]
        let distance = town.point.distance(to: point)
        guard distance <= TownDeduplication.maxDistance, distance < town.match?.distance ?? .infinity else { continue }
        // One of the two equal names must be a main name, because neighbours share other names, such as that of their parish.
        guard town.nameHash == nameHash || town.otherNameHashes.contains(nameHash) || otherNameHashes.contains(town.nameHash) else {
          continue
        }
        towns[index].match = (record.id, distance)
      }
    }
  }

  /// Gives each matched town the id of its GeoNames town, and each country of a map its code as the id. If several towns match one GeoNames
  /// town, only the nearest one gets the id, in all extracts that contain this town.
  func assignIDs(in scratch: Database) throws {
    // The nearest town of each matched GeoNames id.
    var nearestTowns: [String: Town] = [:]
    for town in towns {
      guard let match = town.match else { continue }
      if let other = nearestTowns[match.id]?.match, other.distance <= match.distance { continue }
      nearestTowns[match.id] = town
    }
    let statement = try scratch.statement("SELECT id, record FROM staged WHERE rowid = ?")
    defer { statement.reset() }
    let townsByMapID = Dictionary(grouping: towns, by: \.mapID)
    for (id, nearestTown) in nearestTowns {
      for town in townsByMapID[nearestTown.mapID] ?? [] { try setID(town.row, id, statement, scratch) }
    }
    for (code, rows) in countries {
      for row in rows { try setID(row, code, statement, scratch) }
    }
  }

  /// Changes the id of a staged record. Its old id becomes the first equivalent.
  private func setID(_ row: Int, _ id: String, _ statement: Statement, _ scratch: Database) throws {
    statement.reset()
    try statement.bind(Int64(row), at: 1)
    guard try statement.step() else { return }
    var record = GazetteerRecord(id: id, fields: FieldSequence(statement.blob(1)[...]))
    record.equivalents.insert(statement.text(0), at: 0)
    try scratch.run(
      "UPDATE staged SET id = ?, record = ? WHERE rowid = ?", .text(id), .blob(record.encoded), Value(row))
  }

  /// The id and the fields that a map's record had before `assignIDs` changed its id; nil if the id was not changed.
  static func originalRecord(id: String, _ fields: ArraySlice<UInt8>) -> (id: String, fields: [UInt8])? {
    guard !isMapID(id) else { return nil }
    var record = GazetteerRecord(id: id, fields: FieldSequence(fields))
    guard let mapID = record.equivalents.first, isMapID(mapID) else { return nil }
    record.equivalents.removeFirst()
    return (mapID, record.encoded)
  }

  /// Whether a map gave a place this id (`GeoJSONFeatureReader`).
  static func isMapID(_ id: String) -> Bool { id.hasPrefix("osm:") || id.hasPrefix("feature:") }

  private static func isTown(_ record: GazetteerRecord) -> Bool { record.areaCode == nil && record.types.first == "locality" }

  /// Whether the record is a country of a map, with a known code.
  private static func isCountry(_ record: GazetteerRecord) -> Bool {
    record.areaCode == nil && record.types.first == "country" && !record.country.isEmpty
  }

  private static func otherNameHashes(of record: GazetteerRecord) -> [UInt64] {
    Set(record.names.map(\.text) + record.otherNames).map(hash)
  }

  private static func hash(_ name: String) -> UInt64 { FNV1a.hash(Folding.key(name).utf8) }
}
