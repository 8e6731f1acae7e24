import PlacesKit

/// One provider's answer to one request, with the properties of the provider that the merge needs.
public struct ProviderBatch<Row: Sendable>: Sendable {
  /// The instance's id, such as `google`; unique within a request.
  public var provider: String
  /// The weight of this provider's ranks, from the configuration; the default is 1.
  public var weight: Double
  /// The price of a details call, in millionths of the currency's unit; `Int.max` for a provider without details.
  public var detailsMicros: Int
  /// The terms: which rows may be blended, and whether their order must be kept.
  public var terms: Terms
  /// Credits that every row of this provider carries.
  public var attributions: [Attribution]
  /// The rows in the provider's own order, best first.
  public var rows: [Row]
  /// When the provider answered, in seconds since 1970.
  public var fetchedAt: Double

  public init(
    provider: String, weight: Double = 1, detailsMicros: Int = 0, terms: Terms, attributions: [Attribution] = [], rows: [Row],
    fetchedAt: Double = 0
  ) {
    self.provider = provider
    self.weight = weight
    self.detailsMicros = detailsMicros
    self.terms = terms
    self.attributions = attributions
    self.rows = rows
    self.fetchedAt = fetchedAt
  }
}

extension Array {
  /// The batches that have rows.
  func withoutEmpty<Row>() -> Self where Element == ProviderBatch<Row> { contains { $0.rows.isEmpty } ? filter { !$0.rows.isEmpty } : self }
}
