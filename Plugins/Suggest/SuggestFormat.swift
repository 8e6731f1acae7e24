import Geocoders
import PlacesKit

/// The format of a suggestion service's answers.
public enum SuggestFormat: String, CaseIterable, Sendable {
  /// OpenSearch Suggestions 1.1: `["q", ["s1", "s2"], …]`, also with objects in place of the strings; or XML Search Suggestions.
  case opensearch
  /// The XML of Google's toolbar.
  case googleToolbar = "google-toolbar"
  case googleFirefox = "google-firefox"
  case bing
  /// Bing's completions with marked matches: `{"s": [{"q": "s1"}]}`.
  case bingAS = "bing-as"
  /// Yahoo's completions: `{"r": [{"k": "s1"}]}`, an array as in `opensearch`, or XML.
  case yahooGossip = "yahoo-gossip"
  /// Yahoo's related searches: `{"ResultSet": {"Result": ["s1"]}}`, or XML.
  case yahooRelated = "yahoo-related"
  case duckduckgo, wikipedia, brave
  /// A flat array, or an object that contains one.
  case list

  /// The value of the header Accept in a request.
  var accepts: String {
    switch self {
    case .googleToolbar: "application/xml, text/xml"
    case .yahooGossip, .yahooRelated: "application/json, application/xml;q=0.5"
    case .opensearch: "application/x-suggestions+json, application/json, application/x-suggestions+xml;q=0.5"
    default: "application/x-suggestions+json, application/json"
    }
  }

  /// The rows of an answer: at most the requested number, without repeated texts.
  func page(from response: HTTPResponse, for request: AutocompleteRequest, service: String) throws(ProviderError) -> Page<Suggestion> {
    guard let text = try SuggestBody.text(of: response, service: service) else { return Page(rows: []) }
    let allCompletions = try completions(in: text, service: service)
    var seenTexts: Set<String> = []
    let rows = allCompletions.filter { !$0.text.isEmpty && seenTexts.insert($0.text).inserted }.prefix(max(0, request.limit))
    return Page(rows: rows.map { $0.suggestion(query: request.query) })
  }

  /// True for a format that a service may also send as XML.
  private var mayBeXML: Bool { [.yahooGossip, .yahooRelated, .opensearch].contains(self) }

  /// The completions in the text of an answer. Throws `decode` if the text does not have this format.
  private func completions(in text: String, service: String) throws(ProviderError) -> [Completion] {
    if self == .googleToolbar || (mayBeXML && text.first == "<") {
      return try SuggestXML.completions(in: text, service: service)
    }
    guard let value = try? JSONValue(parsing: SuggestBody.unwrapped(text), limits: JSONLimits(depth: 32, values: 50_000)) else {
      throw ProviderError(.decode, "\(service)'s answer is not JSON")
    }
    guard let parsedCompletions = completions(in: value) else {
      throw ProviderError(.decode, "\(service)'s answer does not have the shape of the format \(rawValue)")
    }
    return parsedCompletions
  }

  /// The completions in a JSON value; nil if the value does not have the shape of this format.
  private func completions(in value: JSONValue) -> [Completion]? {
    switch self {
    case .opensearch, .googleFirefox, .bing, .wikipedia, .brave: SuggestJSON.openSearch(value)
    case .duckduckgo: value[1]?.array == nil ? SuggestJSON.list(value) : SuggestJSON.openSearch(value)
    case .bingAS: value.object == nil ? nil : (value["s"] ?? []).array?.compactMap { SuggestJSON.marked($0["q"]?.string) }
    case .yahooGossip:
      value["r"]?.array?.compactMap { SuggestJSON.completion($0, keys: ["k"]) }
        ?? (value.array == nil ? nil : SuggestJSON.openSearch(value))
    case .yahooRelated: SuggestJSON.yahooRelated(value)
    case .list: SuggestJSON.list(value)
    case .googleToolbar: nil
    }
  }

  static let refusalHint = "the service may not allow automatic requests; disable this provider or lower its rate"
}

/// One completion as a service returned it.
struct Completion: Hashable {
  var text: String
  /// The ranges that the service itself marked as matches, in code points; nil if it marks none.
  var matches: [TextRange]?
  /// A description of the completion, which is shown in a second line.
  var note: String?
  /// The URL of a page about the completion.
  var url: String?
  /// The URL of an image for the completion.
  var image: String?
  /// The importance of the completion, from 0 to 1; nil if the service does not state it.
  var importance: Double?

  /// Nil for a text that cannot be a query: it is empty, has control characters, or is longer than 256 code points.
  init?(
    _ text: String, matches: [TextRange]? = nil, note: String? = nil, url: String? = nil, image: String? = nil, importance: Double? = nil
  ) {
    let scalars = text.unicodeScalars
    guard scalars.contains(where: { !$0.properties.isWhitespace }), scalars.count <= 256,
      !scalars.contains(where: { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) })
    else { return nil }
    self.text = text
    self.matches = matches
    self.note = note
    self.url = url
    self.image = image
    self.importance = importance
  }

  func suggestion(query: String) -> Suggestion {
    let formattedText = matches.map { FormattedText(text, matches: $0) } ?? FormattedText(text, matching: query)
    return Suggestion(
      kind: .query, text: formattedText, primary: note == nil ? nil : formattedText, secondary: note.map { FormattedText($0) },
      importance: importance, iconImageURL: image, url: url)
  }
}
