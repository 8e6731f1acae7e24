import PlacesKit
import Text

/// Recognises the segments of one street, which a map splits at every crossing, and the platforms of one stop. Only the first becomes a place.
struct StreetFragments {
  /// The hashes of names and squares: a continent has millions.
  private var taken: Set<UInt64> = []

  /// The size in degrees of the squares within which, and within whose neighbours, equal names are one thing. It is large for streets with a
  /// town, which is part of the name; segments come in any order.
  private static let townStreets = 0.25
  private static let streets = 0.02
  private static let stops = 0.002

  /// Whether an earlier record is a segment of the same street or a platform of the same stop. A street is one place in each town.
  mutating func isFurther(_ record: GazetteerRecord, source: Int) -> Bool {
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
    let isFurther = (-1...1).contains { north in (-1...1).contains { taken.contains(place(row + north, column + $0)) } }
    // Later segments may be near this one only, so that a street remains one along its whole length.
    taken.insert(place(row, column))
    return isFurther
  }
}
