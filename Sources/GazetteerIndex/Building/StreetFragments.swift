import PlacesKit
import Text

/// Tells further pieces of one thing: a map cuts a street at every crossing, and draws every platform of a stop. One of each is a row.
struct StreetFragments {
  /// Hashes of what was taken: a continent has millions.
  private var taken: Set<UInt64> = []

  /// Degrees within whose squares, and the squares around them, two of the same name are one: wide for streets whose town is told, as that
  /// is part of the name and pieces come in any order.
  private static let townStreets = 0.25
  private static let streets = 0.02
  private static let stops = 0.002

  /// Whether another piece was taken already. A street goes through several towns, and is one in each.
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
    // What lies beside a further piece is a further piece too, so that a street stays one along its whole length.
    taken.insert(place(row, column))
    return isFurther
  }
}
