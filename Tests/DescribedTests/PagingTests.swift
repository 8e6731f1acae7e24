import JSON
import PlacesKit
import Testing

@testable import ServiceDescriptions

@Suite("Pages of a described service") struct PagingTests {
  static let text = """
    format = 1
    name = "T"
    summary = "A test."
    documentation = "https://example.org/docs"
    hosts = ["example.org"]
    attributions = []
    terms = { source = "none" }
    fields = { id = "@.id", name = "@.name" }
    [search]
    path = "/s"
    query.q = "{query}"
    query.page = "{page_number}"
    rows = "$.rows[*]"
    maximum_rows = 10
    paging = { last = 9 }
    """

  /// Asks for all pages of a service that has `total` rows, and returns the ids and the number of calls.
  func ask(_ text: String, total: Int, limit: Int, size: @escaping @Sendable (HTTPRequest) -> Int) async throws -> (
    ids: [String], calls: Int
  ) {
    let description = try #require(ServiceDescription.read(Array(text.utf8), service: "t", file: "t.toml").description)
    let service = DescribedService(description, settings: [:]) { (request) throws(ProviderError) in
      let page = request.query.first { $0.name == "page" }.flatMap { Int($0.value) } ?? 1
      let rows = (0..<total).dropFirst((page - 1) * size(request)).prefix(size(request)).map { #"{"id": "\#($0)", "name": "N"}"# }
      return HTTPResponse(status: 200, body: Array(#"{"rows": [\#(rows.joined(separator: ","))]}"#.utf8))
    }
    var (ids, calls, token): ([String], Int, String?) = ([], 0, nil)
    repeat {
      let page = try await service.search(SearchRequest(query: "x", fields: [.name], limit: limit, pageToken: token))
      ids += page.rows.map(\.id)
      calls += 1
      token = page.next
    } while token != nil && calls < 20
    return (ids, calls)
  }

  @Test("No row is lost if the service determines the size of a page", arguments: [1, 3, 10])
  func fixedSize(limit: Int) async throws {
    let found = try await ask(Self.text, total: 27, limit: limit) { _ in 10 }
    #expect(found.ids == (0..<27).map(String.init))
    #expect(found.calls == 3)
  }

  @Test("No row is lost if the request determines it", arguments: [1, 3, 10])
  func requestedSize(limit: Int) async throws {
    let text = Self.text.replacing("query.page =", with: "query.size = \"{limit}\"\nquery.page =")
    let found = try await ask(text, total: 7, limit: limit) { $0.query.first { $0.name == "size" }.flatMap { Int($0.value) } ?? 10 }
    #expect(found.ids == (0..<7).map(String.init))
  }
}
