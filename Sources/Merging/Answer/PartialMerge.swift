import PlacesKit

/// The list of a request while its providers answer one by one: rows that were shown are only added to or joined, never moved, until
/// `final` gives the list that the whole batch gives.
public struct PartialMerge<Row: MergeableRow>: Sendable {
  private let merger: Merger
  private let context: MergeContext
  private var batches: [ProviderBatch<Row>] = []
  /// The provisional list.
  public private(set) var rows: [MergedRow<Row>] = []

  public init(merger: Merger = Merger(), context: MergeContext) {
    self.merger = merger
    self.context = context
  }

  /// Takes a provider's answer, in place of its earlier one if it answered before, and gives the provisional list.
  @discardableResult public mutating func add(_ batch: ProviderBatch<Row>) -> [MergedRow<Row>] {
    batches.removeAll { $0.provider == batch.provider }
    batches.append(batch)
    rows = merger.merge(batches, context: context)
    return rows
  }

  /// The list that all batches give together; rows that were shown keep their keys.
  public func final() -> [MergedRow<Row>] { merger.merge(batches, context: context) }
}
