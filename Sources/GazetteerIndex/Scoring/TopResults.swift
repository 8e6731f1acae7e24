/// Keeps the best places so far, best first. Of places with equal scores, the more important one comes first.
struct TopResults {
  struct Row: Equatable {
    var rank: UInt32
    var score: Double
  }

  let limit: Int
  private(set) var rows: [Row] = []

  var isFull: Bool { rows.count >= limit }

  /// Whether a place with this score may enter. A place with the score of the last row enters if it is more important.
  func admits(_ score: Double) -> Bool {
    guard isFull, let lowestRow = rows.last else { return true }
    return score >= lowestRow.score
  }

  /// Adds a place. A place that is found in several ways keeps its best score.
  mutating func add(_ rank: UInt32, _ score: Double) {
    guard limit > 0, admits(score) else { return }
    if let index = rows.firstIndex(where: { $0.rank == rank }) {
      guard score > rows[index].score else { return }
      rows.remove(at: index)
    }
    if rows.isEmpty { rows.reserveCapacity(min(limit, 50) + 1) }
    let row = Row(rank: rank, score: score)
    let position = rows.firstIndex { $0.score < score || ($0.score == score && $0.rank > rank) } ?? rows.endIndex
    rows.insert(row, at: position)
    if rows.count > limit { rows.removeLast() }
  }
}
