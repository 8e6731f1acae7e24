import GazetteerIndex
import PlacesKit
import PlacesTesting
import Testing

/// Places near the bias, compared with places of the same name elsewhere.
@Suite struct VicinityTests {
  private static func index() throws -> SmallIndex {
    try SmallIndex(lines: [
      SmallIndex.line(1, "Cafelândia", "", -22.0, -49.6, "BR", "27", 16_600),
      SmallIndex.line(2, "Cafe Amann", "", 47.1405, 9.5205, "LI", "11", 0, code: "S\tMUS"),
      SmallIndex.line(3, "Cafe Matt", "", 47.21, 9.54, "LI", "11", 0, code: "S\tMUS"),
      SmallIndex.line(4, "Das Cafe", "", 47.1405, 9.521, "LI", "11", 0, code: "S\tMUS"),
      SmallIndex.line(5, "Cafeville", "", 10.0, 10.0, "NG", "11", 3_000_000),
      SmallIndex.line(6, "Berlin", "", 52.52, 13.4, "DE", "16", 3_400_000),
      SmallIndex.line(7, "Berliner Bar", "", 47.1402, 9.5202, "LI", "11", 0, code: "S\tMUS"),
      SmallIndex.line(8, "Berlingen", "", 47.67, 9.02, "CH", "TG", 800),
      SmallIndex.line(9, "Cafe", "", 15.5, 120.9, "PH", "G", 1_100),
    ])
  }

  private static func ids(_ query: String, radius: Double?) throws -> [String] {
    var request = AutocompleteRequest(query: query)
    let center = try #require(Coordinate(latitude: 47.14, longitude: 9.52))
    request.bias = radius.map { .circle(center: center, radius: $0) }
    return try index().reader.autocomplete(request).rows.compactMap(\.id)
  }

  @Test(
    "A place near the bias precedes towns that only begin with the query, but not cities; without a bias or with a wide one it does not",
    arguments: [
      ("cafe", 20_000, ["5", "2", "4", "3", "9", "1"]), ("cafe", 500, ["5", "2", "4", "3", "9", "1"]), ("cafe", nil, ["5", "9", "1"]),
      ("cafe", 2_000_000, ["5", "9", "1"]), ("berl", 20_000, ["6", "7", "8"]), ("berl", nil, ["6", "8", "7"]),
    ] as [(String, Double?, [String])])
  func order(query: String, radius: Double?, ids: [String]) throws {
    let found = try VicinityTests.ids(query, radius: radius)
    #expect(Array(found.prefix(ids.count)) == ids, "\(found)")
  }

  @Test("Of far places that begin with a few letters, only large cities precede a shop around the corner")
  func corner() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Coon Rapids", "A,B,C,D,E,F,G,H,I,J,K", 45.1, -93.3, "US", "MN", 150_000),
      SmallIndex.line(2, "Coop", "", 47.1405, 9.521, "LI", "11", 0, code: "S\tMUS"),
      SmallIndex.line(3, "Coos", "", -10, 10, "AO", "11", 5_000_000),
    ])
    var request = AutocompleteRequest(query: "coo")
    request.bias = .circle(center: try #require(Coordinate(latitude: 47.14, longitude: 9.52)), radius: 1_000)
    #expect(try index.reader.autocomplete(request).rows.compactMap(\.id) == ["3", "2", "1"])
  }

  @Test("A place anywhere in a wide bias is near: only far places are lowered if a near one is spelled as typed")
  func spelled() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Höll", "", 47.14, 9.52, "LI", "11", 0, code: "S\tMUS"),
      SmallIndex.line(2, "Hollbach", "", 47.19, 9.52, "LI", "11", 0, code: "S\tMUS"),
      SmallIndex.line(3, "Holl", "", 47.5, 9.52, "LI", "11", 3_000), SmallIndex.line(4, "Holl", "", 40, 9.52, "IT", "11", 4_000),
    ])
    var request = AutocompleteRequest(query: "höll")
    request.bias = .circle(center: try #require(Coordinate(latitude: 47.14, longitude: 9.52)), radius: 50_000)
    let found = try index.reader.autocomplete(request).rows.compactMap(\.id)
    #expect(found == ["1", "3", "2", "4"], "\(found)")
  }

  @Test("A search by the word and the type of a category finds the nearest places of it, whatever their names", arguments: [true, false])
  func kind(isStrict: Bool) throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Museum", "", 47.3, 9.52, "LI", "11", 0, code: "S\tMUS"),
      SmallIndex.line(2, "Kunsthaus", "", 47.141, 9.52, "LI", "11", 0, code: "S\tMUS"),
      SmallIndex.line(3, "Museum Motel", "", 47.14, 9.52, "LI", "11", 0, code: "S\tHTL"),
      SmallIndex.line(4, "Museum in der Ferne", "", 40, 9.52, "IT", "11", 0, code: "S\tMUS"),
    ])
    var request = SearchRequest(query: "museum", fields: [], includedType: "museum", strictTypeFiltering: isStrict)
    request.bias = .circle(center: try #require(Coordinate(latitude: 47.14, longitude: 9.52)), radius: 20_000)
    #expect(try index.reader.search(request).rows.map(\.id) == (isStrict ? ["2", "1", "4"] : ["2", "1", "4", "3"]))
    // Without a text those in reach.
    request.query = ""
    #expect(try index.reader.search(request).rows.map(\.id) == ["2"])
    request.bias = nil
    request.restriction = .circle(center: try #require(Coordinate(latitude: 47.2, longitude: 9.52)), radius: 20_000)
    #expect(Set(try index.reader.search(request).rows.map(\.id)) == ["1", "2"])
  }

  @Test("A place that only a part of the query names is marked; one that all words describe is not")
  func partial() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Linden", "", 52.36, 9.71, "DE", "06", 3_000),
      SmallIndex.line(2, "London", "", 51.5, -0.12, "GB", "ENG", 8_000_000),
      SmallIndex.line(3, "Soho", "", 51.513, -0.131, "GB", "ENG", 2_000),
    ])
    func marks(_ query: String) throws -> [String: Bool] {
      let rows = try index.reader.search(SearchRequest(query: query, fields: [])).rows
      return Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.partialMatch == true) })
    }
    #expect(try marks("unter den linden 77")["1"] == true)
    #expect(try marks("unter den linden")["1"] == true)
    #expect(try marks("linden")["1"] == false)
    #expect(try marks("soho london")["3"] == false)
  }
}
