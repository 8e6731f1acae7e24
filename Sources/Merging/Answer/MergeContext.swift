import PlacesKit

/// The parameters of a request that a merge uses.
public struct MergeContext: Sendable {
  /// The query as typed; empty for a search around a point.
  public var query: String
  /// The BCP 47 tag of the requested language; nil for none.
  public var language: String?
  /// Two-letter CLDR code of the user's region, upper case.
  public var region: String?
  public var bias: Area?
  public var origin: Coordinate?
  /// The requested types, if any.
  public var types: [PlaceType]
  /// The maximum number of rows in the answer.
  public var limit: Int
  /// Whether rows are sorted by distance first.
  public var nearestFirst: Bool
  /// The boosts, 0…1, of the places that this user chose before after typing a similar text (`ChoiceHistory`), by `provider:nativeId`.
  public var boosts: [String: Double]
  /// The providers that lead a row of several sources, the most preferred first.
  public var prefer: [String]
  /// True to return one row for each place; false to return the records of one place that may not be blended as separate rows.
  public var folds: Bool
  /// True if each row carries an explanation.
  public var explain: Bool

  public init(
    query: String, language: String? = nil, region: String? = nil, bias: Area? = nil, origin: Coordinate? = nil,
    types: [PlaceType] = [], limit: Int = 10, nearestFirst: Bool = false, boosts: [String: Double] = [:],
    prefer: [String] = [], folds: Bool = true, explain: Bool = false
  ) {
    self.query = query
    self.language = language
    self.region = region
    self.bias = bias
    self.origin = origin
    self.types = types
    self.limit = limit
    self.nearestFirst = nearestFirst
    self.boosts = boosts
    self.prefer = prefer
    self.folds = folds
    self.explain = explain
  }

  /// The distance in metres from the origin to a place: 0 if the provider reports that the origin is in it, otherwise computed from its
  /// location or, if that is unknown, as the provider reports it. Nil if it is unknown, or the request has no origin.
  func distance(to row: some MergeableRow) -> Double? {
    guard let origin else { return nil }
    return row.distance == 0 ? 0 : row.location.map { origin.distance(to: $0) } ?? row.distance
  }
}
