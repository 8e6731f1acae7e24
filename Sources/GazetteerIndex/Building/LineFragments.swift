import PlacesKit
import Text

/// Finds the segments of one river, of which only the first becomes a place. The ends of such segments touch. The distance between segments
/// would not show which of them belong to another stream of the same name nearby.
struct RiverFragments {
  /// The hashed id of each segment, and its parent in the union-find forest.
  private var segments: [(id: UInt64, parent: Int)] = []
  /// The last segment with a name that ends in a square, by the hash of the name and the square (`NamedSquare`).
  private var lastSegments: [UInt64: Int] = [:]
  /// The hashed ids of the segments that are not the first of their river.
  private var duplicates: Set<UInt64> = []

  /// The size of the squares, in degrees. Two ends in one square or in adjacent squares touch.
  private static let squareSize = 0.001

  /// Adds a record of a map. Records without line ends are ignored.
  mutating func add(id: String, _ fields: ArraySlice<UInt8>, source: Int) {
    guard FieldSequence(fields).contains(where: { $0.0 == .lineEnd }) else { return }
    let record = GazetteerRecord(id: id, fields: FieldSequence(fields))
    let nameHash = FNV1a.hash("\(source) \(Folding.key(record.name))".utf8)
    let segment = segments.count
    segments.append((RiverFragments.hash(id, source), segment))
    for end in record.ends {
      let square = NamedSquare(nameHash, end, size: RiverFragments.squareSize)
      for hash in square.hashesAround {
        if let other = lastSegments[hash] { join(segment, other) }
      }
      lastSegments[square.hash] = segment
    }
  }

  /// Call it after the last segment.
  mutating func finish() {
    for segment in segments.indices where first(of: segment) != segment { duplicates.insert(segments[segment].id) }
    (segments, lastSegments) = ([], [:])
  }

  /// Whether the record is a segment of a river whose place is another segment.
  func isDuplicate(_ record: GazetteerRecord, source: Int) -> Bool {
    !record.ends.isEmpty && duplicates.contains(RiverFragments.hash(record.id, source))
  }

  private mutating func join(_ one: Int, _ other: Int) {
    let (one, other) = (first(of: one), first(of: other))
    // The first segment remains the root, so that importing again gives the same place.
    segments[max(one, other)].parent = min(one, other)
  }

  /// The first segment of the river to which a segment belongs.
  private mutating func first(of segment: Int) -> Int {
    var segment = segment
    while segments[segment].parent != segment {
      // Path halving (Tarjan and van Leeuwen 1984).
      segments[segment].parent = segments[segments[segment].parent].parent
      segment = segments[segment].parent
    }
    return segment
  }

  private static func hash(_ id: String, _ source: Int) -> UInt64 { FNV1a.hash("\(source) \(id)".utf8) }
}

/// A name in a square of a grid over the map. Collections contain the hashes of named squares, because a continent has millions of names.
private struct NamedSquare {
  /// The hash of the name.
  private let name: UInt64
  private let row: Int
  private let column: Int

  /// The square that contains a point.
  /// - Parameters:
  ///   - name: the hash of the name.
  ///   - size: the size of the squares in degrees.
  init(_ name: UInt64, _ point: Coordinate, size: Double) {
    self.name = name
    row = Int((point.latitude / size).rounded(.down))
    column = Int((point.longitude / size).rounded(.down))
  }

  var hash: UInt64 { hash(row, column) }

  /// The hashes of the same name in this square and in the eight squares around it.
  var hashesAround: [UInt64] { (0..<9).map { hash(row + $0 / 3 - 1, column + $0 % 3 - 1) } }

  private func hash(_ row: Int, _ column: Int) -> UInt64 {
    FNV1a.extended(FNV1a.extended(name, UInt64(bitPattern: Int64(row))), UInt64(bitPattern: Int64(column)))
  }
}

/// Recognises the segments of one street, which a map splits at every crossing, and the platforms of one stop. Only the first becomes a
/// place.
struct StreetFragments {
  /// The hashes of the names and squares of the streets and stops so far.
  private var known: Set<UInt64> = []

  /// The sizes of the squares, in degrees. Equal names in one square or in adjacent squares are one street or stop. Segments come in any
  /// order, so one segment of a street may be far from all earlier ones. The squares can be large for streets with a town,
  /// because the town is part of the compared name.
  private static let townStreetSquare = 0.25
  private static let streetSquare = 0.02
  private static let stopSquare = 0.002

  /// Whether an earlier record is a segment of the same street or a platform of the same stop. A street is one place in each town.
  mutating func isDuplicate(_ record: GazetteerRecord, source: Int) -> Bool {
    guard let type = record.types.first, let point = record.location else { return false }
    let isStop = type == "bus_stop" || type == "tram_stop"
    guard isStop || type == "route" else { return false }
    let name = "\(source) \(type.rawValue) \(Folding.key(record.name)) \(isStop ? "" : Folding.key(record.locality ?? ""))"
    let streetSize = record.locality == nil ? StreetFragments.streetSquare : StreetFragments.townStreetSquare
    let square = NamedSquare(FNV1a.hash(name.utf8), point, size: isStop ? StreetFragments.stopSquare : streetSize)
    let isDuplicate = square.hashesAround.contains { known.contains($0) }
    // A duplicate is remembered too, because a later segment of a long street may be near this one only.
    known.insert(square.hash)
    return isDuplicate
  }
}
