import PlacesKit

/// `places.autocomplete`: suggestions for a partly typed text.
public enum Autocomplete: Method {
  public static let name = "places.autocomplete"
  public static let summary = "Suggests places and queries for a partly typed text."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record(
      "Suggestions", "The result of an autocomplete.",
      [
        .required("suggestions", .list(.suggestion), "The rows, best first."), Shape.reports, Shape.attributions, Shape.isComplete,
        .required("revision", .integer, "The number of this answer to the request, counting partial answers."),
      ]))

  /// The number of rows to request from each provider if several providers are queried: 10, 20 or 50. The number can exceed `limit`, the
  /// maximum number of rows in the answer, because the best rows are known only after the providers' lists are merged. There are only three
  /// numbers, so that requests with different limits can use the same cached lists.
  public static func depth(for limit: Int) -> Int { [10, 20].first { limit <= $0 } ?? 50 }

  public struct Parameters: Sendable, Hashable {
    /// The text that the user has typed so far: 1…256 code points in normalization form C, without white space at the beginning. One space
    /// at the end is permitted and not counted; it means that the last word is complete.
    public var query: String
    public var limit = 10
    public var language: String?
    public var region: String?
    public var origin: Coordinate?
    public var bias: Area?
    public var restriction: Area?
    public var types = TypeFilter.none
    /// Region codes in upper case, sorted, without duplicates; empty for all countries.
    public var countries: [String] = []
    public var kinds: Set<Suggestion.Kind> = [.place, .query]
    /// The position of the caret, in code points of the trimmed query; nil or 0 for the end.
    public var inputOffset: Int?
    public var session: SessionID?
    public var seq: Int?
    /// Provider ids, sorted, without duplicates; empty for all providers.
    public var providers: [String] = []
    public var deadlineMs: Int?
    public var stream = false
    public var cache = CacheMode.standard
    /// True to return one row for each place. The rows that the terms forbid blending with it become its `alternatives`.
    public var fold = true
    /// The providers that are preferred as the leading source of a row with several sources, most preferred first, without duplicates.
    public var prefer: [String] = []
    public var explain = false

    public init(query: String) { self.query = query }

    /// True if the last word is complete.
    public var endsWord: Bool { query.hasSuffix(" ") }
    /// The query without the space at its end.
    public var trimmedQuery: String { endsWord ? String(query.dropLast()) : query }
  }

  public static let schema: Schema<Parameters> = {
    let blank = Parameters(query: "")
    return Schema(
      blank,
      [
        .required(
          "query", \.query, .typedQuery, "The text that was typed so far; a space at its end means that the last word is complete."),
        .withDefault("limit", \.limit, .integer(1...50), blank.limit, "The maximum number of rows."),
        .language(\.language), .region(\.region), .origin(\.origin), .bias(\.bias), .restriction(\.restriction),
        .withDefault("types", \.types, .types, blank.types, "Only places of one of these types, or of one collection, are returned."),
        .countries(\.countries),
        .withDefault("kinds", \.kinds, ParameterType<Suggestion.Kind>.words, blank.kinds, "The kinds of rows to return."),
        .optional(
          "inputOffset", \.inputOffset, .integer(0...256),
          "The position of the caret, in code points of the trimmed query; 0 means the end."),
        .session(\.session),
        .optional(
          "seq", \.seq, .integer(0...9_007_199_254_740_991),
          "The request's sequence number in its session; a higher number cancels the earlier requests.",
          role: .sequence),
        .providers(\.providers), .deadline(\.deadlineMs), .stream(\.stream), .cache(\.cache), .fold(\.fold),
        .prefer(\.prefer), .explain(\.explain),
      ]
    ) { (parameters) throws(InvalidParameter) in
      try rejectBoth(parameters.bias, parameters.restriction)
      if let offset = parameters.inputOffset, offset > parameters.trimmedQuery.unicodeScalars.count {
        throw InvalidParameter("inputOffset", "`inputOffset` must lie within the query")
      }
      if parameters.seq != nil, parameters.session == nil {
        throw InvalidParameter("seq", "`seq` counts the requests of a `session`, which is missing")
      }
    }
  }()

  public struct Result: MethodResult, Hashable {
    public var suggestions: [SuggestionRow]
    public var providers: [ProviderReport]
    public var attributions: [AttributionRow]
    /// True if every queried provider answered.
    public var complete: Bool
    /// The number of this answer to the request, counting partial answers.
    public var revision: Int

    public init(
      suggestions: [SuggestionRow], providers: [ProviderReport], attributions: [AttributionRow], complete: Bool, revision: Int
    ) {
      self.suggestions = suggestions
      self.providers = providers
      self.attributions = attributions
      self.complete = complete
      self.revision = revision
    }

    public func write(to writer: inout JSONWriter) {
      writer.object { writer in
        writer.list("suggestions", suggestions)
        writeOtherMembers(to: &writer)
      }
    }

    /// Encodes this result and `other`, each as JSON on one line. Both must have the same rows, which are encoded only once. The daemon
    /// sends one of the results, and caches the other for repeated requests.
    public func encoded(withRowsOf other: Result) -> (own: [UInt8], other: [UInt8]) {
      var rows = JSONWriter(reserving: 4_096)
      rows.list(suggestions)
      let bytes = rows.bytes
      return (encoded(rows: bytes), other.encoded(rows: bytes))
    }

    private func encoded(rows: [UInt8]) -> [UInt8] {
      var writer = JSONWriter(reserving: rows.count + 512)
      writer.object { writer in
        writer.key("suggestions")
        writer.raw(rows)
        writeOtherMembers(to: &writer)
      }
      return writer.bytes
    }

    private func writeOtherMembers(to writer: inout JSONWriter) {
      writer.list("providers", providers)
      writer.list("attributions", attributions)
      writer.member("complete", complete)
      writer.member("revision", revision)
    }
  }
}

/// The params of the notification `places.partial`, which is sent before the reply to a request with `stream`: the rows that an
/// autocomplete or a search has found so far.
public struct Partial: Sendable, Hashable, Codable {
  public static let method = "places.partial"

  /// The id of the request, as the client wrote it.
  public var request: JSONValue
  /// The number of this partial answer to the request, from 1.
  public var revision: Int
  /// The rows of an autocomplete; nil for a search. Rows that were sent before keep their positions.
  public var suggestions: [SuggestionRow]?
  /// The rows of a search; nil for an autocomplete.
  public var places: [PlaceRow]?
  public var providers: [ProviderReport]
  /// The credits that must be shown with the rows so far.
  public var attributions: [AttributionRow]

  public init(
    request: JSONValue, revision: Int, suggestions: [SuggestionRow]? = nil, places: [PlaceRow]? = nil, providers: [ProviderReport],
    attributions: [AttributionRow]
  ) {
    self.request = request
    self.revision = revision
    self.suggestions = suggestions
    self.places = places
    self.providers = providers
    self.attributions = attributions
  }

  /// Writes the notification's params.
  public func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("request", request)
      writer.member("revision", revision)
      if let suggestions { writer.list("suggestions", suggestions) }
      if let places { writer.list("places", places) }
      writer.list("providers", providers)
      writer.list("attributions", attributions)
    }
  }
}
