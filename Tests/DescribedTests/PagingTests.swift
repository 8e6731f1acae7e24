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
    ids: [String], calls: Int, isExhaustive: Bool
  ) {
    let description = try #require(ServiceDescription.read(Array(text.utf8), service: "t", file: "t.toml").description)
    let service = DescribedService(description, settings: [:]) { (request) throws(ProviderError) in
      func number(_ name: String) -> Int? { request.query.first { $0.name == name }.flatMap { Int($0.value) } }
      let skipped = number("skip") ?? ((number("page") ?? 1) - 1) * size(request)
      let rows = (0..<total).dropFirst(skipped).prefix(size(request)).map { #"{"id": "\#($0)", "name": "N"}"# }
      return HTTPResponse(status: 200, body: Array(#"{"rows": [\#(rows.joined(separator: ","))]}"#.utf8))
    }
    var (ids, calls, isExhaustive, token): ([String], Int, Bool, String?) = ([], 0, false, nil)
    repeat {
      let page = try await service.search(SearchRequest(query: "x", fields: [.name], limit: limit, pageToken: token))
      ids += page.rows.map(\.id)
      calls += 1
      isExhaustive = page.exhaustive
      token = page.next
    } while token != nil && calls < 20
    return (ids, calls, isExhaustive)
  }

  @Test(
    "No row is lost if the service determines the size of a page, whatever its description says about it", arguments: [1, 3, 10, 50],
    [10, 20, 50])
  func fixedSize(size: Int, maximumRows: Int) async throws {
    for limit in [1, 10, 20] {
      let text = Self.text.replacing("maximum_rows = 10", with: "maximum_rows = \(maximumRows)").replacing("last = 9", with: "last = 99")
      let found = try await ask(text, total: size * 3 - 1, limit: limit) { _ in size }
      #expect(found.ids == (0..<size * 3 - 1).map(String.init))
      // The last call has no rows.
      #expect(found.calls == (size == 1 ? 3 : 4))
      #expect(found.isExhaustive)
    }
  }

  @Test("A service that counts by rows sends those beyond the first 100 of a page with the next page")
  func rowsBeyond() async throws {
    let text = Self.text.replacing("query.page = \"{page_number}\"", with: "query.skip = \"{offset}\"").replacing(
      "last = 9", with: "last = 999")
    let found = try await ask(text, total: 250, limit: 20) { _ in 150 }
    #expect(found.ids == (0..<250).map(String.init))
  }

  @Test("No row is lost or returned twice if a service that counts by rows ignores the requested number", arguments: [1, 7, 20])
  func ignoredLimit(limit: Int) async throws {
    let text = Self.text.replacing("query.page = \"{page_number}\"", with: "query.skip = \"{offset}\"\nquery.size = \"{limit}\"").replacing(
      "last = 9", with: "last = 999")
    let found = try await ask(text, total: 19, limit: limit) { _ in 50 }
    #expect(found.ids == (0..<19).map(String.init), "\(found)")
  }

  @Test("The service's last page is the last one, and does not have all rows")
  func lastPage() async throws {
    let found = try await ask(Self.text.replacing("last = 9", with: "last = 2"), total: 27, limit: 20) { _ in 5 }
    #expect(found.ids == (0..<10).map(String.init))
    #expect(!found.isExhaustive)
  }

  @Test("All rows of a page whose size the service determines are within the maximum that its manifest declares")
  func declaredRows() throws {
    let description = try #require(ServiceDescription.read(Array(Self.text.utf8), service: "t", file: "t.toml").description)
    #expect(description.manifest.search?.maximumRows == DescribedAnswer.maxRows)
  }

  @Test("No row is lost if the request determines it", arguments: [1, 3, 10])
  func requestedSize(limit: Int) async throws {
    let text = Self.text.replacing("query.page =", with: "query.size = \"{limit}\"\nquery.page =")
    let found = try await ask(text, total: 7, limit: limit) { $0.query.first { $0.name == "size" }.flatMap { Int($0.value) } ?? 10 }
    #expect(found.ids == (0..<7).map(String.init))
  }
}
