/// The reasons for a row's position, and the rows that were merged into it.
public struct Explanation: Sendable, Hashable, Codable {
  /// How the query matches the row.
  public var match: TextMatch
  /// The name by which the query matches the row, if the row does not show that name; nil if the shown text matches as well.
  public var matchedName: String?
  /// The sum of `parts`. Rows with higher scores come first, unless the request sorts by distance.
  public var score: Double
  /// The summands of `score`.
  public var parts: [ScorePart]
  /// The importance of the place, 0…1, from the first of its sources that states one; nil if none does. It is comparable only with rows of
  /// the same provider.
  public var importance: Double?
  /// True if the leading source reports that the place matches only a part of the query.
  public var partialMatch: Bool
  /// The rule by which the row's leading source leads the next one; nil for a row of one provider.
  public var leads: LeadingRule?
  /// The pairs of rows that were joined into one row.
  public var merges: [MergeReason]
  /// The pairs of rows that mean one place and that the providers' terms forbid blending.
  public var tied: [MergeReason]
  /// The pairs of rows that may mean one place but were not certain enough to be joined.
  public var maybe: [MergeReason]
  /// The source of each field of the fused row.
  public var provenance: [FieldSource]

  public init(
    match: TextMatch, score: Double, parts: [ScorePart], importance: Double? = nil, partialMatch: Bool = false, leads: LeadingRule? = nil,
    merges: [MergeReason] = [], tied: [MergeReason] = [],
    maybe: [MergeReason] = [], provenance: [FieldSource] = []
  ) {
    self.match = match
    self.score = score
    self.parts = parts
    self.importance = importance
    self.partialMatch = partialMatch
    self.leads = leads
    self.merges = merges
    self.tied = tied
    self.maybe = maybe
    self.provenance = provenance
  }
}

/// How the query matches a row's name, best first.
public enum TextMatch: String, Sendable, Hashable, Codable, CaseIterable {
  /// The query is the whole name, alone or with words of the area around the place.
  case exact
  /// The name begins with the query.
  case prefix
  /// Every typed word is, or begins, a word of the row.
  case words
  /// Every typed word is, or begins, a word of the row, if typing errors are allowed.
  case fuzzy
  /// The row's name has some of the typed words, and nothing in the row has the others.
  case part
  /// The row's text does not show why the provider returned it.
  case other
}

extension TextMatch: Comparable {
  /// The better match is the lesser one.
  public static func < (a: TextMatch, b: TextMatch) -> Bool { a.position < b.position }

  private var position: Int {
    switch self {
    case .exact: 0
    case .prefix: 1
    case .words: 2
    case .fuzzy: 3
    case .part: 4
    case .other: 5
    }
  }
}

/// One summand of a row's score.
public struct ScorePart: Sendable, Hashable, Codable {
  public var name: String
  public var value: Double

  public init(_ name: String, _ value: Double) {
    self.name = name
    self.value = value
  }
}

/// Two rows, the probability that they are the same place, and the strongest evidence for or against it.
public struct MergeReason: Sendable, Hashable, Codable {
  /// The rows: `provider:nativeId`, or `provider#rank` for a row without an id and for a provider's own duplicates.
  public var first: String
  public var second: String
  public var probability: Double
  /// At most three features with their shares of the log odds, the strongest first. A positive value is evidence for the same place.
  public var reasons: [ScorePart]

  public init(first: String, second: String, probability: Double, reasons: [ScorePart]) {
    self.first = first
    self.second = second
    self.probability = probability
    self.reasons = reasons
  }
}

/// The source of a field's value.
public struct FieldSource: Sendable, Hashable, Codable {
  /// The field's name, as in `PlaceField`, or `text`, `location`, `types`, `importance` of a suggestion.
  public var field: String
  public var provider: String
  /// When the provider returned the value, in seconds since 1970.
  public var fetchedAt: Double

  public init(field: String, provider: String, fetchedAt: Double) {
    self.field = field
    self.provider = provider
    self.fetchedAt = fetchedAt
  }
}
