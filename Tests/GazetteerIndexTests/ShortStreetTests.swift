import GazetteerIndex
import PlacesKit
import PlacesTesting
import Testing

@Suite("Streets as people write them short")
struct ShortStreetTests {
  private static func index() throws -> (folder: TemporaryFolder, reader: GazetteerReader) {
    func feature(_ id: Int, _ tags: String, _ longitude: Double, _ latitude: Double) -> String {
      """
      {"type":"Feature","id":"n\(id)","geometry":{"type":"Point","coordinates":[\(longitude),\(latitude)]},"properties":{\(tags)}}
      """
    }
    func town(_ id: Int, _ name: String, _ place: String, _ longitude: Double, _ latitude: Double) -> String {
      feature(id, #""place":"\#(place)","name":"\#(name)""#, longitude, latitude)
    }
    func street(_ id: Int, _ name: String, _ town: String, _ longitude: Double, _ latitude: Double) -> String {
      feature(id, #""highway":"residential","name":"\#(name)","addr:city":"\#(town)""#, longitude, latitude)
    }
    let features = [
      town(1, "London", "city", -0.12, 51.5), street(2, "Rose Street", "London", -0.124, 51.512),
      street(3, "Abbey Road", "London", -0.18, 51.535),
      feature(4, #""addr:street":"Rose Street","addr:housenumber":"12","addr:city":"London","building":"yes""#, -0.1241, 51.5121),
      town(5, "New York", "city", -74, 40.7), street(6, "5th Avenue", "New York", -73.98, 40.75),
      town(7, "Paris", "city", 2.35, 48.85), street(8, "Boulevard Saint-Germain", "Paris", 2.34, 48.853),
      street(9, "Avenue Foch", "Paris", 2.28, 48.872), street(10, "Place Vendôme", "Paris", 2.33, 48.867),
      town(11, "St Albans", "town", -0.33, 51.75), town(12, "Saint-Denis", "town", 2.36, 48.94),
      town(13, "Sainte-Marie", "town", -61.7, 16.3),
      // Where a word is as it was typed, nothing else is meant.
      street(14, "Rose Street Lane", "Edinburgh", -3.2, 55.95), town(15, "Mont St Michel", "village", -1.51, 48.63),
    ]
    let folder = try TemporaryFolder()
    let source = MemorySource(Array(features.joined(separator: "\n").utf8), name: "test")
    _ = try GazetteerBuilder(path: folder.file("g.db")).importFeatures(source, name: "test")
    return (folder, try GazetteerReader(path: folder.file("g.db")))
  }

  @Test(
    "A street is found, and a saint and his town stay what they are",
    arguments: [
      ("rose st london", 2), ("rose st, london", 2), ("rose st 12", 4), ("12 rose st london", 4), ("abbey rd", 3),
      ("abbey rd. london", 3), ("5th ave", 6), ("5th ave new york", 6), ("bd saint germain", 8), ("blvd st germain paris", 8),
      ("bd st. germain", 8), ("boulevard saint germain", 8), ("av foch paris", 9), ("pl vendome paris", 10), ("st albans", 11),
      ("st denis", 12), ("ste marie", 13), ("mont st michel", 15), ("mont saint michel", 15),
    ])
  func found(query: String, id: Int) throws {
    let (folder, reader) = try Self.index()
    defer { withExtendedLifetime(folder) {} }
    #expect(try reader.autocomplete(AutocompleteRequest(query: query)).rows.first?.id == "osm:node/\(id)")
    #expect(try reader.search(SearchRequest(query: query, fields: [])).rows.first?.id == "osm:node/\(id)")
  }
}
