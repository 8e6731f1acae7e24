import JSON

/// A place as one provider returns it: a row of a search or a reverse search, or the answer to a details call.
public struct Place: Sendable, Hashable, Codable {
  /// The provider's own id.
  public var id: String
  /// The fields that the provider returned, as JSON values of the types that `PlaceField` documents.
  public var values: [PlaceField: JSONValue]
  /// The types, most specific first.
  public var types: [PlaceType]
  public var location: Coordinate?
  /// The distance in metres: 0 if the request's `origin` or point is in the place, otherwise nil. The daemon computes all other distances
  /// from the location.
  public var distance: Double?
  /// The BCP 47 language of the name, if known.
  public var language: String?
  /// The place's importance according to the provider, 0…1; comparable only within one provider.
  public var importance: Double?
  /// True if the service reports that the place matches only a part of the query, for example the street but not the house number.
  public var partialMatch: Bool?
  public var evidence: Evidence
  /// Attributions of this place, besides its provider's.
  public var attributions: [Attribution]

  public init(
    id: String, values: [PlaceField: JSONValue] = [:], types: [PlaceType] = [], location: Coordinate? = nil,
    language: String? = nil, importance: Double? = nil, partialMatch: Bool? = nil, evidence: Evidence = Evidence(),
    attributions: [Attribution] = []
  ) {
    self.id = id
    self.values = values
    self.types = types
    self.location = location
    self.language = language
    self.importance = importance
    self.partialMatch = partialMatch
    self.evidence = evidence
    self.attributions = attributions
  }

  public var name: String? { values[.name]?.string }
  public var formattedAddress: String? { values[.formattedAddress]?.string }
  /// The rating, 0…5.
  public var rating: Double? { values[.rating]?.double }
  public var priceLevel: PriceLevel? { values[.priceLevel]?.string.flatMap(PriceLevel.init) }
}

/// How expensive a place is.
public enum PriceLevel: String, Sendable, Hashable, Codable, CaseIterable {
  case free, inexpensive, moderate, expensive
  case veryExpensive = "very_expensive"
}
