import GazetteerIndex
import PlacesKit
import PlacesTesting
import Testing

@Suite("Addresses of a map in the usual notations")
struct WrittenApartTests {
  /// The same street in two villages, one of them without the requested house.
  private static func reader(_ folder: TemporaryFolder) throws -> GazetteerReader {
    func feature(_ number: Int, _ tags: String, _ latitude: Double = 47.1) -> String {
      #"{"type":"Feature","id":"n\#(number)","geometry":{"type":"Point","coordinates":[9.5,\#(latitude)]},"properties":{\#(tags)}}"#
    }
    func house(_ street: String, _ number: String, _ town: String, _ more: String = "") -> String {
      #""addr:street":"\#(street)","addr:housenumber":"\#(number)","addr:city":"\#(town)"\#(more)"#
    }
    let features = [
      feature(1, house("Dorfstrasse", "60", "Ruggell"), 47.24), feature(2, house("Dorfstrasse", "60", "Triesen"), 47.11),
      feature(3, #""name":"Landstrasse","highway":"residential","addr:city":"Schaan""#, 47.165),
      feature(4, house("Reberastrasse", "10", "Schaan", #","name":"Brunharthaus","building":"house""#), 47.165),
      feature(5, house("Feldkircher Strasse", "52", "Schaan"), 47.166),
      feature(6, #""name":"Schaan","place":"village""#, 47.165), feature(7, #""name":"Ruggell","place":"village""#, 47.24),
      feature(8, #""name":"Triesen","place":"village""#, 47.11),
      feature(10, house("Hof Strasse", "70", "Ruggell", #","name":"Töpferei","shop":"pottery""#), 47.24),
      feature(11, house("Alte Hofstrasse", "70", "Balzers"), 47.06),
      feature(9, house("Hofstrasse", "12", "Triesen", #","name":"Kapelle","amenity":"place_of_worship""#), 47.11),
    ]
    let path = folder.file("gazetteer.db")
    let source = MemorySource(Array(features.joined(separator: "\n").utf8), name: "test")
    _ = try GazetteerBuilder(path: path).importFeatures(source, name: "map", country: "LI")
    return try GazetteerReader(path: path)
  }

  @Test(
    "A street written as one or two words is found in the typed town; for an unknown house number the street comes first",
    arguments: [
      ("dorfstrasse 60 triesen", "2"), ("dorf strasse 60 triesen", "2"), ("triesen dorf strasse 60", "2"),
      ("feldkircherstr. 52 schaan", "5"), ("feldkircher str 52 schaan", "5"), ("landstrasse 9999 schaan", "3"),
      ("landstrasse 10, 9494 schaan", "3"), ("hof strasse 12 triesen", "9"),
    ])
  func found(query: String, id: String) throws {
    let folder = try TemporaryFolder()
    let reader = try WrittenApartTests.reader(folder)
    #expect(try reader.autocomplete(AutocompleteRequest(query: query)).rows.first?.id == "osm:node/\(id)")
    #expect(try reader.search(SearchRequest(query: query, fields: [])).rows.first?.id == "osm:node/\(id)")
  }

  @Test("Both spellings of a street find the places with either", arguments: ["hofstrasse 70", "hof strasse 70", "hof-str. 70"])
  func together(query: String) throws {
    let folder = try TemporaryFolder()
    let found = try WrittenApartTests.reader(folder).search(SearchRequest(query: query, fields: [])).rows
    #expect(Set(found.map(\.id)) == ["osm:node/10", "osm:node/11"])
  }

  @Test("A named house shows its address beside the name; an unnamed one shows it once")
  func shown() throws {
    let folder = try TemporaryFolder()
    let reader = try WrittenApartTests.reader(folder)
    let named = try reader.autocomplete(AutocompleteRequest(query: "reberastrasse 10 schaan")).rows.first
    #expect(named?.text.text == "Brunharthaus, Reberastrasse 10, Schaan, Liechtenstein")
    let plain = try reader.autocomplete(AutocompleteRequest(query: "dorfstrasse 60 triesen")).rows.first
    #expect(plain?.text.text == "Dorfstrasse 60, Triesen, Liechtenstein")
  }
}
