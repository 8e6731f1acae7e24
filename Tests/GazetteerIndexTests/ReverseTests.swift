import GazetteerIndex
import PlacesKit
import Testing

/// Reverse geocoding of points.
@Suite struct ReverseTests {
  private static func index() throws -> SmallIndex {
    try SmallIndex(
      lines: [
        SmallIndex.line(1, "Paris", "", 48.853, 2.349, "FR", "11", 2_138_551),
        SmallIndex.line(2, "Neuilly-sur-Seine", "", 48.885, 2.268, "FR", "11", 61_300),
        SmallIndex.line(3, "Orléans", "", 47.903, 1.909, "FR", "24", 116_269),
      ], regions: ["FR.11\tÎle-de-France\tIle-de-France\t3012874", "FR.24\tCentre\tCentre\t3027939"])
  }

  private func ids(_ latitude: Double, _ longitude: Double, _ change: (inout ReverseRequest) -> Void = { _ in }) throws -> [String] {
    var request = ReverseRequest(location: try #require(Coordinate(latitude: latitude, longitude: longitude)), fields: [])
    change(&request)
    return try ReverseTests.index().reader.reverse(request).rows.map(\.id)
  }

  @Test("A point lies in the town with the smallest ratio of distance to radius, even if the centre of another town is nearer")
  func deepest() throws {
    #expect(try ids(48.874, 2.29) == ["1", "2", "FR.11", "FR"])
    #expect(try ids(48.885, 2.268) == ["2", "1", "FR.11", "FR"])
  }

  @Test("The distance to a town, region or country is 0 for a point in it, and is left to the daemon for any other")
  func inside() throws {
    let point = try #require(Coordinate(latitude: 48.874, longitude: 2.29))
    let reader = try ReverseTests.index().reader
    let rows = try reader.reverse(ReverseRequest(location: point, fields: [])).rows
    #expect(rows.map(\.id) == ["1", "2", "FR.11", "FR"] && rows.map(\.distance) == [0, nil, 0, 0])
    for (query, distance) in [("paris", 0), ("île-de-france", 0), ("neuilly", nil), ("centre", nil)] as [(String, Double?)] {
      let suggested = try reader.autocomplete(AutocompleteRequest(query: query, origin: point)).rows.first
      let found = try reader.search(SearchRequest(query: query, fields: [.name], origin: point)).rows.first
      #expect(suggested?.distance == distance && found?.distance == distance && suggested?.id == found?.id, "\(query)")
    }
  }

  @Test("Where circles overlap, a point is in a town, its parts and the town of which it is a part, but not in a neighbour")
  func neighbours() throws {
    // As many names as large cities have, so that their radiuses are as in the whole data.
    let names = (1...99).map { "Name \($0)" }.joined(separator: ",")
    let index = try SmallIndex(
      lines: [
        SmallIndex.line(1, "New York City", names, 40.7143, -74.006, "US", "NY", 8_804_190),
        SmallIndex.line(2, "Brooklyn", names, 40.6501, -73.9496, "US", "NY", 2_736_074),
        SmallIndex.line(3, "Manhattan", names, 40.7834, -73.9663, "US", "NY", 1_694_251),
        SmallIndex.line(4, "Flatbush", names, 40.6521, -73.9593, "US", "NY", 110_000),
        SmallIndex.line(5, "East Flatbush", names, 40.6537, -73.9304, "US", "NY", 105_000),
        SmallIndex.line(6, "Jersey City", names, 40.7282, -74.0776, "US", "NJ", 292_000),
      ], regions: ["US.NY\tNew York\tNew York\t5128638", "US.NJ\tNew Jersey\tNew Jersey\t5101760"])
    func inside(_ latitude: Double, _ longitude: Double) throws -> Set<String> {
      let point = try #require(Coordinate(latitude: latitude, longitude: longitude))
      return Set(try index.reader.reverse(ReverseRequest(location: point, fields: [])).rows.filter { $0.distance == 0 }.map(\.id))
    }
    #expect(try inside(40.705, -73.96) == ["1", "2", "US.NY", "US"])
    #expect(try inside(40.6515, -73.956) == ["1", "2", "4", "US.NY", "US"])
    #expect(try inside(40.775, -73.97) == ["1", "3", "US.NY", "US"])
    #expect(try inside(40.73, -74.075).isDisjoint(with: ["1", "3", "US.NY"]))
  }

  @Test("Without a requested language, all rows of the point's country are in the language of the place")
  func oneLanguage() throws {
    let index = try LocalNameTests.index(of: [
      TypedTests.city("1", "Lugano", "CH", 63_000, [("it", "Lugano"), ("fr", "Lugano")], region: "CH.TI", at: (46.01, 8.96)),
      TypedTests.city("2", "Bellinzona", "CH", 43_000, [("de", "Bellenz"), ("it", "Bellinzona")], region: "CH.TI", at: (46.02, 8.97)),
      TypedTests.area("CH", "Switzerland", [("de", "Schweiz"), ("fr", "Suisse"), ("it", "Svizzera")]),
      TypedTests.area("CH.TI", "Ticino", [("de", "Tessin"), ("it", "Ticino")]),
    ])
    let point = try #require(Coordinate(latitude: 46.01, longitude: 8.96))
    func names(_ language: String?) throws -> [String?] {
      try index.reader.reverse(ReverseRequest(location: point, fields: [.name], language: language)).rows.map(\.name)
    }
    #expect(try names(nil) == ["Lugano", "Bellinzona", "Ticino", "Svizzera"])
    #expect(try names("de") == ["Lugano", "Bellenz", "Tessin", "Schweiz"])
  }

  @Test("After a quarter, a city state is returned once")
  func ownRegion() throws {
    let index = try SmallIndex(
      lines: [
        SmallIndex.line(1, "Coyoacán", "", 19.3467, -99.1617, "MX", "09", 600_000),
        SmallIndex.line(2, "Ciudad de México", "", 19.4285, -99.1277, "MX", "09", 12_294_193),
      ], regions: ["MX.09\tCiudad de México\tCiudad de Mexico\t3527646"])
    for (limit, ids) in [(1, ["1"]), (2, ["1", "MX.09"]), (3, ["1", "MX.09", "MX"]), (4, ["1", "2", "MX"])] {
      var request = ReverseRequest(location: try #require(Coordinate(latitude: 19.3467, longitude: -99.1617)), fields: [])
      request.limit = limit
      #expect(try index.reader.reverse(request).rows.map(\.id) == ids, "\(limit)")
    }
  }

  @Test("The shortest list contains the nearest house, then a town, its region and its country before other houses")
  func house() throws {
    let index = try SmallIndex(
      lines: [
        SmallIndex.line(1, "Paris", "", 48.853, 2.349, "FR", "11", 2_138_551),
        SmallIndex.line(4, "Hôtel de la Place", "", 48.8531, 2.3491, "FR", "11", 0, code: "S\tHTL"),
        SmallIndex.line(5, "Hôtel du Nord", "", 48.8535, 2.3495, "FR", "11", 0, code: "S\tHTL"),
      ], regions: ["FR.11\tÎle-de-France\tIle-de-France\t3012874"])
    for (limit, ids) in [
      (1, ["4"]), (2, ["4", "1"]), (3, ["4", "1", "FR.11"]), (4, ["4", "1", "FR.11", "FR"]), (5, ["4", "5", "1", "FR.11", "FR"]),
    ] {
      var request = ReverseRequest(location: try #require(Coordinate(latitude: 48.853, longitude: 2.349)), fields: [])
      request.limit = limit
      #expect(try index.reader.reverse(request).rows.map(\.id) == ids, "\(limit)")
    }
  }

  @Test("After the nearest houses, a quarter, its city, region and country precede other houses and neighbours")
  func cityOfQuarter() throws {
    let houses = (4...8).map { SmallIndex.line($0, "Hôtel \($0)", "", 48.857 + Double($0) / 10_000, 2.32, "FR", "11", 0, code: "S\tHTL") }
    let towns = [
      SmallIndex.line(1, "Paris", "", 48.853, 2.349, "FR", "11", 2_138_551),
      SmallIndex.line(2, "Palais-Bourbon", "", 48.857, 2.32, "FR", "11", 57_000),
      SmallIndex.line(3, "Passy", "", 48.858, 2.3, "FR", "11", 160_000),
    ]
    func ids(_ lines: [String], _ limit: Int) throws -> [String] {
      let index = try SmallIndex(lines: lines, regions: ["FR.11\tÎle-de-France\tIle-de-France\t3012874"])
      let point = try #require(Coordinate(latitude: 48.8571, longitude: 2.3201))
      return try index.reader.reverse(ReverseRequest(location: point, limit: limit, fields: [])).rows.map(\.id)
    }
    #expect(try ids(towns + houses, 6) == ["4", "5", "2", "1", "FR.11", "FR"])
    #expect(try ids(towns, 4) == ["2", "1", "FR.11", "FR"])
  }

  @Test("Region and country are returned if no town is near, but not at sea")
  func farOff() throws {
    #expect(try ids(47.3, 2.2) == ["FR.24", "FR"])
    #expect(try ids(30, -40) == [])
  }

  @Test(
    "A radius applies to the location of every row, also of towns and areas",
    arguments: [
      (0, []), (2_900, []), (3_100, ["2"]), (5_100, ["1", "2", "FR.11"]), (50_000, ["1", "2", "FR.11", "FR"]),
    ] as [(Double, [String])])
  func radius(radius: Double, ids: [String]) throws {
    #expect(try self.ids(48.874, 2.306) { $0.radius = radius } == ids)
    #expect(try self.ids(48.853, 2.349) { $0.radius = 0 } == ["1"])
  }

  @Test("Types and limits apply to every row")
  func filters() throws {
    #expect(try ids(48.874, 2.29) { $0.types = ["country"] } == ["FR"])
    #expect(try ids(48.874, 2.29) { $0.types = ["locality"] } == ["1", "2"])
    #expect(try ids(48.874, 2.29) { $0.limit = 3 } == ["1", "FR.11", "FR"])
    #expect(try ids(48.874, 2.29) { $0.limit = 1 } == ["1"])
  }
}
