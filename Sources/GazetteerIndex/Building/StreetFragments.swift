import PlacesKit
import Text

/// Recognises records of a map that are parts of one place: segments of a street, which a map splits at every crossing; the platforms of
/// a stop; the stands of a stadium; or the node and the way of a shop. Only the first record becomes a place.
struct StreetFragments {
  /// The addresses of the places so far. A key is the hash of a place's name and cell; the value is the hash of its address, or 0 if it has
  /// none.
  private var addresses: [UInt64: UInt64] = [:]

  /// Records with equal names in one cell or in adjacent cells are one place. The sizes are in degrees: 0.0015° is about 170 metres.
  /// Segments come in any order, so one segment of a street may be far from all earlier ones. The cells can be large for streets with a
  /// town, because the town is part of the compared name.
  private static let townStreetGrid = MapGrid(cellSize: 0.25)
  private static let streetGrid = MapGrid(cellSize: 0.02)
  private static let stopGrid = MapGrid(cellSize: 0.002)
  private static let placeGrid = MapGrid(cellSize: 0.0015)

  /// Whether an earlier record is a part of the same place: it has the same name and type, is nearby, and does not have a different
  /// address. A street is one place in each town. Remembers the record for later calls.
  mutating func isDuplicate(_ record: GazetteerRecord, source: Int) -> Bool {
    guard let type = record.types.first, let point = record.location else { return false }
    let isStreet = type == "route"
    guard isStreet || (type.group != .address && type.group != .region) else { return false }
    let name = "\(source) \(type.rawValue) \(Folding.key(record.name)) \(isStreet ? Folding.key(record.locality ?? "") : "")"
    let nameHash = FNV1a.hash(name.utf8)
    let grid =
      switch type {
      case "route": record.locality == nil ? StreetFragments.streetGrid : StreetFragments.townStreetGrid
      case "bus_stop", "tram_stop": StreetFragments.stopGrid
      default: StreetFragments.placeGrid
      }
    let address = record.houseNumber.map { FNV1a.hash("\(record.street ?? "") \($0)".utf8) } ?? 0
    let addressesNearby = grid.cells(around: point).compactMap { addresses[FNV1a.extended(nameHash, $0)] }
    let earlierAddress = addressesNearby.first { $0 == address || $0 == 0 || address == 0 }
    // A duplicate is remembered too, because a later segment of a long street may be near only this one.
    addresses[FNV1a.extended(nameHash, grid.cell(point))] = address == 0 ? earlierAddress ?? 0 : address
    return earlierAddress != nil
  }
}
