import GazetteerIndex
import PlacesKit
import Testing

/// The last fallbacks of the search.
@Suite struct LastResortTests {
  @Test("Beside a whole name no errors are allowed, and beside nothing also one in the first letter")
  func whollyBesideOthers() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Munch", "", 1, 1, "DE", "", 10), SmallIndex.line(2, "Muncie", "", 1, 1, "US", "", 70_000),
      SmallIndex.line(3, "Punch", "", 1, 1, "IN", "", 40_000), SmallIndex.line(4, "Munchi", "", 1, 1, "IN", "", 5),
      SmallIndex.line(6, "Hövelhof", "", 51, 8, "DE", "", 16_000),
      SmallIndex.line(5, "Munich", "", 48, 11, "DE", "", 1_000_000),
    ])
    #expect(try index.ids("munch") == ["1", "4"])
    #expect(try index.ids("hotel") == [])
    #expect(try index.ids("hoevelhof") == ["6"])
    #expect(try index.ids("hoevlhof") == ["6"])
    // A corrected name must be better known than the typed one.
    #expect(try index.ids("munich") == ["5"])
    #expect(try index.ids("qunch") == ["3", "1"])
  }

  @Test("A typing error before a country is corrected, even if all words together resemble the prefix of a name")
  func errorBeforeCountry() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Berlin", "", 52.52, 13.41, "DE", "", 3_426_354), SmallIndex.line(2, "Berendeyevo", "", 56.6, 39, "RU", "", 2500),
    ])
    #expect(try index.ids("berln de") == ["1", "2"])
    #expect(try index.ids("berlnde") == ["2"])
    // The beginning of a little known name, and a better known corrected name.
    let streets = try SmallIndex(lines: [
      SmallIndex.line(1, "Zürich", "", 47.4, 8.5, "CH", "", 341_730), SmallIndex.line(2, "Zurchstrasse", "", 47.2, 8.5, "CH", "", 300),
    ])
    #expect(try streets.ids("zurch ch") == ["1", "2"])
  }

  @Test(
    "If no place matches all words, a place that some of them name is returned",
    arguments: [
      ("eiffel tower paris", "2988507"), ("10115 Berlin", "2950159"), ("berlin mitte", "2950159"), ("museum near munich", "2867714"),
      ("10 Downing Street Los Angeles", "5368361"), ("80331 munich altstadt", "2867714"),
      ("350 Fifth Avenue, Los Angeles CA 10118", "5368361"),
    ])
  func parts(query: String, id: String) throws {
    let index = try SmallIndex.world()
    #expect(try index.ids(query).first == id)
    #expect(try index.reader.search(SearchRequest(query: query, fields: [])).rows.first?.id == id)
  }

  @Test("A name together with the name of a larger town matches the place near that town; the town follows")
  func nearTown() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "London", "", 51.5085, -0.1257, "GB", "", 8_961_989),
      SmallIndex.line(2, "London", "", 42.98, -81.23, "CA", "", 346_765),
      SmallIndex.line(3, "Soho", "", 51.51, -0.13, "GB", "", 10_000), SmallIndex.line(4, "Soho", "", 10, 10, "CN", "", 300_000),
    ])
    #expect(try index.ids("soho london").prefix(2) == ["3", "1"])
    #expect(try index.ids("london soho").prefix(2) == ["3", "1"])
    #expect(try index.ids("camden london").first == "1")
  }

  @Test("The letter before a postcode is not a prefix")
  func postcodeOfCountry() throws {
    let index = try SmallIndex(
      lines: [
        SmallIndex.line(1, "Berlin", "", 52.52, 13.41, "DE", "16", 3_426_354),
        SmallIndex.line(2, "Dahlem", "", 52.46, 13.29, "DE", "16", 16_000),
      ], regions: ["DE.16\tBerlin\tBerlin\t2950157"])
    #expect(try index.ids("d-10115 berlin").first == "1")
  }

  @Test("Beside unknown words, a name that the row does not show means only a well-known place")
  func otherNames() throws {
    let names = (1...40).map { "Bangalore\($0)" }.joined(separator: ",")
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Bengaluru", "Bangalore,\(names)", 12.97, 77.59, "IN", "", 8_443_675),
      SmallIndex.line(2, "Ryn", "Rhein", 53.9, 21.5, "PL", "", 3000),
      SmallIndex.line(3, "Rhine", "", 10, 10, "NL", "", 1000),
    ])
    #expect(try index.ids("koramangala bangalore") == ["1"])
    #expect(try index.ids("mäuseturm rhein") == [])
  }

  @Test(
    "A text that names no place returns no rows", arguments: ["geo:berlin", "qqq www", "la la land", "asdf", "hotel", "北京", "xberlinx"])
  func nothing(query: String) throws {
    #expect(try SmallIndex.world().ids(query) == [])
  }

  @Test("A city state is returned once, unless regions are requested")
  func cityStates() throws {
    let index = try SmallIndex.world()
    #expect(try index.ids("berlin") == ["2950159", "5083330"])
    #expect(try index.ids("berlin") { $0.limit = 2 } == ["2950159", "5083330"])
    #expect(try index.ids("berlin") { $0.types = ["administrative_area_level_1"] } == ["DE.16"])
  }

  @Test("A city state is returned once, also if its row shows another name than the city's")
  func cityStateByLocalName() throws {
    let index = try SmallIndex(
      lines: [SmallIndex.line(3_067_696, "Prague", "Praha", 50.088, 14.421, "CZ", "52", 1_165_581)],
      regions: ["CZ.52\tPraha\tPraha\t3067695"])
    let map =
      #"{"type":"Feature","id":"n1","geometry":{"type":"Point","coordinates":[14.421,50.088]},"#
      + #""properties":{"place":"city","name":"Praha","name:cs":"Praha","name:en":"Prague"}}"#
    _ = try GazetteerBuilder(path: index.path).importFeatures(MemorySource(Array(map.utf8), name: "test"), name: "map")
    var request = AutocompleteRequest(query: "praha", language: "en")
    request.limit = 5
    #expect(try GazetteerReader(path: index.path).autocomplete(request).rows.map(\.text.text) == ["Prague, Czechia"])
  }
}
