import PlacesKit
import Text

/// Finds the segments that form one river: segments of one name whose ends touch. Only the first of them becomes a place. Segments are not
/// compared by their distance, because another stream of the same name may be near.
struct RiverFragments {
  /// The hashed id of each segment, and its parent in the union-find forest.
  private var segments: [(id: UInt64, parent: Int)] = []
  /// For each name and cell, the last segment of this name that has an end in this cell. The keys are hashes, because a continent has
  /// millions of names.
  private var lastSegments: [UInt64: Int] = [:]
  /// The hashed ids of the segments that are not the first of their river.
  private var duplicates: Set<UInt64> = []

  /// Two ends touch if they are in one cell or in adjacent cells. A cell is about 110 metres high.
  private static let grid = MapGrid(cellSize: 0.001)

  /// Adds a record of a map. Records without line ends are ignored.
  mutating func add(id: String, _ fields: ArraySlice<UInt8>, source: Int) {
    guard FieldSequence(fields).contains(where: { $0.0 == .lineEnd }) else { return }
    let record = GazetteerRecord(id: id, fields: FieldSequence(fields))
    let nameHash = FNV1a.hash("\(source) \(Folding.key(record.name))".utf8)
    let segment = segments.count
    segments.append((RiverFragments.hash(id, source), segment))
    for end in record.lineEnds {
      for cell in RiverFragments.grid.cells(around: end) {
        if let other = lastSegments[FNV1a.extended(nameHash, cell)] { join(segment, other) }
      }
      lastSegments[FNV1a.extended(nameHash, RiverFragments.grid.cell(end))] = segment
    }
  }

  /// Call it after the last segment and before `isDuplicate`.
  mutating func finish() {
    for segment in segments.indices where root(of: segment) != segment { duplicates.insert(segments[segment].id) }
    (segments, lastSegments) = ([], [:])
  }

  /// Whether the record is a segment of a river, but not the first one.
  func isDuplicate(_ record: GazetteerRecord, source: Int) -> Bool {
    !record.lineEnds.isEmpty && duplicates.contains(RiverFragments.hash(record.id, source))
  }

  /// Records that two segments belong to one river.
  private mutating func join(_ segment: Int, _ otherSegment: Int) {
    let (firstRoot, secondRoot) = (root(of: segment), root(of: otherSegment))
    // The first segment remains the root, so that importing again gives the same place.
    segments[max(firstRoot, secondRoot)].parent = min(firstRoot, secondRoot)
  }

  /// The first segment of the river to which a segment belongs: the root of its tree.
  private mutating func root(of segment: Int) -> Int {
    var segment = segment
    while segments[segment].parent != segment {
      // Path halving (Tarjan and van Leeuwen 1984).
      segments[segment].parent = segments[segments[segment].parent].parent
      segment = segments[segment].parent
    }
    return segment
  }

  /// The hash of a segment's id. It includes the source, because two maps may use one id.
  private static func hash(_ id: String, _ source: Int) -> UInt64 { FNV1a.hash("\(source) \(id)".utf8) }
}
