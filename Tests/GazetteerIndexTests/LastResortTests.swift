import GazetteerIndex
import PlacesKit
import Testing

/// What is found when hardly anything else is.
@Suite struct LastResortTests {
  @Test("Beside what matches as typed, errors count only in whole names and not in the first letter")
  func whollyBesideOthers() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Munch", "", 1, 1, "DE", "", 10), SmallIndex.line(2, "Muncie", "", 1, 1, "US", "", 70_000),
      SmallIndex.line(3, "Punch", "", 1, 1, "IN", "", 40_000), SmallIndex.line(4, "Munchi", "", 1, 1, "IN", "", 5),
      SmallIndex.line(6, "Hövelhof", "", 51, 8, "DE", "", 16_000),
      SmallIndex.line(5, "Munich", "", 48, 11, "DE", "", 1_000_000),
    ])
    #expect(try index.ids("munch") == ["1", "4", "5"])
    #expect(try index.ids("hotel") == [])
    #expect(try index.ids("hoevelhof") == ["6"])
    #expect(try index.ids("hoevlhof") == ["6"])
    // What is less known than what was typed is not what was meant.
    #expect(try index.ids("munich") == ["5"])
    #expect(try index.ids("qunch") == ["3", "1"])
  }

  @Test("A typing error is mended in what a country leaves of the words, also where all of them together nearly begin a name")
  func errorBeforeCountry() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Berlin", "", 52.52, 13.41, "DE", "", 3_426_354), SmallIndex.line(2, "Berendeyevo", "", 56.6, 39, "RU", "", 2500),
    ])
    #expect(try index.ids("berln de") == ["1", "2"])
    #expect(try index.ids("berlnde") == ["2"])
    // Beside something little known that matches as it is, as beside a name alone.
    let streets = try SmallIndex(lines: [
      SmallIndex.line(1, "Zürich", "", 47.4, 8.5, "CH", "", 341_730), SmallIndex.line(2, "Zurchstrasse", "", 47.2, 8.5, "CH", "", 300),
    ])
    #expect(try streets.ids("zurch ch") == ["2", "1"])
  }

  @Test(
    "Where the words match nothing together, a place that some of them name is given",
    arguments: [
      ("eiffel tower paris", "2988507"), ("10115 Berlin", "2950159"), ("berlin mitte", "2950159"), ("museum near munich", "2867714"),
      ("10 Downing Street Los Angeles", "5368361"), ("80331 munich altstadt", "2867714"),
    ])
  func parts(query: String, id: String) throws {
    let index = try SmallIndex.world()
    #expect(try index.ids(query).first == id)
    #expect(try index.reader.search(SearchRequest(query: query, fields: [])).rows.first?.id == id)
  }

  @Test("What names nothing finds nothing", arguments: ["geo:berlin", "qqq www", "la la land", "asdf", "hotel", "北京", "xberlinx"])
  func nothing(query: String) throws {
    #expect(try SmallIndex.world().ids(query) == [])
  }

  @Test("A city that is a state shows once, unless states are asked for")
  func cityStates() throws {
    let index = try SmallIndex.world()
    #expect(try index.ids("berlin") == ["2950159", "5083330"])
    #expect(try index.ids("berlin") { $0.limit = 2 } == ["2950159", "5083330"])
    #expect(try index.ids("berlin") { $0.types = ["administrative_area_level_1"] } == ["DE.16"])
  }
}
