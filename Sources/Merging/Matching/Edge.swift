/// Two rows that were compared.
struct Edge: Sendable {
  var first: Int
  var second: Int
  /// Of meaning the same place; 1 for a shared id, 0 for ids that differ.
  var probability: Double
  /// Whether ids decided.
  var byIdentity: Bool
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

  /// All candidates compared, the strongest first; ties in the order of the rows.
  func edges() -> [Edge] {
    let edges = Candidates(self).pairs.map { edge($0.first, $0.second) }
    return edges.sorted { a, b in
      if a.probability != b.probability { return a.probability > b.probability }
      return a.first != b.first ? a.first < b.first : a.second < b.second
    }
  }
}
