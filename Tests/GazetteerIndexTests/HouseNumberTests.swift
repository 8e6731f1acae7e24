import GazetteerIndex
import PlacesKit
import PlacesTesting
import Testing

/// A number at the end is a house, and a longer number another one.
@Suite struct HouseNumberTests {
  private static func reader(_ folder: TemporaryFolder) throws -> GazetteerReader {
    func house(_ street: String, _ number: String, _ more: String = "") -> String {
      #""addr:street":"\#(street)","addr:housenumber":"\#(number)"\#(more)"#
    }
    let features = [
      house("Landstrasse", "3"), house("Landstrasse", "31"), house("Landstrasse", "3a"),
      house("Landstrasse", "311", #","name":"School","amenity":"school""#),
      house("Alte Landstrasse", "3", #","name":"Consul","amenity":"embassy""#),
      house("Landstrasse", "3", #","name":"Church","building":"church""#), #""name":"Landstrasse","highway":"residential""#,
      house("Queen Street", "3191/17"),
    ].enumerated().map { number, tags in
      #"{"type":"Feature","id":"n\#(number + 1)","geometry":{"type":"Point","coordinates":[9.5,47.1]},"properties":{\#(tags)}}"#
    }
    let source = MemorySource(Array(features.joined(separator: "\n").utf8), name: "test")
    let path = folder.file("gazetteer.db")
    _ = try GazetteerBuilder(path: path).importFeatures(source, name: "street", country: "LI")
    return try GazetteerReader(path: path)
  }

  @Test(
    "While typing, the house of the number comes first, then shops at that number, then the nearest of the longer numbers",
    arguments: [
      ("landstrasse 3", ["1", "5", "6", "3", "2", "4"]), ("landstrasse 31", ["2", "4"]), ("landstrasse 3a", ["3", "1"]),
      ("landstrase 3", ["1"]), ("queen street 3191/1", ["8"]), ("landstrasse 9", ["7"]),
    ])
  func typing(query: String, ids: [String]) throws {
    let folder = try TemporaryFolder()
    let rows = try HouseNumberTests.reader(folder).autocomplete(AutocompleteRequest(query: query)).rows
    #expect(rows.compactMap { $0.id?.split(separator: "/").last.map(String.init) } == ids)
  }

  @Test("If a house number is unknown, the street comes first, then the houses with the nearest numbers")
  func nearest() throws {
    let folder = try TemporaryFolder()
    let numbers = [1, 39, 43, 93, 9, 55, 80, 21, 17, 19, 101, 103, 105, 107]
    let features =
      [#""name":"Feldkircher Strasse","highway":"residential""#]
      + numbers.map { #""addr:street":"Feldkircher Strasse","addr:housenumber":"\#($0)","addr:city":"Schaan""# }
    let lines = features.enumerated().map { number, tags in
      #"{"type":"Feature","id":"n\#(number)","geometry":{"type":"Point","coordinates":[9.5,47.1]},"properties":{\#(tags)}}"#
    }
    let path = folder.file("gazetteer.db")
    let source = MemorySource(Array(lines.joined(separator: "\n").utf8), name: "test")
    _ = try GazetteerBuilder(path: path).importFeatures(source, name: "street", country: "LI")
    let rows = try GazetteerReader(path: path).autocomplete(AutocompleteRequest(query: "feldkircher strasse 20 ", limit: 5)).rows
    let found = rows.compactMap { $0.primary?.text.split(separator: " ").last.map(String.init) }
    #expect(found.first == "Strasse" && Set(found.dropFirst()) == ["19", "21", "17", "9"])
  }

  /// The ids of the rows for houses and shops in the order of their importance.
  private static func order(_ query: String, _ features: [String]) throws -> [String] {
    let folder = try TemporaryFolder()
    let lines = features.enumerated().map { number, tags in
      #"{"type":"Feature","id":"n\#(number + 1)","geometry":{"type":"Point","coordinates":[9.5,47.1]},"properties":{\#(tags)}}"#
    }
    let path = folder.file("gazetteer.db")
    let source = MemorySource(Array(lines.joined(separator: "\n").utf8), name: "test")
    _ = try GazetteerBuilder(path: path).importFeatures(source, name: "street", country: "LI")
    let rows = try GazetteerReader(path: path).autocomplete(AutocompleteRequest(query: query)).rows
    return rows.compactMap { $0.id?.split(separator: "/").last.map(String.init) }
  }

  @Test("A number in the street's name is not the number of a house", arguments: ["straße des 17. juni 140", "straße des 17. juni 140 "])
  func numberInName(query: String) throws {
    let houses = [17, 19, 135, 145].map { #""addr:street":"Straße des 17. Juni","addr:housenumber":"\#($0)","addr:city":"Berlin""# }
    #expect(try HouseNumberTests.order(query, houses) == ["3", "4", "2", "1"])
  }

  @Test("Shops of a name with a number are not ordered by their house numbers")
  func shops() throws {
    let shops = ["70", "8"].map { ##""name":"7 Eleven","shop":"convenience","addr:street":"Landstrasse","addr:housenumber":"\##($0)""## }
    #expect(try HouseNumberTests.order("7 eleven", shops) == ["1", "2"])
  }

  @Test(
    "A submitted query returns no other house, but the street if the house is unknown",
    arguments: [
      ("landstrasse 3", ["1", "5", "6"]), ("landstrasse 31", ["2"]), ("landstrasse 9", ["7"]), ("landstrasse 1", ["7"]),
      ("landstrasse 33", ["7"]), ("landstrase 3", ["1"]),
    ])
  func typed(query: String, ids: [String]) throws {
    let folder = try TemporaryFolder()
    let rows = try HouseNumberTests.reader(folder).search(SearchRequest(query: query, fields: [])).rows
    #expect(rows.compactMap { $0.id.split(separator: "/").last.map(String.init) } == ids)
  }
}
