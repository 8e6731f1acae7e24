import Foundation
import PlacesKit
import PlacesTesting
import SQLite
import Testing

@testable import GazetteerIndex

/// An index that is damaged, or overwritten while it is read, causes an error and never a crash.
@Suite struct DamagedIndexTests {
  @Test("An impossible number of places is refused", arguments: [-1, 0, 100_000, Int(UInt32.max), .max, .min])
  func places(count: Int) throws {
    let index = try SmallIndex.world()
    try Database(index.path, mode: .readWrite).run("UPDATE meta SET value = ? WHERE key = 'places'", Value(count))
    #expect(throws: GazetteerError.self) { try GazetteerReader(path: index.path) }
  }

  @Test("A file that is truncated or overwritten under a reader is an error", arguments: [0, 100, 8192])
  func cut(length: Int) throws {
    let index = try SmallIndex.world()
    // A guess looks into the prefixes too.
    #expect(try index.ids("berlln").first == "2950159")
    #expect(truncate(index.path, off_t(length)) == 0)
    #expect(throws: GazetteerError.self) { try index.ids("berlln") }
    #expect(throws: GazetteerError.self) { try index.ids("berlin") }
    #expect(throws: GazetteerError.self) { try GazetteerReader(path: index.path).autocomplete(AutocompleteRequest(query: "berlin")) }
  }

  @Test("A build replaces an index with a damaged page and reports what is lost; an import fails and names the old index")
  func badPage() throws {
    let index = try SmallIndex(lines: (1...1_000).map { SmallIndex.line($0, "Place \($0)", "", 1, 1, "DE", "01", 10) })
    try damagePlaces(index.path)
    let faults = try GazetteerReader(path: index.path).check()
    #expect(!faults.isEmpty && faults.allSatisfy { !$0.contains("\n") && !$0.contains("***") }, "\(faults)")
    let damaged = try Data(contentsOf: URL(fileURLWithPath: index.path))
    let dump = try index.folder.write(SmallIndex.line(1, "First", "", 1, 1, "DE", "01", 10), to: "more.txt")
    do throws(GazetteerError) {
      _ = try GazetteerBuilder(path: index.path).importGeoNames(dump)
      Issue.record("an import took away what others brought")
    } catch {
      #expect(error.message.hasPrefix("the gazetteer index \(index.path) cannot be used ("))
      #expect(error.message.hasSuffix("run `placesctl gazetteer build`"))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: index.path)) == damaged)

    var build = try IndexBuild(path: index.path, source: .debian, time: SystemTime(), progress: { _ in }, isCancelled: { false })
    var town = GazetteerRecord(id: "1", name: "Town")
    town.types = ["locality"]
    try build.stage(town)
    try build.finish()
    #expect(build.report.lost == ["geonames"])
    let reader = try GazetteerReader(path: index.path)
    #expect(try reader.info().sources.map(\.name) == ["debian"])
    #expect(try reader.check().isEmpty)
    #expect(try reader.info().places == 1)
  }

  /// Writes over the last page of the table of places.
  private func damagePlaces(_ path: String) throws {
    let database = try Database(path, mode: .readOnly)
    let page = try #require(try database.integer("SELECT max(pageno) FROM dbstat WHERE name = 'place' AND pagetype = 'leaf'"))
    let size = try #require(try database.integer("PRAGMA page_size"))
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seek(toOffset: UInt64((page - 1) * size))
    try file.write(contentsOf: Data(repeating: 0xFF, count: size))
    try file.close()
  }

  @Test("A file that was replaced or removed stays readable")
  func replaced() throws {
    let index = try SmallIndex.world()
    let other = try SmallIndex(lines: [SmallIndex.line(1, "Berlinchen", "", 1, 1, "DE", "", 10)])
    #expect(rename(other.path, index.path) == 0)
    #expect(try index.ids("berlin").first == "2950159")
    #expect(unlink(index.path) == 0)
    #expect(try index.ids("berlin").first == "2950159")
  }

  @Test("Any damage results in rows or in an error with a remedy", arguments: [UInt64](1...4))
  func anyDamage(seed: UInt64) throws {
    let index = try SmallIndex.world()
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: index.path)))
    var random = SeededRandom(seed: seed)
    let section = try Database(index.path, mode: .readOnly).mappedSectionOffset()
    let rounds = ProcessInfo.processInfo.environment["PLACES_PROVE"] == nil ? 40 : 2_000
    for round in 0..<rounds {
      var bytes = whole
      let path = index.folder.file("damaged-\(round).db")
      // In the pages, in the section, a block of zeros or of another place, or a file that is cut.
      switch round % 4 {
      case 0: for _ in 0..<8 { bytes[Int.random(in: 100..<section, using: &random)] = .random(in: 0...255, using: &random) }
      case 1: for _ in 0..<64 { bytes[Int.random(in: section..<(bytes.count - 8), using: &random)] = .random(in: 0...255, using: &random) }
      case 2:
        let (from, to) = (
          Int.random(in: 0..<(bytes.count - 512), using: &random), Int.random(in: 100..<(bytes.count - 512), using: &random)
        )
        bytes.replaceSubrange(to..<(to + 512), with: whole[from..<(from + 512)])
      default: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      }
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      defer { unlink(path) }
      do throws(GazetteerError) {
        let reader = try GazetteerReader(path: path)
        for query in ["berl", "berlni", "münchen de", "pari tex", "52.5,13.4"] {
          _ = try reader.autocomplete(AutocompleteRequest(query: query, countries: query == "berl" ? ["DE"] : []))
        }
        _ = try reader.reverse(ReverseRequest(location: .zero, fields: [.name]))
        _ = try reader.details(DetailsRequest(id: "2950159", fields: Set(PlaceField.allCases)))
        _ = try reader.check()
      } catch {
        #expect(!error.message.isEmpty && error.message.contains(path), "\(error)")
      }
    }
  }
}
