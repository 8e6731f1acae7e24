import Foundation
import PlacesKit
import PlacesTesting
import SQLite
import Testing
import Text

@testable import GazetteerIndex

/// Rows that the index keeps.
@Suite struct WrittenRowTests {
  /// Towns with names in many scripts, and a house, a shop and a stop with all that maps tell.
  private static func index() throws -> SmallIndex {
    let world = try SmallIndex.world()
    let address = #""addr:street":"Äulestrasse","addr:housenumber":"20","addr:city":"Vaduz","addr:postcode":"9490""#
    let features = [
      #""building":"yes",\#(address)"#,
      #""name":"Coop Größe","shop":"supermarket","phone":"+423 1","website":"https://a.example",\#(address)"#,
      #""name":"Žižkov 12/3","highway":"bus_stop","wikidata":"Q1""#, #""name":"東京 Ōta","railway":"station","name:en":"Ota""#,
    ]
    let text = features.enumerated().map { number, tags in
      #"{"type":"Feature","id":"n\#(number)","geometry":{"type":"Point","coordinates":[9.5,47.1]},"properties":{\#(tags)}}"#
    }.joined(separator: "\n")
    _ = try GazetteerBuilder(path: world.path).importFeatures(MemorySource(Array(text.utf8), name: "test"), name: "map", country: "LI")
    return world
  }

  @Test("A row that the index keeps is the one that is composed, whatever is typed")
  func sameRows() throws {
    let index = try Self.index()
    let reader = try GazetteerReader(path: index.path)
    var kept = 0
    try reader.borrow { (file) throws(SQLiteError) in
      var presenter = Presenter(file: file, language: nil, region: nil)
      for rank in 1...UInt32(file.mapped.places) {
        guard let composed = try presenter.present(rank), let written = try presenter.written(rank) else { continue }
        kept += 1
        for query in ["", "b", "par", "paris", "san fran", "strasse 20", "20 aulestr", "coop gros", "deutschland", "zizkov 12", "ota"] {
          let words = Folding.words(of: query)
          #expect(written.row(matching: words) == composed.row(matching: words), "\(query) at \(rank)")
        }
      }
    }
    // All but what folds to more than ASCII.
    #expect(try reader.info().places - kept <= 1)
  }

  @Test("Rows that are kept are nobody's who asks in a language or a region")
  func others() throws {
    let reader = try SmallIndex.world().reader
    try reader.borrow { (file) throws(SQLiteError) in
      for (language, region) in [("en", nil), (nil, "DE"), ("de", "DE")] as [(String?, String?)] {
        #expect(try Presenter(file: file, language: language, region: region).written(1) == nil)
      }
      #expect(file.mapped.row(0) == nil)
      #expect(file.mapped.row(UInt32(file.mapped.places) + 1) == nil)
    }
  }

  @Test("Kept words match what the folded text matches")
  func sameMatches() throws {
    var random = SeededRandom(seed: 11)
    let pieces = [
      "san", "Straße", "Île", "Łódź", "ﬁn", "São", "e\u{301}a", "12/3", "3191-17", "-", "'", ".", "Мюнхен", "’s", "ßß", "æ", "b", "a", "Ab",
    ]
    for _ in 0..<3_000 {
      let name = (0..<Int.random(in: 1...4, using: &random)).map { _ in pieces.randomElement(using: &random)! }.joined(
        separator: Bool.random(using: &random) ? " " : "")
      guard let words = FoldedNameTable(name) else { continue }
      var writer = ByteWriter()
      words.encode(into: &writer)
      var reader = ByteReader(writer.bytes[...])
      let read = try #require(FoldedNameTable(&reader))
      #expect(reader.isAtEnd)
      let (folded, foldings) = (FoldedText(name), Folding.words(of: name))
      var queries = [foldings, [foldings.joined()], ["a"], ["b", "a"]]
      for _ in 0..<6 {
        queries.append(
          (0..<Int.random(in: 1...3, using: &random)).compactMap { _ in
            let word = foldings.randomElement(using: &random) ?? "a"
            return word.isEmpty ? nil : String(word.prefix(Int.random(in: 1...word.count, using: &random)))
          })
      }
      for query in queries {
        #expect(read.matches(ofWords: query) == folded.matches(ofWords: query), "\(query) in \(name)")
        #expect(read.unmatched(query) == folded.unmatched(query), "\(query) in \(name)")
      }
    }
  }

  @Test("Damaged rows are no rows, and end nothing")
  func damage() throws {
    var random = SeededRandom(seed: 12)
    let index = try Self.index()
    try GazetteerReader(path: index.path).borrow { (file) throws(SQLiteError) in
      for rank in 1...UInt32(file.mapped.places) {
        guard let row = file.mapped.row(rank), let columns = file.mapped.columns(rank) else { continue }
        for _ in 0..<300 {
          var damaged = row
          damaged[Int.random(in: 0..<row.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
          damaged.removeLast(Int.random(in: 0...2, using: &random))
          _ = try WrittenRow.decode(damaged, columns, in: file)?.row(matching: ["a", "20"])
        }
      }
    }
  }

  @Test("What is damaged behind the database gives errors or other rows, and never traps")
  func damagedTail() throws {
    var random = SeededRandom(seed: 13)
    let index = try Self.index()
    let sound = try Data(contentsOf: URL(fileURLWithPath: index.path))
    let path = index.folder.file("damaged.db")
    let database = try Database(index.path, mode: .immutable)
    let tail = try database.mappedSectionOffset()
    var errors = 0
    for _ in 0..<(ProcessInfo.processInfo.environment["PLACES_PROVE"] == nil ? 100 : 20_000) {
      var bytes = sound
      for _ in 0..<Int.random(in: 1...200, using: &random) {
        bytes[Int.random(in: tail..<(bytes.count - 8), using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      try bytes.write(to: URL(fileURLWithPath: path))
      guard let reader = try? GazetteerReader(path: path) else {
        errors += 1
        continue
      }
      for query in ["b", "berlin de", "münchn", "52.5, 13.4", "paris tex", "coop gros", "aulestrasse 20"] {
        do { _ = try reader.autocomplete(AutocompleteRequest(query: query)) } catch { errors += 1 }
        do { _ = try reader.search(SearchRequest(query: query, fields: [.name])) } catch { errors += 1 }
      }
    }
    #expect(errors > 0, "what cannot be read is no empty answer")
  }
}
