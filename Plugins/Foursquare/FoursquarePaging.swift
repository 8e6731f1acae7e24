import PlacesKit

/// Further pages of a search. The address of the next one is in the header `Link` (RFC 8288), and its query is sent unchanged.
///
/// A page's token is the query of that address; of a search on both sides of the antimeridian one a line, for each side that has more.
enum FoursquarePaging {
  /// The requests for the page that a token names.
  static func requests(for token: String) throws(ProviderError) -> [HTTPRequest] {
    let queries = token.split(separator: "\n").map { address($0) }
    guard !queries.isEmpty, !queries.contains(nil) else { throw ProviderError(.badRequest, "this is not a page of Foursquare's") }
    return queries.compactMap { $0.map { FoursquareRequests.get(FoursquareSearch.path, query: $0.query) } }
  }

  /// The token of the page after these answers; nil where there is none. A page that is to follow upon itself would never end.
  static func token(after responses: [HTTPResponse], to token: String?, base: String?) -> String? {
    let asked = Set((token ?? "").split(separator: "\n"))
    let hosts = [FoursquareRequests.host, base.flatMap { ServiceURL($0)?.host }]
    let queries = responses.compactMap { response in
      next(in: response.headers.filter { $0.name == "link" }.map(\.value).joined(separator: ", "), of: hosts)
    }
    let further = queries.filter { !asked.contains($0[...]) }
    return further.isEmpty ? nil : further.joined(separator: "\n")
  }

  /// The query of the link with the relation `next`, where it leads to another page of this search.
  private static func next(in header: String, of hosts: [String?]) -> String? {
    // An address may hold commas, but no angle bracket.
    for link in header.split(separator: "<", omittingEmptySubsequences: false).dropFirst() {
      guard let end = link.firstIndex(of: ">"), isNext(link[link.index(after: end)...]) else { continue }
      let text = link[..<end]
      // An address without a host is one of the host that was asked.
      let isPath = text.hasPrefix("/") && !text.hasPrefix("//")
      guard let url = ServiceURL((isPath ? "https://\(FoursquareRequests.host)" : "") + text), hosts.contains(url.host),
        url.path.suffix(2) == FoursquareSearch.path[...], let start = text.firstIndex(of: "?")
      else { return nil }
      let query = String(text[text.index(after: start)...])
      return address(query[...])?.query.contains { $0.name == "cursor" && !$0.value.isEmpty } == true ? query : nil
    }
    return nil
  }

  /// Whether a link's parameters name its relation as `next`, with or without quotation marks.
  private static func isNext(_ parameters: Substring) -> Bool {
    parameters.split(separator: ";").contains { parameter in
      let halves = parameter.split(separator: "=", maxSplits: 1)
      guard halves.count == 2, halves[0].drop(while: \.isWhitespace).lowercased() == "rel" else { return false }
      let relations = halves[1].hasPrefix("\"") ? halves[1].dropFirst().prefix { $0 != "\"" } : halves[1].prefix { $0 != "," }
      return relations.split(separator: " ").contains { $0.lowercased() == "next" }
    }
  }

  /// Parses a query of names and values, with a plus for a space as in forms; nil if it is invalid.
  private static func address(_ query: Substring) -> ServiceURL? {
    ServiceURL("https://\(FoursquareRequests.host)/?\(query.replacing("+", with: "%20"))")
  }
}
