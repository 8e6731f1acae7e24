import GazetteerIndex
import PlacesKit
import PlacesTesting
import Testing

/// Typing errors in the names of well-known places, beside names that the text begins or is.
@Suite struct FamousPlaceTests {
  /// Names of a place in forty languages, which make it well known.
  private static func names(_ name: String) -> String { (1...40).map { "\(name)x\($0)" }.joined(separator: ",") }

  private static func index() throws -> SmallIndex {
    try SmallIndex(
      lines: [
        SmallIndex.line(1, "Chicago", names("Chicago"), 41.85, -87.65, "US", "IL", 2_746_388),
        SmallIndex.line(2, "Chivacoa", "", 10.159, -68.895, "VE", "", 41_000),
        SmallIndex.line(3, "Seattle", names("Seattle"), 47.606, -122.332, "US", "WA", 737_015),
        SmallIndex.line(4, "Sattledorf", "", 48, 13, "AT", "", 500),
        SmallIndex.line(5, "Sarganz", names("Sarganz"), 54.184, 45.175, "RU", "", 299_000),
        SmallIndex.line(6, "Sargans", "", 47.049, 9.441, "CH", "SG", 6000),
        SmallIndex.line(4_140_963, "Washington D.C.", names("Washington D.C. "), 38.895, -77.036, "US", "DC", 689_545),
        SmallIndex.line(8, "Johannesburg", "Joburg,Jozi,Egoli,Gauteng City,Johanesburgo", -26.202, 28.044, "ZA", "06", 4_803_262),
        SmallIndex.line(9, "Chidado", "", 10, 10, "NG", "", 2000),
      ], regions: ["US.WA\tWashington\tWashington\t5815135", "US.DC\tDistrict of Columbia\tDistrict of Columbia\t4138106"])
  }

  @Test(
    "A well-known name with typing errors precedes the beginning of a name that few people know",
    arguments: [("chigaco", "1"), ("sattle", "3"), ("sattl", "4"), ("washingtn", "4140963"), ("chivac", "2"), ("chidado", "9")])
  func first(query: String, id: String) throws {
    #expect(try FamousPlaceTests.index().ids(query).first == id)
  }

  @Test("Beside a whole name as typed, there is no row with a typing error")
  func exact() throws {
    #expect(try FamousPlaceTests.index().ids("sargans") == ["6"])
    #expect(try FamousPlaceTests.index().ids("sargan") == ["5", "6"])
  }

  @Test("If the shown name has a typing error, the beginning of another name is not the matched name")
  func matchedName() throws {
    let row = try #require(
      try FamousPlaceTests.index().reader.autocomplete(AutocompleteRequest(query: "johanesburg", language: "en")).rows.first)
    #expect(row.id == "8" && !row.evidence.otherNames.contains("Johanesburgo"))
  }

  @Test("A word before an unknown number is complete")
  func wordBeforeNumber() throws {
    let index = try SmallIndex(lines: [SmallIndex.line(1, "Zipaquirá", "", 5.022, -74.005, "CO", "", 130_537)])
    #expect(try index.ids("zip 9490") == [] && index.ids("zip") == ["1"])
    #expect(try index.ids("zipaquira 9490") == ["1"])
  }
}
