import Glibc
import PlacesKit
import SQLite
import Testing

@testable import GazetteerIndex

/// An index that is damaged, or that somebody writes over while it is read, is an error and never the end of the daemon.
@Suite struct DamagedIndexTests {
  @Test("A number of places that cannot be is refused", arguments: [-1, 0, 100_000, Int(UInt32.max), .max, .min])
  func places(count: Int) throws {
    let index = try SmallIndex.world()
    try Database(index.path, mode: .readWrite).run("UPDATE meta SET value = ? WHERE key = 'places'", Value(count))
    #expect(throws: GazetteerError.self) { try GazetteerReader(path: index.path) }
  }

  @Test("A file that is cut or written over under a reader is an error", arguments: [0, 100, 8192])
  func cut(length: Int) throws {
    let index = try SmallIndex.world()
    // A guess looks into the prefixes too.
    #expect(try index.ids("berlln").first == "2950159")
    #expect(truncate(index.path, off_t(length)) == 0)
    #expect(throws: GazetteerError.self) { try index.ids("berlln") }
    #expect(throws: GazetteerError.self) { try index.ids("berlin") }
    #expect(throws: GazetteerError.self) { try GazetteerReader(path: index.path).autocomplete(AutocompleteRequest(query: "berlin")) }
  }

  @Test("A file that another replaced, or that was removed, is read on")
  func replaced() throws {
    let index = try SmallIndex.world()
    let other = try SmallIndex(lines: [SmallIndex.line(1, "Berlinchen", "", 1, 1, "DE", "", 10)])
    #expect(rename(other.path, index.path) == 0)
    #expect(try index.ids("berlin").first == "2950159")
    #expect(unlink(index.path) == 0)
    #expect(try index.ids("berlin").first == "2950159")
  }
}
