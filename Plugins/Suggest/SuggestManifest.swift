import PlacesKit

extension SuggestFormat {
  /// The service that uses this format; nil for the general formats.
  private var service: (name: String, url: String?)? {
    switch self {
    case .googleToolbar, .googleFirefox: ("Google Search", "https://www.google.com/")
    case .bing, .bingAS: ("Bing", "https://www.bing.com/")
    case .yahooGossip, .yahooRelated: ("Yahoo Search", "https://search.yahoo.com/")
    case .duckduckgo: ("DuckDuckGo", "https://duckduckgo.com/")
    case .wikipedia: ("Wikipedia", "https://www.wikipedia.org/")
    case .brave: ("Brave Search", "https://search.brave.com/")
    case .opensearch, .list: nil
    }
  }

  /// The maximum number of rows that the service returns; if it is unknown, the maximum limit of a request.
  private var maxRows: Int {
    switch self {
    case .googleToolbar, .googleFirefox: 10
    default: SuggestFormat.limits.upperBound
    }
  }

  /// The values that `limit` can have, in a request and in the settings.
  static let limits = 1...50

  /// The manifest of an instance with this format.
  /// - Parameters:
  ///   - name: the administrator's name for the service.
  ///   - limit: the maximum number of rows that the service returns, from the configuration.
  func manifest(named name: String?, limit: Int? = nil) -> Manifest {
    let shownName = name ?? service?.name ?? "Web suggestions"
    return Manifest(
      plugin: "suggest", name: shownName, version: "1.0.0",
      summary: "Completions of queries from a web suggestion service; most allow no use by third parties: read their terms first.",
      autocomplete: Capability(
        parameters: [.language: .native, .region: .native, .inputOffset: .emulated], minimumLetters: 2,
        maximumRows: limit ?? maxRows, kinds: [.query]),
      settings: SuggestFormat.settings, terms: terms, attributions: [Attribution(text: shownName, url: name == nil ? service?.url : nil)],
      rate: Rate(perSecond: 2, burst: 6, concurrent: 1), coordinateDecimals: 0, givesCoordinates: false)
  }

  private static let settings = [
    Setting(
      "url", .url,
      "The service's address with {query} and, if it accepts them, {language}, {region} and {limit}; or with the parameters of an OpenSearch description, such as {searchTerms}.",
      required: true),
    Setting(
      "format", .string, "The format of the service's answers.", defaultValue: "opensearch", choices: SuggestFormat.allCases.map(\.rawValue)
    ),
    Setting("name", .string, "The service's name, for attributions and messages."),
    Setting("contact", .string, "An address at which you can be reached, sent to the service; Wikimedia requires one."),
    Setting("limit", .integer, "The most rows that the service returns, 1 to 50; by default as known of the format."),
  ]

  /// True for a host of one of Wikimedia's projects.
  static func isWikimedia(host: String) -> Bool {
    ["wikipedia", "wikimedia", "wiktionary", "wikivoyage", "wikidata", "wikibooks", "wikinews", "wikiquote", "wikisource", "wikiversity"]
      .contains { host == "\($0).org" || host.hasSuffix(".\($0).org") }
  }

  /// Only Wikipedia publishes a licence for its suggestions. The answers of other services are stored for five minutes. No answer is shared
  /// between users. Wikimedia's User-Agent policy requires a contact
  /// (foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy).
  private var terms: Terms {
    let isFree = self == .wikipedia
    return Terms(
      idsSeconds: 0, coordinatesSeconds: 0, otherSeconds: isFree ? 86_400 : 300, negativeSeconds: 60, isolation: .user,
      mixing: isFree ? .free : .never, keepsOrder: !isFree, needsContact: isFree,
      source: isFree
        ? "titles of Wikipedia, CC BY-SA 4.0: https://foundation.wikimedia.org/wiki/Policy:Terms_of_Use"
        : "no licence for third parties is published; kept for minutes only")
  }
}
