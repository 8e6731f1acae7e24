import GazetteerIndex
import PlacesKit
import PlacesTesting
import Testing

/// One of several words has a typing error, and nothing is called by that word.
@Suite struct MistypedWordTests {
  private static func reader(_ folder: TemporaryFolder) throws -> GazetteerReader {
    let features = [
      ("n1", 9.5, 47.16, #""name":"Schaan","place":"town""#), ("n2", 9.52, 47.1, #""name":"Triesen","place":"town""#),
      ("n3", 9.5, 47.161, #""addr:street":"Landstrasse","addr:housenumber":"97","addr:city":"Schaan""#),
      ("n4", 9.52, 47.101, #""addr:street":"Landstrasse","addr:housenumber":"97","addr:city":"Triesen""#),
      ("n5", 9.521, 47.102, #""name":"Café Kloster","amenity":"cafe","addr:city":"Triesen""#),
      ("n6", 9.53, 47.11, #""name":"Triesnerhof","amenity":"restaurant""#),
      ("n7", 9.53, 47.14, #""name":"Oberplanknerstrasse","highway":"residential""#),
    ].map { id, longitude, latitude, tags in
      #"{"type":"Feature","id":"\#(id)","geometry":{"type":"Point","coordinates":[\#(longitude),\#(latitude)]},"properties":{\#(tags)}}"#
    }
    let source = MemorySource(Array(features.joined(separator: "\n").utf8), name: "test")
    let path = folder.file("gazetteer.db")
    _ = try GazetteerBuilder(path: path).importFeatures(source, name: "streets", country: "LI")
    return try GazetteerReader(path: path)
  }

  @Test(
    "A mistyped word is corrected, also if the last word is unfinished",
    arguments: [
      ("landstrase 97 schaan", "3"), ("landstrase 97 triesen", "4"), ("landstrasse 97 triesn", "4"), ("landstrase 97 trisen", "4"),
      ("landstrase 97, 9494 schaan", "1"), ("landstrase 97 scha", "3"),
      // Only the beginning of a long word is corrected.
      ("oberplanknersrtasse", "7"), ("obeplanknerstrasse", "7"),
    ])
  func first(query: String, id: String) throws {
    let folder = try TemporaryFolder()
    let rows = try MistypedWordTests.reader(folder).autocomplete(AutocompleteRequest(query: query)).rows
    #expect(rows.first?.id?.split(separator: "/").last.map(String.init) == id, "\(rows.map(\.text.text))")
  }

  @Test(
    "A word is corrected to one that a place has with the other words, and a name in another language is not a known word",
    arguments: ["gagoz 31 bazers", "gagoz 31 eshen"])
  func besideOthers(query: String) throws {
    let others = ["Bakers", "Bauers", "Bayers", "Bazars", "Baxers", "Badzers"]
    let index = try SmallIndex(
      lines: others.enumerated().map { SmallIndex.line($0 + 1, $1, "", 40, Double($0), "US", "", 5000) }
        + [SmallIndex.line(9, "Heuchin", "Eshen", 50.47, 2.27, "FR", "", 500)])
    let features = [("Balzers", 1), ("Eschen", 2)].map { town, id in
      let tags = #""addr:street":"Gagoz","addr:housenumber":"31","addr:city":"\#(town)""#
      return #"{"type":"Feature","id":"n\#(id)","geometry":{"type":"Point","coordinates":[9.5,47.\#(id)]},"properties":{\#(tags)}}"#
    }
    let source = MemorySource(Array(features.joined(separator: "\n").utf8), name: "test")
    _ = try GazetteerBuilder(path: index.path).importFeatures(source, name: "map", country: "LI")
    let rows = try GazetteerReader(path: index.path).search(SearchRequest(query: query, fields: [])).rows
    #expect(rows.first?.id == (query.hasSuffix("eshen") ? "osm:node/2" : "osm:node/1"), "\(rows.map(\.id))")
    #expect(rows.first?.partialMatch != true)
  }

  @Test(
    "A word that is too short, has another first letter or too many errors is not corrected",
    arguments: [
      ("landstrasse 97 shan", ["3", "4"]), ("kandstrase 97 schaan", ["1"]), ("landstase 97 xchaan", []), ("lndstrse 97 schaan", ["1"]),
      ("landstrase 97 schan trisen", []),
    ])
  func not(query: String, ids: [String]) throws {
    let folder = try TemporaryFolder()
    let rows = try MistypedWordTests.reader(folder).autocomplete(AutocompleteRequest(query: query)).rows
    #expect(rows.compactMap { $0.id?.split(separator: "/").last.map(String.init) } == ids, "\(rows.map(\.text.text))")
  }
}
