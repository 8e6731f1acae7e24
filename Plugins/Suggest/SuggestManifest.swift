import PlacesKit

extension SuggestFormat {
  /// Who speaks this format, for people; nil for the general ones.
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

  /// What an instance of this format is and may do.
  /// - Parameter name: the operator's own name for the service.
  func manifest(named name: String?) -> Manifest {
    let shown = name ?? service?.name ?? "Web suggestions"
    return Manifest(
      plugin: "suggest", name: shown, version: "1.0.0",
      summary: "Completions of queries from a web suggestion service; most allow no use by third parties: read their terms first.",
      autocomplete: Capability(
        parameters: [.language: .native, .region: .native, .inputOffset: .emulated], minimumLetters: 2, maximumRows: 10, kinds: [.query]),
      settings: SuggestFormat.settings, terms: terms, attributions: [Attribution(text: shown, url: name == nil ? service?.url : nil)],
      rate: Rate(perSecond: 2, burst: 6, concurrent: 1), coordinateDecimals: 0, givesCoordinates: false)
  }

  private static let settings = [
    Setting(
      "url", .url, "The service's address with {query}, and {language}, {region} and {limit} where it takes them.", required: true),
    Setting(
      "format", .string, "How the service writes its answers.", defaultValue: "opensearch", choices: SuggestFormat.allCases.map(\.rawValue)),
    Setting("name", .string, "The service's name for people and for the attribution."),
  ]

  /// Nobody but Wikipedia states a licence: what comes back is kept for minutes and for the user who asked.
  private var terms: Terms {
    let isFree = self == .wikipedia
    return Terms(
      idsSeconds: 0, coordinatesSeconds: 0, otherSeconds: isFree ? 86_400 : 300, negativeSeconds: 60, isolation: .user,
      mixing: isFree ? .free : .never, keepsOrder: !isFree,
      source: isFree
        ? "titles of Wikipedia, CC BY-SA 4.0: https://foundation.wikimedia.org/wiki/Policy:Terms_of_Use"
        : "no licence for third parties is published; kept for minutes only")
  }
}
