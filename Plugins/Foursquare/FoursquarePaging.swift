import PlacesKit

/// Further pages of a search. The header `Link` of an answer (RFC 8288) has the URL of the next page. The query of this URL is sent
/// unchanged.
///
/// A page's token is the query of that URL. A search across the antimeridian consists of two requests, and its token has one line for
/// each side that has more pages.
enum FoursquarePaging {
  /// The requests for the page that a token names. Throws `badRequest` for a text that is not such a token.
  static func requests(for token: String) throws(ProviderError) -> [HTTPRequest] {
    let urls = token.split(separator: "\n").map { url(query: $0) }
    guard !urls.isEmpty, !urls.contains(nil) else { throw ProviderError(.badRequest, "the page token is not valid for Foursquare") }
    return urls.compactMap { $0.map { FoursquareRequests.get(FoursquareSearch.path, query: $0.query) } }
  }

  /// The token of the page after these answers; nil if there is none. A link to a page that was just requested is ignored, to prevent an
  /// endless loop.
  /// - Parameter base: the configured address of the service; nil if none is configured. A link may name its host instead of Foursquare's.
  static func nextToken(after responses: [HTTPResponse], requestedWith token: String?, base: String?) -> String? {
    let requestedQueries = Set((token ?? "").split(separator: "\n"))
    let hosts = [FoursquareRequests.host, base.flatMap { ServiceURL($0)?.host }]
    let queries = responses.compactMap { response in
      nextQuery(in: response.headers.filter { $0.name == "link" }.map(\.value).joined(separator: ", "), hosts: hosts)
    }
    let newQueries = queries.filter { !requestedQueries.contains($0[...]) }
    return newQueries.isEmpty ? nil : newQueries.joined(separator: "\n")
  }

  /// The query of the link with the relation `next`. Nil if there is no such link, or if it leads to anything but a page of a search on one
  /// of the hosts.
  private static func nextQuery(in header: String, hosts: [String?]) -> String? {
    // A URL may contain commas, but no angle bracket.
    for link in header.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
      guard let end = link.firstIndex(of: ">"), isNext(link[link.index(after: end)...]) else { continue }
      let text = link[..<end]
      // A relative link refers to the host of the request.
      let isPath = text.hasPrefix("/") && !text.hasPrefix("//")
      guard let target = ServiceURL((isPath ? "https://\(FoursquareRequests.host)" : "") + text), hosts.contains(target.host),
        target.path.suffix(2) == FoursquareSearch.path[...], let start = text.firstIndex(of: "?")
      else { return nil }
      let query = String(text[text.index(after: start)...])
      return url(query: query[...])?.query.contains { $0.name == "cursor" && !$0.value.isEmpty } == true ? query : nil
    }
    return nil
  }

  /// True if a link's parameters contain the relation `next`, with or without quotation marks.
  private static func isNext(_ parameters: Substring) -> Bool {
    parameters.split(separator: ";").contains { parameter in
      let nameAndValue = parameter.split(separator: "=", maxSplits: 1)
      guard nameAndValue.count == 2, nameAndValue[0].drop(while: \.isWhitespace).lowercased() == "rel" else { return false }
      let value = nameAndValue[1]
      let relations = value.hasPrefix("\"") ? value.dropFirst().prefix { $0 != "\"" } : value.prefix { $0 != "," }
      return relations.split(separator: " ").contains { $0.lowercased() == "next" }
    }
  }

  /// A URL with this query, which is form-encoded: `+` means a space. Nil if the query is invalid.
  private static func url(query: Substring) -> ServiceURL? {
    ServiceURL("https://\(FoursquareRequests.host)/?\(query.replacing("+", with: "%20"))")
  }
}
