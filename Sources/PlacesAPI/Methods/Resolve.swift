import PlacesKit

/// `places.resolve`: finds the one place that a text means.
public enum Resolve: Method {
  public static let name = "places.resolve"
  public static let summary = "Finds the one place that a text most likely means, and returns candidates if that is not certain."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record(
      "Resolution", "The place that a text means, or the candidates.",
      [
        .required("certain", .boolean, "True if the confidence is at least 0.8."),
        .required(
          "confidence", .number, "The probability that the best candidate is the meant place, 0 to 1, in hundredths; 0 if there is none."),
        .optional("match", .word(Match.self), "How the best candidate matches the text; absent if there is none."),
        .optional("name", .string, "The name of the best candidate, requested or not; absent if it is not known or would have cost more."),
        .optional("place", .place, "The place; only if it is certain."),
        .optional(
          "candidates", .list(.place),
          "At most 10 places that the text may mean, best first, each with its confidence; only if none is certain."),
        Shape.reports, Shape.attributions,
      ]))

  /// The lowest confidence at which a place is reported as certain.
  public static let certainty = 0.8
  /// The maximum number of candidates in a result.
  public static let maxCandidates = 10
  /// The default of `fields`: identity, address, types and location. It has no fields that cost more, such as photos.
  public static let usualFields: Set<PlaceField> = [.placeID, .name, .formattedAddress, .coordinate, .types]

  /// How a place matches the text, worst first.
  public enum Match: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// The place has only some of the text's words, and no known place has the other words.
    case part
    /// The provider returned the place for a reason that its texts do not show, such as a name in another language.
    case other
    /// The place's name begins with the text, or a word of the name begins with a word of the text.
    case prefix
    /// The place has the text's words with typing errors.
    case fuzzy
    /// The place has all words of the text, and its name has further words.
    case words
    /// The text is the whole name of the place, alone or with words of its address.
    case exact

    private var rank: Int { Match.allCases.firstIndex(of: self) ?? 0 }
    public static func < (a: Match, b: Match) -> Bool { a.rank < b.rank }
  }

  public struct Parameters: Sendable, Hashable {
    /// The text: trimmed, 1…256 code points, in normalization form C.
    public var query: String
    public var fields = Resolve.usualFields
    public var includedType: PlaceType?
    public var language: String?
    public var region: String?
    public var origin: Coordinate?
    public var bias: Area?
    public var restriction: Area?
    public var countries: [String] = []
    public var session: SessionID?
    public var providers: [String] = []
    /// The time limit of the whole request; if nil, the configured deadline applies to each step.
    public var deadlineMs: Int?
    public var cache = CacheMode.standard

    public init(query: String) { self.query = query }
  }

  public static let schema: Schema<Parameters> = {
    let blank = Parameters(query: "")
    return Schema(
      blank,
      [
        .required("query", \.query, .query, "The text, such as a name or an address."),
        .withDefault("fields", \.fields, .fields, blank.fields, "The fields to return for each place."),
        .optional("includedType", \.includedType, .type, "The preferred type of the place."),
        .language(\.language), .region(\.region), .origin(\.origin), .bias(\.bias), .restriction(\.restriction),
        .countries(\.countries), .session(\.session), .providers(\.providers),
        .optional(
          "deadlineMs", \.deadlineMs, .deadline,
          "The time within which the reply is sent, from the arrival of the request; if absent, the configured value applies to each step.",
          role: .delivery),
        .cache(\.cache),
      ]
    ) { (parameters) throws(InvalidParameter) in try rejectBoth(parameters.bias, parameters.restriction) }
  }()

  public struct Result: MethodResult, Hashable {
    /// True if `confidence` is at least `Resolve.certainty`.
    public var certain: Bool
    /// The probability that the best candidate is the meant place, 0 to 1; 0 if there is none.
    public var confidence: Double
    /// How the best candidate matches the text; nil if there is none.
    public var match: Match?
    /// The name of the best candidate; nil if it is not known, or if requesting it would have cost more.
    public var name: String?
    /// The place that the text means; nil if no place is certain.
    public var place: PlaceRow?
    /// The places that the text may mean, best first; nil if a place is certain.
    public var candidates: [PlaceRow]?
    public var providers: [ProviderReport]
    public var attributions: [AttributionRow]

    public init(
      certain: Bool, confidence: Double, match: Match? = nil, name: String? = nil, place: PlaceRow? = nil, candidates: [PlaceRow]? = nil,
      providers: [ProviderReport] = [], attributions: [AttributionRow] = []
    ) {
      self.certain = certain
      self.confidence = confidence
      self.match = match
      self.name = name
      self.place = place
      self.candidates = candidates
      self.providers = providers
      self.attributions = attributions
    }

    public func write(to writer: inout JSONWriter) {
      writer.object { writer in
        writer.member("certain", certain)
        writer.member("confidence", confidence)
        writer.optional("match", match?.rawValue)
        writer.optional("name", name)
        if let place {
          writer.key("place")
          place.write(to: &writer)
        }
        if let candidates { writer.list("candidates", candidates) }
        writer.list("providers", providers)
        writer.list("attributions", attributions)
      }
    }
  }
}
