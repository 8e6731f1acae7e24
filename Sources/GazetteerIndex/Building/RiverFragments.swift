import PlacesKit
import Text

/// Tells which pieces are of one river: a map cuts it where something changes, and the pieces touch at their ends, however long they are.
/// Other brooks of its name are not far, so that nearness would not tell. One piece of each is a row.
struct RiverFragments {
  /// The id of each piece, hashed, and the piece of the same river that leads to its first.
  private var pieces: [(id: UInt64, leader: Int)] = []
  /// By name and square, hashed: a piece that ends there.
  private var ends: [UInt64: Int] = [:]
  private var further: Set<UInt64> = []

  /// Degrees within whose squares, and the squares around them, two ends touch.
  private static let gap = 0.001

  /// Takes a record of a map.
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

  /// To be called once all pieces are known.
  mutating func finish() {
    for piece in pieces.indices {
      let first = first(of: piece)
      if first != piece { further.insert(pieces[piece].id) }
    }
    (pieces, ends) = ([], [:])
  }

  /// Whether the record is of a river of which another piece is the row.
  func isFurther(_ record: GazetteerRecord, source: Int) -> Bool {
    !record.ends.isEmpty && further.contains(RiverFragments.hash(record.id, source))
  }

  private mutating func join(_ one: Int, _ other: Int) {
    let (one, other) = (first(of: one), first(of: other))
    // The first that came stays the first, so that an import again gives the same row.
    pieces[max(one, other)].leader = min(one, other)
  }

  private mutating func first(of piece: Int) -> Int {
    var piece = piece
    while pieces[piece].leader != piece {
      // Every look halves the way for the next (Tarjan and van Leeuwen 1984).
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
