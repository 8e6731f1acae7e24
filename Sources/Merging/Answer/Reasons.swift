/// Tells which pairs were joined, which nearly, and why.
struct Reasons: Sendable {
  private let rows: NormalRecords
  private let edges: [Edge]
  private let clusters: Clusters
  /// What each row is called in explanations.
  private let names: [String]

  init(_ rows: NormalRecords, edges: [Edge], clusters: Clusters, names: [String]) {
    self.rows = rows
    self.edges = edges
    self.clusters = clusters
    self.names = names
  }

  func explain(_ drafts: inout [Draft]) {
    var merges: [Int: [MergeReason]] = [:]
    var maybe: [Int: [MergeReason]] = [:]
    for edge in edges.strongest(from: Judge.maybeFrom) {
      let (a, b) = (clusters.cluster[edge.first], clusters.cluster[edge.second])
      if a == b {
        merges[a, default: []].append(reason(edge))
      } else {
        maybe[a, default: []].append(reason(edge))
        maybe[b, default: []].append(reason(edge))
      }
    }
    for index in drafts.indices {
      drafts[index].merges = merges[drafts[index].group] ?? []
      drafts[index].maybe = maybe[drafts[index].group] ?? []
    }
  }

  private func reason(_ edge: Edge) -> MergeReason {
    let reasons = edge.byIdentity ? [ScorePart("sameId", 1)] : Judge.reasons(PairComparison(edge.first, edge.second, in: rows))
    return MergeReason(first: names[edge.first], second: names[edge.second], probability: edge.probability, reasons: reasons)
  }
}
