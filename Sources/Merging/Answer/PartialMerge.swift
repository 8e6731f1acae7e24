import PlacesKit

/// The list of a request while its providers answer one by one: rows that were shown are only added to or joined, never moved, until
/// `final` gives the list that the whole batch gives.
public struct PartialMerge<Row: MergeableRow>: Sendable {
  private let context: MergeContext
  private var batches: [ProviderBatch<Row>] = []
  /// For each row shown, by provider and rank, the rows that it is made of.
  private var shown: [[Origin]] = []
  /// The provisional list.
  public private(set) var rows: [MergedRow<Row>] = []

  private struct Origin: Hashable, Sendable {
    var provider: String
    var rank: Int

    init(_ entry: Blending.Entry) {
      provider = entry.provider
      rank = entry.rank
    }
  }

  public init(context: MergeContext) { self.context = context }

  /// Takes a provider's answer and gives the provisional list. A provider answers once; a second answer of the same one is left out.
  @discardableResult public mutating func add(_ batch: ProviderBatch<Row>) -> [MergedRow<Row>] {
    guard !batches.contains(where: { $0.provider == batch.provider }) else { return rows }
    batches.append(batch)
    let drafting = Drafting(batches, context: context)
    let drafts = drafting.drafts()
    var taken = Set(shown.joined())
    for draft in drafts { place(draft.entries.map { Origin($0) }, &taken) }
    rows = drafting.rows(shownDrafts(drafts), keys: Array(1..<(shown.count + 1)))
    return rows
  }

  /// The list that all batches give together, the same as if they had come at once; rows that were shown keep their keys.
  public func final() -> [MergedRow<Row>] {
    let drafting = Drafting(batches, context: context)
    let drafts = Array(drafting.drafts().prefix(max(0, context.limit)))
    return drafting.rows(drafts, keys: keys(of: drafts))
  }

  /// Joins what is new of a record to the first row shown that lies wholly within it, or shows it as a row of its own at the end.
  private mutating func place(_ record: [Origin], _ taken: inout Set<Origin>) {
    let new = record.filter { !taken.contains($0) }
    guard !new.isEmpty else { return }
    let home = new.count < record.count ? shown.firstIndex { $0.allSatisfy(record.contains) } : nil
    if let home {
      shown[home] += new
    } else if shown.count < context.limit {
      shown.append(new)
    } else {
      return
    }
    taken.formUnion(new)
  }

  /// What is shown, with the scores that its first rows have now.
  private func shownDrafts(_ drafts: [Draft]) -> [Draft] {
    var known: [Origin: (entry: Blending.Entry, draft: Draft)] = [:]
    for draft in drafts { for entry in draft.entries { known[Origin(entry)] = (entry, draft) } }
    return shown.compactMap { row in
      guard var draft = row.first.flatMap({ known[$0]?.draft }) else { return nil }
      draft.entries = row.compactMap { known[$0]?.entry }.sorted(by: Blending.Entry.leads)
      return draft
    }
  }

  /// The number of the first row shown that a record has a part of, each number once; new numbers for the others.
  private func keys(of drafts: [Draft]) -> [Int] {
    var free = Set(shown.indices)
    var next = shown.count
    return drafts.map { draft in
      let origins = Set(draft.entries.map { Origin($0) })
      if let index = shown.indices.first(where: { free.contains($0) && !origins.isDisjoint(with: shown[$0]) }) {
        free.remove(index)
        return index + 1
      }
      next += 1
      return next
    }
  }
}
