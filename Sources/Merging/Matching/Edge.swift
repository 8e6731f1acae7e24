/// Two rows that were compared.
struct Edge: Sendable {
  var first: Int
  var second: Int
  /// Of meaning the same place; 1 for a shared id, 0 for ids or numbers that differ.
  var probability: Double
  /// Whether ids decided.
  var byIdentity: Bool
}

extension [Edge] {
  /// Those from a probability on, the strongest first; ties in the order of the rows.
  func strongest(from least: Double) -> [Edge] {
    filter { $0.probability >= least }.sorted { a, b in
      if a.probability != b.probability { return a.probability > b.probability }
      return a.first != b.first ? a.first < b.first : a.second < b.second
    }
  }

  /// The probability of two rows, the lower first, where they were compared. The edges are in the order of their rows.
  func probability(_ first: Int, _ second: Int) -> Double? {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = (low + high) / 2
      let edge = self[middle]
      if (edge.first, edge.second) < (first, second) { low = middle + 1 } else { high = middle }
    }
    return low < endIndex && self[low].first == first && self[low].second == second ? self[low].probability : nil
  }
}

extension NormalRecords {
  /// Compares two rows, ids first.
  func edge(_ a: Int, _ b: Int) -> Edge {
    switch identity(a, b) {
    case .same: Edge(first: a, second: b, probability: 1, byIdentity: true)
    case .different: Edge(first: a, second: b, probability: 0, byIdentity: true)
    case .unknown: Edge(first: a, second: b, probability: Judge.probability(PairComparison(a, b, in: self)), byIdentity: false)
    }
  }

  /// All candidates compared, in the order of their rows.
  func edges() -> [Edge] { Candidates(self).pairs.map { edge($0.first, $0.second) } }
}
