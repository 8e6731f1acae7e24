import GazetteerIndex
import PlacesKit
import PlacesTesting
import Testing

@Suite("Places that a map has as many features")
struct StreetFragmentTests {
  private static let lines = [
    SmallIndex.line(1, "Vaduz", "", 47.1410, 9.5215, "LI", "11", 5197), SmallIndex.line(2, "Schaan", "", 47.1650, 9.5087, "LI", "07", 5748),
  ]

  /// `point` is a longitude and a latitude, or several in brackets for a line.
  private func reader(_ features: [(point: String, tags: String)]) throws -> (SmallIndex, GazetteerReader) {
    let index = try SmallIndex(lines: StreetFragmentTests.lines)
    let text = features.enumerated().map { number, feature in
      let type = feature.point.hasPrefix("[") ? "LineString" : "Point"
      return
        #"{"type":"Feature","id":"n\#(number + 10)","geometry":{"type":"\#(type)","coordinates":[\#(feature.point)]},"properties":{\#(feature.tags)}}"#
    }.joined(separator: "\n")
    _ = try GazetteerBuilder(path: index.path).importFeatures(MemorySource(Array(text.utf8), name: "test"), name: "map", country: "LI")
    return (index, try GazetteerReader(path: index.path))
  }

  private func rows(_ query: String, _ reader: GazetteerReader) throws -> [String] {
    try reader.autocomplete(AutocompleteRequest(query: query)).rows.map(\.text.text)
  }

  private static let road = #""name":"Landstrasse","highway":"primary""#
  private static let shop = #""name":"Coop","shop":"supermarket","addr:street":"Landstrasse","addr:housenumber":"117","addr:city":"Vaduz""#

  @Test("A street through two towns is a row in each, before the shops in it")
  func streets() throws {
    let (_, reader) = try reader([
      ("9.5215,47.1420", Self.road), ("9.5210,47.1430", Self.road), ("9.5100,47.1630", Self.road), ("9.5090,47.1640", Self.road),
      ("9.5215,47.1411", Self.shop),
    ])
    #expect(try Set(rows("landstrasse", reader).prefix(2)) == ["Landstrasse, Vaduz, Liechtenstein", "Landstrasse, Schaan, Liechtenstein"])
    for query in ["landstrasse vaduz", "landstrasse vad", "vaduz landstrasse", "landstrase vaduz"] {
      #expect(try rows(query, reader).first == "Landstrasse, Vaduz, Liechtenstein", "\(query)")
    }
    #expect(try rows("landstrasse vaduz", reader).filter { $0.hasPrefix("Landstrasse") }.count == 1)
    #expect(try rows("landstrasse 117 vaduz", reader).first?.hasPrefix("Coop") == true)
  }

  @Test("The platforms of a stop are one row; a stop of the same name elsewhere is another row")
  func stops() throws {
    let stop = #""name":"Vaduz Post","highway":"bus_stop""#
    let (_, reader) = try reader([("9.5215,47.1410", stop), ("9.5218,47.1414", stop), ("9.5225,47.1420", stop), ("9.55,47.16", stop)])
    #expect(try rows("vaduz post", reader).count == 2)
  }

  @Test("Features of one name and type close together are one row; others have another type, another address or are far away")
  func features() throws {
    func place(_ point: String, _ tags: String) -> (String, String) { (point, #""name":"Rheinparkstadion",\#(tags)"#) }
    let (_, reader) = try reader([
      place("9.5100,47.1402", #""leisure":"stadium""#), place("9.5104,47.1405", #""leisure":"stadium""#),
      place("9.5104,47.1405", #""shop":"sports","addr:street":"Rheinweg","addr:housenumber":"2""#),
      place("9.5104,47.1445", #""leisure":"stadium""#), place("9.5101,47.1402", #""shop":"sports""#),
      place("9.5102,47.1402", #""shop":"sports","addr:street":"Rheinweg","addr:housenumber":"4""#),
    ])
    let found = try reader.autocomplete(AutocompleteRequest(query: "rheinparkstadion")).rows
    #expect(Set(found.compactMap(\.id)) == ["osm:node/10", "osm:node/12", "osm:node/13", "osm:node/15"])
  }

  @Test("A place takes the nearest town of its own country, also if a foreign town is nearer")
  func border() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("g.db")
    let dump = [
      SmallIndex.line(1, "Schaan", "", 47.165, 9.5087, "LI", "07", 5748),
      SmallIndex.line(2, "Buchs", "", 47.167, 9.478, "CH", "SG", 13_000),
    ]
    _ = try GazetteerBuilder(path: path).importGeoNames(try folder.write(dump.joined(separator: "\n") + "\n", to: "dump.txt"))
    func feature(_ country: String, _ number: Int) -> String {
      """
      {"type":"Feature","id":"n\(number)","geometry":{"type":"Point","coordinates":[9.488,47.167]},
       "properties":{"name":"Rheindenkmal \(number)","historic":"monument"\(country)}}
      """.replacing("\n", with: "")
    }
    let features = [feature("", 1), feature(#","addr:country":"CH""#, 2)].joined(separator: "\n")
    _ = try GazetteerBuilder(path: path).importFeatures(MemorySource(Array(features.utf8), name: "test"), name: "map", country: "LI")
    let found = try rows("rheindenkmal", GazetteerReader(path: path))
    #expect(Set(found) == ["Rheindenkmal 1, Schaan, Liechtenstein", "Rheindenkmal 2, Buchs, Switzerland"])
  }

  @Test("The sign of a country before a postcode is not a name", arguments: ["FL-9490", "FL 9490 Vaduz", "Äulestrasse 1, FL-9490 Vaduz"])
  func postcodeSigns(query: String) throws {
    let (_, reader) = try reader([
      ("9.5215,47.1410", #""addr:street":"Äulestrasse","addr:housenumber":"1","addr:postcode":"9490","addr:city":"Vaduz""#),
      ("9.5216,47.1410", #""addr:street":"Äulestrasse","addr:housenumber":"2","addr:postcode":"9490","addr:city":"Vaduz""#),
    ])
    let plain = query.replacing("FL", with: "").replacing("-", with: "")
    let found = try reader.search(SearchRequest(query: query, fields: [])).rows
    #expect(try Set(found.map(\.id)) == Set(reader.search(SearchRequest(query: plain, fields: [])).rows.map(\.id)))
    #expect(!found.isEmpty && found.allSatisfy { $0.partialMatch != true })
    // The data has no German postcodes.
    #expect(try reader.search(SearchRequest(query: "D-10115", fields: [])).rows.isEmpty)
  }

  @Test("The segments of a river are one row in any order; another brook of the same name is another row")
  func watercourses() throws {
    func brook(_ line: String) -> (String, String) { (line, #""name":"Dorfbach","waterway":"stream""#) }
    let (_, reader) = try reader([
      brook("[9.50,47.10],[9.51,47.11],[9.52,47.12]"), brook("[9.54,47.14],[9.55,47.15],[9.56,47.16]"),
      brook("[9.5204,47.1203],[9.53,47.13],[9.54,47.14]"), brook("[9.50,47.11],[9.505,47.115],[9.51,47.12]"),
      ("[9.52,47.12],[9.53,47.11]", #""name":"Dorfbach","highway":"service""#),
    ])
    let found = try reader.autocomplete(AutocompleteRequest(query: "dorfbach")).rows
    #expect(Set(found.compactMap(\.id)) == ["osm:node/10", "osm:node/13", "osm:node/14"])
  }

  @Test("An information board is not a visitor centre", arguments: [("board", 0), ("guidepost", 0), ("map", 0), ("office", 1)])
  func boards(kind: String, count: Int) throws {
    let (_, reader) = try reader([
      ("9.5215,47.1410", Self.shop), ("9.5215,47.1410", #""name":"Drei Schwestern","tourism":"information","information":"\#(kind)""#),
    ])
    #expect(try rows("drei schwestern", reader).count == count)
  }

  @Test(
    "A town is found by the postcodes of the addresses in it, before these", arguments: ["9490 vaduz", "vaduz 9490", "9490 vad", "9490"])
  func postcodes(query: String) throws {
    func house(_ number: Int, _ code: String, _ town: String) -> String {
      #""addr:street":"Aulestrasse","addr:housenumber":"\#(number)","addr:postcode":"\#(code)","addr:city":"\#(town)""#
    }
    let (_, reader) = try reader([
      ("9.5215,47.1410", house(1, "9490", "Vaduz")), ("9.5216,47.1410", house(2, "9490", "Vaduz")),
      ("9.51,47.16", house(3, "9494", "Schaan")),
      ("9.51,47.16", house(4, "9494", "Schaan")), ("9.51,47.161", house(5, "9490", "Schaan")),
    ])
    #expect(try rows(query, reader).first == "Vaduz, Liechtenstein")
    #expect(try rows("9494 schaan", reader).first == "Schaan, Liechtenstein")
    #expect(try rows("9490 schaan", reader).first?.hasPrefix("Aulestrasse 5") == true)
    #expect(try reader.autocomplete(AutocompleteRequest(query: "9490")).rows.first?.evidence.otherNames.first == "Vaduz, 9490")
  }
}
