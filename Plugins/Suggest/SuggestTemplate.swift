import PlacesKit

/// The configured address of a service, with placeholders: `https://{language}.wikipedia.org/w/api.php?action=opensearch&search={query}`.
struct SuggestTemplate: Sendable {
  private let url: ServiceURL
  private let format: SuggestFormat
  var host: String { url.host }
  static let placeholders = ["query", "language", "region", "limit"]

  /// The parameters of an OpenSearch 1.1 URL template (github.com/dewitt/opensearch), each with the placeholder or value that replaces it.
  private static let parameters: [String: Parameter] = [
    "searchTerms": .placeholder("query"), "count": .placeholder("limit"), "startIndex": .value("1"), "startPage": .value("1"),
    "inputEncoding": .value("UTF-8"), "outputEncoding": .value("UTF-8"),
  ]
  private enum Parameter { case placeholder(String), value(String) }

  /// Throws `badRequest` for a text that is not an address, that lacks `{query}`, or that has an unknown placeholder or a single brace.
  init(_ text: String, format: SuggestFormat) throws(ProviderError) {
    // OpenSearch's names are replaced before the text is read as a URL, because the question mark of an optional parameter in the path
    // would begin the query.
    guard let url = ServiceURL(SuggestTemplate.withoutOpenSearchNames(text)) else {
      throw ProviderError(.badRequest, "url is not an http or https address such as https://duckduckgo.com/ac/?q={query}&type=list")
    }
    let texts = url.path + url.query.map(\.value)
    let itemNames = url.query.map(\.name)
    guard (texts + [url.host]).allSatisfy(SuggestTemplate.hasWholePlaceholders),
      !itemNames.contains(where: { $0.contains("{") || $0.contains("}") })
    else {
      throw ProviderError(
        .badRequest, "url has a brace outside a placeholder such as {query}; the host, the path and values may have placeholders")
    }
    for name in (texts + [url.host]).flatMap(SuggestTemplate.placeholderNames)
    where !SuggestTemplate.placeholders.contains(name) && !SuggestTemplate.mayBeOmitted(name) {
      throw ProviderError(
        .badRequest,
        "url has the unknown placeholder {\(name)}; the known ones are \(SuggestTemplate.placeholders.map { "{\($0)}" }.joined(separator: ", "))"
      )
    }
    guard texts.contains(where: { $0.contains("{query}") }) else { throw ProviderError(.badRequest, "url lacks the placeholder {query}") }
    guard !url.host.contains("{query}"), !url.host.contains("{limit}") else {
      throw ProviderError(.badRequest, "url may have only {language} and {region} in its host")
    }
    self.url = url
    self.format = format
  }

  /// The request for suggestions. A query item is omitted if its placeholder has no value.
  func request(for request: AutocompleteRequest) -> HTTPRequest {
    let language = request.language ?? "en"
    let languageSubtag = language.prefix { $0 != "-" && $0 != "_" }.lowercased()
    let usesMarkets = format == .duckduckgo
    let values: [String: String?] = [
      "query": request.query, "limit": String(request.limit),
      // A market of DuckDuckGo consists of a region and a language subtag, in lower case: `ch-de`. Its region for GB is `uk`.
      "language": usesMarkets ? languageSubtag : language,
      "region": usesMarkets ? request.region.map { $0 == "GB" ? "uk" : $0.lowercased() } : request.region,
    ]
    // Without a region, a host such as `{region}.example.com` becomes `www.example.com`.
    let host = url.host.replacing("{language}", with: languageSubtag).replacing("{region}", with: request.region?.lowercased() ?? "www")
    var hostURL = url
    hostURL.host = host
    return HTTPRequest(
      host: hostURL.origin, path: url.path.map { SuggestTemplate.replacingPlaceholders(in: $0, with: values) ?? "" },
      query: url.query.compactMap { item in
        SuggestTemplate.replacingPlaceholders(in: item.value, with: values).map { HTTPRequest.Item(item.name, $0) }
      }
        + charsetItems,
      headers: [HTTPRequest.Item("Accept", format.accepts)])
  }

  /// The items `ie` and `oe` (input and output encoding), if the template lacks them. Without them, Google may choose a charset that lacks
  /// characters of the answer, which become question marks.
  private var charsetItems: [HTTPRequest.Item] {
    guard format == .googleFirefox || format == .googleToolbar else { return [] }
    return ["ie", "oe"].filter { name in !url.query.contains { $0.name == name } }.map { HTTPRequest.Item($0, "utf-8") }
  }

  /// True for the parameters `{name?}` and `{prefix:name}`, which may be left without a value.
  private static func mayBeOmitted(_ name: String) -> Bool { name.hasSuffix("?") || name.contains(":") }

  /// The text with the placeholders of this plugin in place of OpenSearch's parameters.
  private static func withoutOpenSearchNames(_ text: String) -> String {
    var text = text
    for name in placeholderNames(in: text) {
      let parameterName = name.hasSuffix("?") ? String(name.dropLast()) : name
      switch parameters[parameterName] {
      case .placeholder(let placeholder): text = text.replacing("{\(name)}", with: "{\(placeholder)}")
      case .value(let value): text = text.replacing("{\(name)}", with: value)
      case nil: if placeholders.contains(parameterName) { text = text.replacing("{\(name)}", with: "{\(parameterName)}") }
      }
    }
    return text
  }

  /// True if each brace begins or ends a placeholder.
  private static func hasWholePlaceholders(_ text: String) -> Bool {
    var isOpen = false
    for character in text where character == "{" || character == "}" {
      guard (character == "}") == isOpen else { return false }
      isOpen.toggle()
    }
    return !isOpen
  }

  /// The names between braces.
  private static func placeholderNames(in text: String) -> [String] {
    text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map { String($0.prefix { $0 != "}" }) }
  }

  /// The text with its placeholders replaced by their values; nil if a placeholder has no value. Placeholders in the values are not
  /// replaced, because a query may contain braces.
  private static func replacingPlaceholders(in text: String, with values: [String: String?]) -> String? {
    var result = ""
    var remaining = text[...]
    while let open = remaining.firstIndex(of: "{"), let close = remaining[open...].firstIndex(of: "}") {
      guard let value = values[String(remaining[remaining.index(after: open)..<close])] ?? nil else { return nil }
      result += remaining[..<open] + value
      remaining = remaining[remaining.index(after: close)...]
    }
    return result + remaining
  }
}
