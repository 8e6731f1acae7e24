import GazetteerIndex
import Testing

/// What is found when hardly anything else is.
@Suite struct LastResortTests {
  @Test("Beside what matches as typed, errors count only in whole names and not in the first letter")
  func whollyBesideOthers() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Munch", "", 1, 1, "DE", "", 10), SmallIndex.line(2, "Muncie", "", 1, 1, "US", "", 70_000),
      SmallIndex.line(3, "Punch", "", 1, 1, "IN", "", 40_000), SmallIndex.line(4, "Munchi", "", 1, 1, "IN", "", 5),
      SmallIndex.line(5, "Munich", "", 48, 11, "DE", "", 1_000_000),
    ])
    #expect(try index.ids("munch") == ["1", "4", "5"])
    #expect(try index.ids("qunch") == ["3", "1", "4"])
  }

  @Test("A city that is a state shows once, unless states are asked for")
  func cityStates() throws {
    let index = try SmallIndex.world()
    #expect(try index.ids("berlin") == ["2950159", "5083330"])
    #expect(try index.ids("berlin") { $0.limit = 2 } == ["2950159", "5083330"])
    #expect(try index.ids("berlin") { $0.types = ["administrative_area_level_1"] } == ["DE.16"])
  }
}
