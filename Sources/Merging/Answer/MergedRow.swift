import PlacesKit

/// One row of the merged list.
public struct MergedRow<Row: Sendable & Hashable>: Sendable, Hashable {
  /// The row's name within the request, such as `r1`. It stays the same when the leading source changes.
  public var row: String
  /// A name that the rows of one place have in common if they may not be blended; nil for a single row, and if rows are folded.
  public var group: String?
  /// The leading provider.
  public var provider: String
  /// `provider:nativeId` of the leading source; nil for a query.
  public var id: String?
  /// The fused row. Its id is the native id of the leading source.
  public var value: Row
  /// The source rows that were fused, the leading one first.
  public var sources: [MergedSource]
  /// Metres from the request's origin; nil if the origin or the place's location is not known.
  public var distance: Double?
  /// Every credit that this row needs, each with its provider.
  public var attributions: [MergedAttribution]
  /// Nil unless the request asks for it.
  public var explanation: Explanation?
  /// The rows of the same place that may not be blended with this row, in the order in which they would lead. They have no alternatives
  /// themselves.
  public var alternatives: [MergedRow]

  public init(
    row: String, group: String? = nil, provider: String, id: String?, value: Row, sources: [MergedSource], distance: Double? = nil,
    attributions: [MergedAttribution] = [], explanation: Explanation? = nil, alternatives: [MergedRow] = []
  ) {
    self.row = row
    self.group = group
    self.provider = provider
    self.id = id
    self.value = value
    self.sources = sources
    self.distance = distance
    self.attributions = attributions
    self.explanation = explanation
    self.alternatives = alternatives
  }

  /// Takes the visible text of `shown`, the version of the row that the user already sees.
  mutating func keepLabel(_ shown: Row) where Row: MergeableRow {
    guard value != shown else { return }
    value.keepLabel(of: shown)
  }

  /// The sources of the row and of its alternatives.
  public var allSources: [MergedSource] { alternatives.isEmpty ? sources : sources + alternatives.flatMap(\.sources) }
}

public typealias MergedSuggestion = MergedRow<Suggestion>
public typealias MergedPlace = MergedRow<Place>

/// A provider's row within a merged one.
public struct MergedSource: Sendable, Hashable, Codable {
  public var provider: String
  /// `provider:nativeId`; nil for a query.
  public var id: String?
  /// The rank in the provider's list, from 1.
  public var rank: Int

  public init(provider: String, id: String?, rank: Int) {
    self.provider = provider
    self.id = id
    self.rank = rank
  }
}

/// A credit and its provider.
public struct MergedAttribution: Sendable, Hashable, Codable {
  public var provider: String
  public var attribution: Attribution

  public init(provider: String, attribution: Attribution) {
    self.provider = provider
    self.attribution = attribution
  }
}
