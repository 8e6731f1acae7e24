import PlacesKit
import Text

/// Finds the segments of one river, which touch at their ends. Distance does not distinguish them from other streams of the same name nearby.
/// Only the first segment of a river becomes a place.
struct RiverFragments {
  /// The hashed id of each segment, and its parent in the union-find forest.
  private var pieces: [(id: UInt64, leader: Int)] = []
  /// A segment that ends in a square, by the hash of its name and the square.
  private var ends: [UInt64: Int] = [:]
  private var duplicates: Set<UInt64> = []

  /// The size of the squares, in degrees. Two ends in one square or in adjacent squares touch.
  private static let gap = 0.001

  /// Adds a record from OpenStreetMap.
  mutating func add(id: String, _ fields: ArraySlice<UInt8>, source: Int) {
    guard FieldSequence(fields).contains(where: { $0.0 == .lineEnd }) else { return }
    let record = GazetteerRecord(id: id, fields: FieldSequence(fields))
    let name = FNV1a.hash("\(source) \(Folding.key(record.name))".utf8)
    let piece = pieces.count
    pieces.append((RiverFragments.hash(id, source), piece))
    for end in record.ends {
      let (row, column) = (
        Int((end.latitude / RiverFragments.gap).rounded(.down)), Int((end.longitude / RiverFragments.gap).rounded(.down))
      )
      for north in -1...1 {
        for east in -1...1 {
          if let other = ends[RiverFragments.square(name, row + north, column + east)] { join(piece, other) }
        }
      }
      ends[RiverFragments.square(name, row, column)] = piece
    }
  }

  /// Call it after the last segment.
  mutating func finish() {
    for piece in pieces.indices {
      let first = first(of: piece)
      if first != piece { duplicates.insert(pieces[piece].id) }
    }
    (pieces, ends) = ([], [:])
  }

  /// Whether the record is a segment of a river whose place is another segment.
  func isDuplicate(_ record: GazetteerRecord, source: Int) -> Bool {
    !record.ends.isEmpty && duplicates.contains(RiverFragments.hash(record.id, source))
  }

  private mutating func join(_ one: Int, _ other: Int) {
    let (one, other) = (first(of: one), first(of: other))
    // The first segment remains the root, so that importing again gives the same place.
    pieces[max(one, other)].leader = min(one, other)
  }

  private mutating func first(of piece: Int) -> Int {
    var piece = piece
    while pieces[piece].leader != piece {
      // Path halving (Tarjan and van Leeuwen 1984).
      pieces[piece].leader = pieces[pieces[piece].leader].leader
      piece = pieces[piece].leader
    }
    return piece
  }

  private static func hash(_ id: String, _ source: Int) -> UInt64 { FNV1a.hash("\(source) \(id)".utf8) }

  private static func square(_ name: UInt64, _ row: Int, _ column: Int) -> UInt64 {
    FNV1a.extended(FNV1a.extended(name, UInt64(bitPattern: Int64(row))), UInt64(bitPattern: Int64(column)))
  }
}

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
