import GazetteerIndex
import PlacesKit
import PlacesTesting
import Testing

/// The town, region and country that places of a map take from the towns around them.
@Suite struct TownGridTests {
  private func reader(_ lines: [String], _ features: [String], _ folder: TemporaryFolder) throws -> GazetteerReader {
    let path = folder.file("gazetteer.db")
    _ = try GazetteerBuilder(path: path).importGeoNames(try folder.write(lines.joined(separator: "\n") + "\n", to: "dump.txt"))
    _ = try GazetteerBuilder(path: path).importFeatures(
      MemorySource(Array(features.joined(separator: "\n").utf8), name: "test"), name: "map")
    return try GazetteerReader(path: path)
  }

  private func feature(_ id: Int, _ longitude: Double, _ latitude: Double, _ tags: String) -> String {
    #"{"type":"Feature","id":"n\#(id)","geometry":{"type":"Point","coordinates":[\#(longitude),\#(latitude)]},"properties":{\#(tags)}}"#
  }

  @Test("A town takes the country of a town 50 km away, also in the north, where that is three cells")
  func north() throws {
    let folder = try TemporaryFolder()
    let reader = try reader(
      [SmallIndex.line(1, "Kajaani", "", 64.2, 26.52, "FI", "", 300)], [feature(1, 25.49, 64.2, #""place":"village","name":"Pelso""#)],
      folder)
    let row = try reader.autocomplete(AutocompleteRequest(query: "pelso", language: "en")).rows.first
    #expect(row?.text.text == "Pelso, Finland")
  }

  @Test("An address has the country of the town that it names, also if a larger town abroad is near")
  func named() throws {
    let folder = try TemporaryFolder()
    let reader = try reader(
      [SmallIndex.line(1, "Vaduz", "", 47.1415, 9.5215, "LI", "", 500), SmallIndex.line(2, "Buchs", "", 47.167, 9.478, "CH", "", 130_000)],
      [feature(1, 9.5, 47.155, #""addr:street":"Rheinweg","addr:housenumber":"2","addr:city":"Vaduz""#)], folder)
    let row = try reader.autocomplete(AutocompleteRequest(query: "rheinweg 2", language: "en")).rows.first
    #expect(row?.text.text == "Rheinweg 2, Vaduz, Liechtenstein")
  }

  @Test("An address with a country and a town takes the region of the town that it names, or else of the nearest one")
  func region() throws {
    let index = try SmallIndex(
      lines: [
        SmallIndex.line(1, "Neu-Ulm", "", 48.393, 10.011, "DE", "02", 60_000),
        SmallIndex.line(2, "Ulm", "", 48.398, 9.991, "DE", "01", 126_000),
      ], regions: ["DE.01\tBaden-Württemberg\tBaden-Wurttemberg\t2953481", "DE.02\tBavaria\tBavaria\t2951839"])
    let features = [("Neu-Ulm", 9.992, 48.397), ("Nova Ulma", 10.011, 48.393)].enumerated().map { number, row in
      feature(number + 1, row.1, row.2, #""addr:street":"Insel","addr:housenumber":"2","addr:city":"\#(row.0)""#)
    }
    let source = MemorySource(Array(features.joined(separator: "\n").utf8), name: "test")
    _ = try GazetteerBuilder(path: index.path).importFeatures(source, name: "map", country: "DE")
    let reader = try GazetteerReader(path: index.path)
    for id in ["osm:node/1", "osm:node/2"] {
      let place = try reader.details(DetailsRequest(id: id, fields: [], language: "en"))
      #expect(place?.evidence.region == "Bavaria", "\(id)")
    }
  }
}
