import PlacesKit
import Testing

@testable import GazetteerIndex

@Suite("Own names and other names")
struct RenownTests {
  private static let others = (1...18).map { "Vaduc\($0)" }.joined(separator: ",")

  private func world() throws -> SmallIndex {
    try SmallIndex(
      lines: [
        SmallIndex.line(1, "Paris", "Bali,Lutetia", 48.853, 2.349, "FR", "11", 2_138_551),
        SmallIndex.line(2, "Bāli", "", 22.65, 88.34, "IN", "28", 296_973),
        SmallIndex.line(3, "Denpasar", "", -8.65, 115.217, "ID", "02", 834_881),
        SmallIndex.line(4, "Badung", "", -8.58, 115.17, "ID", "02", 3_400_000),
        SmallIndex.line(5, "Hong Kong", "Victoria", 22.28, 114.16, "HK", "00", 7_491_609),
        SmallIndex.line(6, "Victoria", "", 48.43, -123.37, "CA", "02", 289_625),
        SmallIndex.line(7, "Vaduz", RenownTests.others, 47.141, 9.521, "LI", "11", 5_197),
        SmallIndex.line(8, "Vadugappatti", "", 9.2, 77.6, "IN", "25", 13_204),
        SmallIndex.line(9, "Bern", "Berna", 46.948, 7.447, "CH", "BE", 133_883),
        SmallIndex.line(10, "Bernau", "", 52.67, 13.58, "DE", "11", 40_000),
      ],
      regions: ["ID.02\tBali\tBali\t1650535", "CH.BE\tBern\tBern\t2661551"])
  }

  @Test(
    "A place's own name precedes another place's other name, a region precedes a suburb, and a well-known place precedes an unknown one",
    arguments: [
      ("bali", ["ID.02", "2", "1"]), ("victoria", ["6", "5"]), ("vadu", ["7", "8"]), ("lutetia", ["1"]), ("bern", ["9", "CH.BE", "10"]),
    ])
  func order(query: String, ids: [String]) throws {
    #expect(try world().ids(query) { $0.types = ["locality", "administrative_area_level_1"] } == ids)
  }

  @Test("More names make a place more important, and no place more than 1")
  func importance() {
    var record = GazetteerRecord(id: "1", name: "x")
    record.types = ["locality"]
    record.population = 20_000_000_000
    var last = record.importance
    for count in [1, 10, 99, 5_000] {
      record.otherNames = Array(repeating: "y", count: count)
      #expect(record.importance >= last && record.importance <= 1)
      last = record.importance
    }
    #expect(last == 1)
  }
}
