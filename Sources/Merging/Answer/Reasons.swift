/// Explains which pairs were joined, which pairs terms kept apart, which were nearly joined, and why.
struct Reasons: Sendable {
  private let rows: NormalRecords
  private let edges: [Edge]
  private let clusters: Clusters
  private let entries: [Blending.Entry]
  /// What each row is called in explanations.
  private let names: [String]

  /// `entries` are those of the rows.
  init(_ rows: NormalRecords, edges: [Edge], clusters: Clusters, entries: [Blending.Entry], name: (Blending.Entry) -> String) {
    self.rows = rows
    self.edges = edges
    self.clusters = clusters
    self.entries = entries
    names = entries.map(name)
  }

  func explain(_ drafts: inout [Draft]) {
    let homes = homes(drafts)
    func add(_ a: Int, _ b: Int, _ reason: MergeReason, to list: WritableKeyPath<Draft, [MergeReason]>) {
      for draft in Set([homes[a].draft, homes[b].draft]) { drafts[draft][keyPath: list].append(reason) }
    }
    for edge in edges.strongest(from: Judge.maybeFrom) {
      let (a, b) = (edge.first, edge.second)
      let list: WritableKeyPath<Draft, [MergeReason]> =
        clusters.cluster[a] != clusters.cluster[b] ? \.maybe : homes[a] == homes[b] ? \.merges : \.tied
      add(a, b, reason(edge), to: list)
    }
    for pair in clusters.duplicates {
      add(pair.first, pair.second, reason(pair), to: homes[pair.first] == homes[pair.second] ? \.merges : \.tied)
    }
  }

  /// The record that a provider's row went into.
  private struct Home: Equatable {
    var draft = 0
    /// 0 for the draft's own entries, then its alternatives.
    var record = 0
  }

  private func homes(_ drafts: [Draft]) -> [Home] {
    var homes: [Row: Home] = [:]
    for (index, draft) in drafts.enumerated() {
      for (record, entries) in ([draft.entries] + draft.alternatives).enumerated() {
        for entry in entries { homes[Row(entry)] = Home(draft: index, record: record) }
      }
    }
    return entries.map { homes[Row($0)] ?? Home() }
  }

  private struct Row: Hashable {
    var batch: Int
    var rank: Int

    init(_ entry: Blending.Entry) { (batch, rank) = (entry.batch, entry.rank) }
  }

  private func reason(_ edge: Edge) -> MergeReason {
    let reasons = edge.byIdentity ? [ScorePart.sameID] : Judge.reasons(PairComparison(edge.first, edge.second, in: rows))
    return MergeReason(first: names[edge.first], second: names[edge.second], probability: edge.probability, reasons: reasons)
  }

  /// A provider's own duplicates have one id, so that their ranks tell them apart.
  private func reason(_ pair: Clusters.Duplicate) -> MergeReason {
    let (first, second) = (entries[pair.first].byRank, entries[pair.second].byRank)
    return MergeReason(first: first, second: second, probability: 1, reasons: [pair.byID ? .sameID : .sameText])
  }
}

extension Blending.Entry {
  /// `provider#rank`.
  var byRank: String { "\(provider)#\(rank + 1)" }
}

extension ScorePart {
  static let sameID = ScorePart("sameId", 1)
  /// The same name at the same point, of one provider, or the same query.
  static let sameText = ScorePart("sameText", 1)
}
