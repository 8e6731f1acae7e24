import GazetteerIndex
import PlacesKit
import Testing

/// A search is one list, whichever pages it is read in.
@Suite struct SearchPageTests {
  private static func index() throws -> SmallIndex {
    try SmallIndex(lines: (1...45).map { SmallIndex.line($0, "Newtown", "", Double(($0 * 7) % 45) / 10, 1, "QM", "", 1000 + $0) })
  }

  private func pages(_ request: SearchRequest) throws -> [String] {
    let reader = try SearchPageTests.index().reader
    var request = request
    var ids: [String] = []
    repeat {
      let page = try reader.search(request)
      ids += page.rows.map(\.id)
      request.pageToken = page.next
    } while request.pageToken != nil
    return ids
  }

  @Test("The pages together are the whole list", arguments: [1, 7, 20])
  func whole(limit: Int) throws {
    #expect(try pages(SearchRequest(query: "newtown", fields: [], limit: limit)) == (1...45).reversed().map { String($0) })
  }

  @Test(
    "Ranked by distance, the nearest places to the bias or the centre of the restriction come first on every page",
    arguments: [true, false])
  func distance(isBias: Bool) throws {
    let center = try #require(Coordinate(latitude: 0, longitude: 1))
    var request = SearchRequest(query: "newtown", fields: [], limit: 10)
    request.rankBy = .distance
    let area = Area.circle(center: center, radius: 1_000_000)
    if isBias { request.bias = area } else { request.restriction = area }
    #expect(try pages(request) == (1...45).sorted { ($0 * 7) % 45 < ($1 * 7) % 45 }.map { String($0) })
  }
}
