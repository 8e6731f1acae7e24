/// A request for suggestions during typing. It contains only parameters that the provider's manifest supports. For any other filter, the
/// daemon filters the rows, or does not call the provider.
public struct AutocompleteRequest: Sendable, Hashable, Codable {
  /// The typed text: 1…256 code points in Unicode's normalization form C, without white space at either end.
  public var query: String
  /// The maximum number of rows, 1…50.
  public var limit: Int
  /// The language of the answer, BCP 47; nil if the request names none.
  public var language: String?
  /// The two-letter CLDR code of the user's region, in upper case; nil if the request names none.
  public var region: String?
  /// The area whose places are preferred; nil for none.
  public var bias: Area?
  /// The area outside of which no place is returned; nil for the whole world.
  public var restriction: Area?
  /// The point from which distances are measured; nil if no distances are needed.
  public var origin: Coordinate?
  /// The types to which the rows are restricted, at most five; empty for all.
  public var types: [PlaceType]
  /// The set of types to which the rows are restricted; nil for none. A request never has both types and a collection.
  public var collection: TypeCollection?
  /// The countries to which the rows are restricted, as two-letter CLDR codes in upper case; empty for all.
  public var countries: [String]
  /// The kinds of rows to return.
  public var kinds: Set<Suggestion.Kind>
  /// The position of the caret, in code points of the query; nil for its end.
  public var inputOffset: Int?
  /// True if the user typed a space after the last word, so that the word is complete and not the prefix of a longer word.
  public var endsWord: Bool
  /// The service's session token, if the manifest has a session rule.
  public var sessionToken: String?

  public init(
    query: String, limit: Int = 10, language: String? = nil, region: String? = nil, bias: Area? = nil, restriction: Area? = nil,
    origin: Coordinate? = nil, types: [PlaceType] = [], collection: TypeCollection? = nil, countries: [String] = [],
    kinds: Set<Suggestion.Kind> = [.place, .query], inputOffset: Int? = nil, endsWord: Bool = false, sessionToken: String? = nil
  ) {
    self.query = query
    self.limit = limit
    self.language = language
    self.region = region
    self.bias = bias
    self.restriction = restriction
    self.origin = origin
    self.types = types
    self.collection = collection
    self.countries = countries
    self.kinds = kinds
    self.inputOffset = inputOffset
    self.endsWord = endsWord
    self.sessionToken = sessionToken
  }
}

/// A request for the places that a text describes. Members without a comment mean the same as in `AutocompleteRequest`.
public struct SearchRequest: Sendable, Hashable, Codable {
  /// The order of the rows: by how well they match, or by their distance from the origin or the bias.
  public enum RankBy: String, Sendable, Hashable, Codable, CaseIterable { case relevance, distance }

  /// The text to search for; empty for a search by type and area, which a provider gets only if its manifest names `withoutQuery`.
  public var query: String
  /// The requested fields. The provider must not request more fields from its service.
  public var fields: Set<PlaceField>
  /// The type of the places to find; nil for all types.
  public var includedType: PlaceType?
  /// True if places of other types than `includedType` are excluded.
  public var strictTypeFiltering: Bool
  /// True if only places that are open now are returned.
  public var openNow: Bool
  /// The minimum rating, 0…5 in steps of 0.5; nil for no minimum.
  public var minRating: Double?
  /// The price levels to which the rows are restricted; empty for all.
  public var priceLevels: Set<PriceLevel>
  /// The order of the rows; nil for the order that the service chooses.
  public var rankBy: RankBy?
  /// The maximum number of rows, 1…`Capability.maximumRows`. It is larger than the client's limit if the daemon filters the rows.
  public var limit: Int
  /// The provider's own token for the requested page, from `Page.next`; nil for the first page.
  public var pageToken: String?
  public var language: String?
  public var region: String?
  public var bias: Area?
  public var restriction: Area?
  public var origin: Coordinate?
  public var countries: [String]

  public init(
    query: String, fields: Set<PlaceField>, includedType: PlaceType? = nil, strictTypeFiltering: Bool = false, openNow: Bool = false,
    minRating: Double? = nil, priceLevels: Set<PriceLevel> = [], rankBy: RankBy? = nil, limit: Int = 20, pageToken: String? = nil,
    language: String? = nil, region: String? = nil, bias: Area? = nil, restriction: Area? = nil, origin: Coordinate? = nil,
    countries: [String] = []
  ) {
    self.query = query
    self.fields = fields
    self.includedType = includedType
    self.strictTypeFiltering = strictTypeFiltering
    self.openNow = openNow
    self.minRating = minRating
    self.priceLevels = priceLevels
    self.rankBy = rankBy
    self.limit = limit
    self.pageToken = pageToken
    self.language = language
    self.region = region
    self.bias = bias
    self.restriction = restriction
    self.origin = origin
    self.countries = countries
  }
}

/// A request for one place by its id. Members without a comment mean the same as in the other requests.
public struct DetailsRequest: Sendable, Hashable, Codable {
  /// The provider's own id.
  public var id: String
  public var fields: Set<PlaceField>
  public var language: String?
  public var region: String?
  /// The service's token of the session that this call ends.
  public var sessionToken: String?

  public init(id: String, fields: Set<PlaceField>, language: String? = nil, region: String? = nil, sessionToken: String? = nil) {
    self.id = id
    self.fields = fields
    self.language = language
    self.region = region
    self.sessionToken = sessionToken
  }
}

/// A request for the places at a point (reverse geocoding). Members without a comment mean the same as in the other requests.
public struct ReverseRequest: Sendable, Hashable, Codable {
  public var location: Coordinate
  /// The maximum distance of a place from the location, in metres; nil for no limit.
  public var radius: Double?
  public var types: [PlaceType]
  /// The set of types to which the rows are restricted; nil for none. A request never has both types and a collection.
  public var collection: TypeCollection?
  /// The maximum number of rows, 1…`Capability.maximumRows`. It is larger than the client's limit if the daemon filters the rows.
  public var limit: Int
  public var fields: Set<PlaceField>
  public var language: String?

  public init(
    location: Coordinate, radius: Double? = nil, types: [PlaceType] = [], collection: TypeCollection? = nil, limit: Int = 10,
    fields: Set<PlaceField>, language: String? = nil
  ) {
    self.location = location
    self.radius = radius
    self.types = types
    self.collection = collection
    self.limit = limit
    self.fields = fields
    self.language = language
  }
}

/// The rows of an answer.
public struct Page<Row: Sendable & Hashable & Codable>: Sendable, Hashable, Codable {
  /// The rows, best first, in the provider's own order.
  public var rows: [Row]
  /// True if no other row matches the request, for example because the service returned fewer rows than its maximum.
  public var exhaustive: Bool
  /// The provider's own token for the next page; nil if there is no next page.
  public var next: String?

  public init(rows: [Row], exhaustive: Bool = false, next: String? = nil) {
    self.rows = rows
    self.exhaustive = exhaustive
    self.next = next
  }
}
