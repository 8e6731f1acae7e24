import PlacesKit
import Text

/// Recognises the segments of one street, which a map splits at every crossing, the platforms of one stop, and the features of any other
/// place, such as the stands of a stadium or a shop that is a node and a way. Only the first becomes a place.
struct StreetFragments {
  /// The addresses of the places so far. A key is the hash of a place's name and cell; the value is the hash of its address, or 0 if it has
  /// none.
  private var known: [UInt64: UInt64] = [:]

  /// Equal names in one cell or in adjacent cells are one place. Segments come in any order, so one segment of a street may be far
  /// from all earlier ones. The cells can be large for streets with a town, because the town is part of the compared name.
  private static let townStreetGrid = MapGrid(cellSize: 0.25)
  private static let streetGrid = MapGrid(cellSize: 0.02)
  private static let stopGrid = MapGrid(cellSize: 0.002)
  private static let placeGrid = MapGrid(cellSize: 0.0015)

  /// Whether an earlier record is a feature of the same place: one with the same name and type nearby that has no other address. A street
  /// is one place in each town.
  mutating func isDuplicate(_ record: GazetteerRecord, source: Int) -> Bool {
    guard let type = record.types.first, let point = record.location else { return false }
    let isStreet = type == "route"
    guard isStreet || type.group != .address && type.group != .region else { return false }
    let name = "\(source) \(type.rawValue) \(Folding.key(record.name)) \(isStreet ? Folding.key(record.locality ?? "") : "")"
    let nameHash = FNV1a.hash(name.utf8)
    let grid =
      switch type {
      case "route": record.locality == nil ? StreetFragments.streetGrid : StreetFragments.townStreetGrid
      case "bus_stop", "tram_stop": StreetFragments.stopGrid
      default: StreetFragments.placeGrid
      }
    let address = record.houseNumber.map { FNV1a.hash("\(record.street ?? "") \($0)".utf8) } ?? 0
    let addressesNearby = grid.cells(around: point).compactMap { known[FNV1a.extended(nameHash, $0)] }
    let duplicate = addressesNearby.first { $0 == address || $0 == 0 || address == 0 }
    // A duplicate is remembered too, because a later segment of a long street may be near this one only.
    known[FNV1a.extended(nameHash, grid.cell(point))] = address == 0 ? duplicate ?? 0 : address
    return duplicate != nil
  }
}
