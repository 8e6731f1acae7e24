import PlacesKit
import Text

/// Recognises the segments of one street, which a map splits at every crossing, and the platforms of one stop. Only the first becomes a place.
struct StreetFragments {
  /// The hashes of name and square of the streets and stops so far. Hashes, because a continent has millions of names.
  private var seen: Set<UInt64> = []

  /// The size of the squares, in degrees. Equal names in one square or in adjacent squares are one street or stop. The size is large for
  /// streets with a town, because the town is part of the compared name; segments come in any order.
  private static let townStreets = 0.25
  private static let streets = 0.02
  private static let stops = 0.002

  /// Whether an earlier record is a segment of the same street or a platform of the same stop. A street is one place in each town.
  mutating func isDuplicate(_ record: GazetteerRecord, source: Int) -> Bool {
    guard let type = record.types.first, let point = record.location else { return false }
    let isStop = type == "bus_stop" || type == "tram_stop"
    guard isStop || type == "route" else { return false }
    let name = "\(source) \(type.rawValue) \(Folding.key(record.name)) \(isStop ? "" : Folding.key(record.locality ?? ""))"
    let size = isStop ? StreetFragments.stops : record.locality == nil ? StreetFragments.streets : StreetFragments.townStreets
    let (row, column) = (Int((point.latitude / size).rounded(.down)), Int((point.longitude / size).rounded(.down)))
    let hash = FNV1a.hash(name.utf8)
    func place(_ row: Int, _ column: Int) -> UInt64 {
      FNV1a.extended(FNV1a.extended(hash, UInt64(bitPattern: Int64(row))), UInt64(bitPattern: Int64(column)))
    }
    let isDuplicate = (-1...1).contains { north in (-1...1).contains { seen.contains(place(row + north, column + $0)) } }
    // Later segments may be near this one only, so that a street remains one along its whole length.
    seen.insert(place(row, column))
    return isDuplicate
  }
}
