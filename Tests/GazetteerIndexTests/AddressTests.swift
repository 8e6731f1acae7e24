import GazetteerIndex
import PlacesKit
import PlacesTesting
import Testing

@Suite("A place with the name precedes places that lie there")
struct AddressTests {
  /// A town with a house, shops in it, stops that are called like the town, and much that only lies in it.
  private static func reader() throws -> (SmallIndex, GazetteerReader) {
    let index = try SmallIndex(lines: [SmallIndex.line(1, "Vaduz", "", 47.1410, 9.5215, "LI", "11", 5197)])
    let address = #""addr:street":"Äulestrasse","addr:housenumber":"20","addr:city":"Vaduz","addr:postcode":"9490""#
    let features = [
      #""building":"yes",\#(address)"#, #""name":"Coop","shop":"supermarket",\#(address)"#,
      #""name":"Hauptbahnhof","railway":"station",\#(address)"#, #""name":"Vaduz Post","highway":"bus_stop""#,
      #""name":"AXA Vaduz","office":"insurance",\#(address)"#, #""name":"Äulestrasse","highway":"residential""#,
    ]
    let sights = (1...20).map { #""name":"Figure \#($0)","tourism":"museum""# }
    let text = (features + sights).enumerated().map { number, tags in
      #"{"type":"Feature","id":"n\#(number + 1)","geometry":{"type":"Point","coordinates":[9.5215,47.141]},"properties":{\#(tags)}}"#
    }.joined(separator: "\n")
    _ = try GazetteerBuilder(path: index.path).importFeatures(MemorySource(Array(text.utf8), name: "test"), name: "map", country: "LI")
    return (index, try GazetteerReader(path: index.path))
  }

  @Test(
    "A house precedes the shops in it for every prefix of its address",
    arguments: [
      "äulestrasse 20", "aulestrasse 20", "Äulestrasse 20 vaduz", "äulestrasse 20, 9490 vaduz", "20 äulestrasse vaduz",
      "vaduz äulestrasse 20", "äulestrasse 20 vad", "Äulestrasse 20, 9490 Vaduz, Liechtenstein",
    ])
  func houses(query: String) throws {
    let (_, reader) = try Self.reader()
    let expected: Set = ["osm:node/2", "osm:node/3", "osm:node/5"]
    let typed = try reader.autocomplete(AutocompleteRequest(query: query)).rows.compactMap(\.id)
    #expect(typed.first == "osm:node/1")
    #expect(Set(typed.dropFirst().prefix(3)) == expected)
    let searched = try reader.search(SearchRequest(query: query, fields: [])).rows.map(\.id)
    #expect(searched.first == "osm:node/1")
    #expect(Set(searched.dropFirst().prefix(3)) == expected)
  }

  @Test(
    "If a town has no house of the typed number, its street is found, and not only the house in a town whose name begins alike",
    arguments: [true, false])
  func townWithoutNumber(areTownsRegions: Bool) throws {
    let index = try SmallIndex(
      lines: [
        SmallIndex.line(1, "Triesen", "", 47.107, 9.528, "LI", "09", 5000),
        SmallIndex.line(2, "Triesenberg", "", 47.118, 9.543, "LI", "10", 2600),
      ],
      regions: !areTownsRegions ? [] : ["LI.09\tTriesen\tTriesen\t11", "LI.10\tTriesenberg\tTriesenberg\t12"])
    let features = [
      ("9.5281,47.1071", #""name":"Landstrasse","highway":"residential""#),
      ("9.5282,47.1072", #""building":"yes","addr:street":"Landstrasse","addr:housenumber":"40","addr:city":"Triesen""#),
      ("9.5431,47.1181", #""building":"yes","addr:street":"Landstrasse","addr:housenumber":"50","addr:city":"Triesenberg""#),
    ]
    let text = features.enumerated().map { number, feature in
      #"{"type":"Feature","id":"n\#(number + 1)","geometry":{"type":"Point","coordinates":[\#(feature.0)]},"properties":{\#(feature.1)}}"#
    }.joined(separator: "\n")
    _ = try GazetteerBuilder(path: index.path).importFeatures(MemorySource(Array(text.utf8), name: "test"), name: "map", country: "LI")
    let reader = try GazetteerReader(path: index.path)
    func typed(_ query: String) throws -> [String] { try reader.autocomplete(AutocompleteRequest(query: query)).rows.compactMap(\.id) }
    let rows = try typed("landstrasse 50 triesen")
    #expect(rows == ["osm:node/3", "osm:node/1", "osm:node/2"])
    #expect(try typed("landstrasse 50 triesenb") == ["osm:node/3"])
    let submitted = try reader.search(SearchRequest(query: "landstrasse 50 triesen", fields: [])).rows.map(\.id)
    #expect(submitted == ["osm:node/1", "osm:node/2", "osm:node/3"])
  }

  @Test("Names that contain the name of a town precede places in the town", arguments: ["vaduz", "vadu", "vaduz liechtenstein"])
  func towns(query: String) throws {
    let (_, reader) = try Self.reader()
    let typed = try reader.autocomplete(AutocompleteRequest(query: query)).rows.compactMap(\.id)
    #expect(typed.first == "1")
    #expect(Set(typed.dropFirst().prefix(2)) == ["osm:node/4", "osm:node/5"])
    #expect(typed.count == 10)
    let searched = try reader.search(SearchRequest(query: query, fields: [])).rows.map(\.id)
    #expect(Set(searched.prefix(3)) == ["1", "osm:node/4", "osm:node/5"])
  }

  @Test("A place in a town is found by its own words and those of the town", arguments: ["figure 7 vaduz", "vaduz figure 7"])
  func both(query: String) throws {
    let (_, reader) = try Self.reader()
    #expect(try reader.autocomplete(AutocompleteRequest(query: query)).rows.first?.primary?.text == "Figure 7")
  }
}
