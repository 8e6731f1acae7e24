import PlacesKit
import Testing

@testable import GazetteerIndex

/// A word for a kind of region beside the region's name.
@Suite struct RegionKindTests {
  private static func index() throws -> SmallIndex {
    try SmallIndex(
      lines: [
        SmallIndex.line(1, "New York", "NYC", 40.714, -74.006, "US", "NY", 8_804_190),
        SmallIndex.line(2, "Victoria", "", 28.805, -97.003, "US", "TX", 62_592),
        SmallIndex.line(3, "Canton", "", 40.799, -81.378, "US", "OH", 73_007),
        SmallIndex.line(4, "State College", "", 40.793, -77.86, "US", "PA", 42_034),
        SmallIndex.line(5, "Ludhiana", "", 30.912, 75.854, "IN", "23", 1_545_368),
        SmallIndex.line(6, "Lahore", "", 31.558, 74.351, "PK", "04", 6_310_888),
        SmallIndex.line(7, "Québec", "Quebec City", 46.812, -71.215, "CA", "10", 531_902),
        SmallIndex.line(8, "Bern", "Berne", 46.948, 7.447, "CH", "BE", 121_631),
        SmallIndex.line(9, "Melbourne", "", -37.814, 144.963, "AU", "07", 4_917_750),
      ],
      regions: [
        "US.NY\tNew York\tNew York\t5128638", "US.TX\tTexas\tTexas\t4736286", "US.OH\tOhio\tOhio\t5165418",
        "US.PA\tPennsylvania\tPennsylvania\t6254927", "IN.23\tPunjab\tPunjab\t1259223", "PK.04\tPunjab\tPunjab\t1167710",
        "CA.10\tQuebec\tQuebec\t6115047", "CH.BE\tBern\tBern\t2661551", "AU.07\tVictoria\tVictoria\t2145234",
      ])
  }

  @Test(
    "The region of this kind comes first, while the user types and in a submitted query",
    arguments: [
      ("new york state", "US.NY"), ("NY state", "US.NY"), ("state of new york", "US.NY"), ("québec province", "CA.10"),
      ("province de québec", "CA.10"), ("punjab state", "IN.23"), ("punjab province", "PK.04"), ("kanton bern", "CH.BE"),
      ("victoria state", "AU.07"), ("victoria state, australia", "AU.07"),
    ])
  func region(query: String, id: String) throws {
    let index = try RegionKindTests.index()
    #expect(try index.ids(query).first == id)
    #expect(try index.reader.search(SearchRequest(query: query, fields: [])).rows.first?.id == id)
  }

  @Test(
    "A word for a kind of region may also be a name",
    arguments: [("State College", "4"), ("Canton, Ohio", "3"), ("canton ohio", "3"), ("canton", "3"), ("bern", "8")])
  func name(query: String, id: String) throws {
    #expect(try RegionKindTests.index().ids(query).first == id)
  }

  @Test("A row of such a region has the typed words as a name, and the word for the kind names no other area")
  func evidence() throws {
    let index = try RegionKindTests.index()
    let rows = try index.reader.autocomplete(AutocompleteRequest(query: "victoria state")).rows
    #expect(rows.map(\.id) == ["AU.07"])
    #expect(rows.first?.evidence.otherNames.first == "Victoria, state")
  }

  @Test("Particles after the word are not part of the name")
  func particles() {
    #expect(RegionKinds.split(["canton", "de", "vaud"])?.name == ["vaud"])
    #expect(RegionKinds.split(["canton", "de", "vaud"])?.kindWords == ["canton", "de"])
    #expect(RegionKinds.split(["state", "of"]) == nil && RegionKinds.split(["state"]) == nil)
  }
}
