import PlacesKit

/// `places.search`: searches places by text and filters.
public enum Search: Method {
  public static let name = "places.search"
  public static let summary = "Searches places by text and filters."
  public static let access = Access.everybody
  public static let reply = Shape.places

  public struct Parameters: Sendable, Hashable {
    /// The text to search for: trimmed, 1…256 code points, in normalization form C. If it is empty, all places of a type in an area are
    /// searched.
    public var query: String
    public var fields: Set<PlaceField>
    public var includedType: PlaceType?
    public var strictTypeFiltering = false
    public var openNow = false
    /// The minimum rating, 0…5, rounded up to the next 0.5.
    public var minRating: Double?
    public var priceLevels: Set<PriceLevel> = []
    public var rankBy: SearchRequest.RankBy?
    public var limit = 20
    public var pageToken: String?
    public var language: String?
    public var region: String?
    public var origin: Coordinate?
    public var bias: Area?
    public var restriction: Area?
    public var countries: [String] = []
    public var session: SessionID?
    public var allowPrice = false
    public var providers: [String] = []
    public var deadlineMs: Int?
    public var stream = false
    public var cache = CacheMode.standard
    /// True to return one row for each place. The rows that the terms forbid blending with it become its `alternatives`.
    public var fold = true
    /// The providers that are preferred as the leading source of a row with several sources, most preferred first, without duplicates.
    public var prefer: [String] = []
    public var explain = false

    public init(query: String, fields: Set<PlaceField>) {
      self.query = query
      self.fields = fields
    }
  }

  public static let schema: Schema<Parameters> = {
    let blank = Parameters(query: "", fields: [])
    // A rating is rounded up to the next 0.5.
    var rating = ParameterType<Double>.number(0...5)
    let readRating = rating.read
    rating.read = { readRating($0).map { ($0 * 2).rounded(.up) / 2 } }
    // Unlike other queries, the text may be empty.
    var text = ParameterType<String>.query
    let readText = text.read
    text.read = { $0.string?.onOneLine.trimmed.isEmpty == true ? "" : readText($0) }
    text.allowed = "empty, or \(text.allowed)"
    text.schema = ["type": "string"]
    return Schema(
      blank,
      [
        .required(
          "query", \.query, text, "The text to search for; if empty, all places of `includedType` near the bias or in the restriction."),
        .required("fields", \.fields, .fields, "The fields to return for each place."),
        .optional("includedType", \.includedType, .type, "The preferred type of the places."),
        .withDefault(
          "strictTypeFiltering", \.strictTypeFiltering, .boolean, blank.strictTypeFiltering, "True if places of other types are excluded."),
        .withDefault("openNow", \.openNow, .boolean, blank.openNow, "True if only places that are open now are returned."),
        .optional("minRating", \.minRating, rating, "The minimum rating, rounded up to the next 0.5."),
        .withDefault(
          "priceLevels", \.priceLevels, ParameterType<PriceLevel>.words, blank.priceLevels,
          "Only places with one of these price levels are returned."),
        .optional("rankBy", \.rankBy, .word, "The order of the places; if absent, each service's own."),
        .withDefault("limit", \.limit, .integer(1...20), blank.limit, "The maximum number of places."),
        .optional("pageToken", \.pageToken, .text(1...1_024), "The `nextPageToken` of the previous page."),
        .language(\.language), .region(\.region), .origin(\.origin), .bias(\.bias), .restriction(\.restriction),
        .countries(\.countries), .session(\.session),
        .withDefault(
          "allowPrice", \.allowPrice, .boolean, blank.allowPrice,
          "True if a filter may make a call more expensive than `fields` alone does."),
        .providers(\.providers), .deadline(\.deadlineMs), .stream(\.stream), .cache(\.cache), .fold(\.fold),
        .prefer(\.prefer), .explain(\.explain),
      ]
    ) { (parameters) throws(InvalidParameter) in
      try rejectBoth(parameters.bias, parameters.restriction)
      if parameters.query.isEmpty, parameters.includedType == nil {
        throw InvalidParameter("query", "`query` is empty; a search without a text needs `includedType`")
      }
      if parameters.strictTypeFiltering, parameters.includedType == nil {
        throw InvalidParameter("strictTypeFiltering", "`strictTypeFiltering` needs `includedType`")
      }
      if parameters.rankBy == .distance, parameters.origin == nil, parameters.bias == nil, parameters.restriction == nil {
        throw InvalidParameter("rankBy", "`rankBy` `distance` needs an `origin`, a `bias` or a `restriction` to measure from")
      }
    }
  }()

  public typealias Result = PlacesResult
}

/// The result of a search and of a reverse search.
public struct PlacesResult: MethodResult, Hashable {
  public var places: [PlaceRow]
  public var providers: [ProviderReport]
  public var attributions: [AttributionRow]
  /// True if every queried provider answered.
  public var complete: Bool
  public var nextPageToken: String?

  public init(
    places: [PlaceRow], providers: [ProviderReport], attributions: [AttributionRow], complete: Bool, nextPageToken: String? = nil
  ) {
    self.places = places
    self.providers = providers
    self.attributions = attributions
    self.complete = complete
    self.nextPageToken = nextPageToken
  }

  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.list("places", places)
      writer.list("providers", providers)
      writer.list("attributions", attributions)
      writer.member("complete", complete)
      writer.optional("nextPageToken", nextPageToken)
    }
  }
}
