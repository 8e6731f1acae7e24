import Foundation
import PlacesKit
import PlacesTesting
import SQLite
import Testing

@testable import GazetteerIndex

@Suite struct BuildTests {
  private static let munich = SmallIndex.line(2_867_714, "Munich", "München", 48.137, 11.575, "DE", "02", 1_260_391)
  private static let berlin = SmallIndex.line(2_950_159, "Berlin", "", 52.524, 13.411, "DE", "16", 3_426_354)

  @Test("Damaged lines are skipped, counted and reported with their numbers")
  func badLines() throws {
    let index = try SmallIndex(lines: [
      BuildTests.munich, "nonsense", "", BuildTests.berlin, BuildTests.berlin.replacingOccurrences(of: "52.524", with: "152.524"),
      BuildTests.berlin.replacingOccurrences(of: "3426354", with: "many"),
    ])
    #expect(index.report.taken == 2)
    #expect(index.report.bad == 3)
    #expect(index.report.badRecords.map(\.line) == [2, 5, 6])
    #expect(index.report.badRecords.first?.reason == "1 columns instead of the 19 of a GeoNames dump")
  }

  @Test("A dump may be plain, gzipped or zipped", arguments: ["gzip -k dump.txt", "python3 -m zipfile -c dump.txt.gz dump.txt readme.txt"])
  func packed(command: String) throws {
    let folder = try TemporaryFolder()
    try folder.write([BuildTests.munich, BuildTests.berlin].joined(separator: "\n"), to: "dump.txt")
    try folder.write("not the data", to: "readme.txt")
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", "cd '\(folder.path)' && \(command)"]
    try shell.run()
    shell.waitUntilExit()
    try #require(shell.terminationStatus == 0)
    let report = try GazetteerBuilder(path: folder.file("g.db")).importGeoNames(folder.file("dump.txt.gz"))
    #expect(report.taken == 2)
    #expect(report.bad == 0)
  }

  @Test(
    "A truncated or damaged archive is an error, and only the lock file remains",
    arguments: [[0x1f, 0x8b, 8, 0], [0x50, 0x4b, 3, 4, 0, 0]] as [[UInt8]])
  func damagedArchive(bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: URL(fileURLWithPath: folder.file("dump")))
    #expect(throws: GazetteerError.self) { try GazetteerBuilder(path: folder.file("g.db")).importGeoNames(folder.file("dump")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "g.db.lock" } == ["dump"])
  }

  @Test("An archive with a wrong checksum is damaged")
  func changedArchive() throws {
    let folder = try TemporaryFolder()
    try folder.write(BuildTests.munich, to: "dump.txt")
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    let script = "import zipfile; zipfile.ZipFile('dump.zip', 'w', zipfile.ZIP_STORED).write('dump.txt')"
    shell.arguments = ["-c", "cd '\(folder.path)' && python3 -c \"\(script)\""]
    try shell.run()
    shell.waitUntilExit()
    try #require(shell.terminationStatus == 0)
    let builder = GazetteerBuilder(path: folder.file("g.db"))
    #expect(try builder.importGeoNames(folder.file("dump.zip")).taken == 1)
    var archive = try Data(contentsOf: URL(fileURLWithPath: folder.file("dump.zip")))
    let place = try #require(archive.range(of: Data("Munich".utf8)))
    archive.replaceSubrange(place, with: Data("Munish".utf8))
    try archive.write(to: URL(fileURLWithPath: folder.file("dump.zip")))
    #expect(
      throws: GazetteerError.source(path: "\(folder.file("dump.zip"))(dump.txt)", reason: "the zip archive is damaged")
    ) { try builder.importGeoNames(folder.file("dump.zip")) }
  }

  @Test("A file that is not an index is never replaced; an empty one is", arguments: ["precious", "", "SQLite format 3\0"])
  func foreignFile(text: String) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(text, to: "notes")
    let dump = try folder.write(BuildTests.munich, to: "dump.txt")
    guard !text.isEmpty else {
      #expect(try GazetteerBuilder(path: path).importGeoNames(dump).taken == 1)
      return
    }
    let refusal = GazetteerError.writing(
      path: path, reason: "the existing file is not a gazetteer index; move it away, or choose another path")
    #expect(throws: refusal) { try GazetteerBuilder(path: path).importGeoNames(dump) }
    #expect(throws: refusal) {
      try IndexBuild(path: path, source: .debian, time: SystemTime(), progress: { _ in }, isCancelled: { false }).discard()
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["dump.txt", "notes"])
  }

  @Test("A database of another program is never replaced")
  func foreignDatabase() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("other.db")
    do {
      let database = try Database(path, mode: .readWrite)
      try database.execute("CREATE TABLE precious (x)")
    }
    #expect(throws: GazetteerError.self) { try GazetteerBuilder(path: path).importGeoNames("-") }
    #expect(try Database(path, mode: .readOnly).integer("SELECT count(*) FROM precious") == 0)
  }

  @Test("An import keeps other sources, replaces its own records and merges records of one id")
  func sources() throws {
    let index = try SmallIndex(lines: [BuildTests.munich])
    let builder = GazetteerBuilder(path: index.path)
    func features(_ name: String, _ ids: [Int]) throws -> BuildReport {
      let lines = ids.map {
        #"{"type":"Feature","id":"n\#($0)","geometry":{"type":"Point","coordinates":[11.5,48.1]},"properties":{"name":"Cafe \#($0)","amenity":"cafe"}}"#
      }
      return try builder.importFeatures(MemorySource(Array(lines.joined(separator: "\n").utf8), name: "test"), name: name)
    }
    _ = try features("one", [1, 2])
    _ = try features("two", [2, 3])
    _ = try features("one", [4])
    let reader = try GazetteerReader(path: index.path)
    #expect(try reader.info().sources.map(\.name) == ["geonames", "one", "two"])
    func known(_ id: String) throws -> Bool { try reader.details(DetailsRequest(id: id, fields: [])) != nil }
    #expect(try known("2867714") && known("osm:node/2") && known("osm:node/3") && known("osm:node/4"))
    #expect(try !known("osm:node/1"))
    let shop = try #require(try reader.details(DetailsRequest(id: "osm:node/2", fields: [.name, .formattedAddress])))
    #expect(shop.attributions == [GazetteerSource.openStreetMapCredit])
    #expect(shop.formattedAddress == "Munich, Germany")
  }

  @Test(
    "A source without usable records is an error with the reason, and the index is unchanged",
    arguments: [
      ("", "it is empty"), ("junk", "line 1: "),
      (#"{"type":"Feature","id":"n1","geometry":{"type":"Point","coordinates":[9,47]},"properties":{"amenity":"bench"}}"#, "has a name"),
    ])
  func nothing(_ text: String, _ why: String) throws {
    let index = try SmallIndex(lines: [BuildTests.munich])
    let before = try Data(contentsOf: URL(fileURLWithPath: index.path))
    let source = MemorySource(Array(text.utf8), name: "standard input")
    do throws(GazetteerError) {
      _ = try GazetteerBuilder(path: index.path).importFeatures(source, name: "one")
      Issue.record("nothing was taken, and that is no error")
    } catch {
      #expect(error.message.hasPrefix("standard input: contains no place (") && error.message.contains(why), "\(error.message)")
    }
    let dump = try index.folder.write("", to: "empty.txt")
    #expect(throws: GazetteerError.self) { try GazetteerBuilder(path: index.path).importGeoNames(dump) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: index.path)) == before)
  }

  @Test("A source can be removed by its name, except the last one")
  func remove() throws {
    let index = try SmallIndex(lines: [BuildTests.munich])
    let builder = GazetteerBuilder(path: index.path)
    let cafe =
      #"{"type":"Feature","id":"n1","geometry":{"type":"Point","coordinates":[11.5,48.1]},"properties":{"name":"Cafe","amenity":"cafe"}}"#
    _ = try builder.importFeatures(MemorySource(Array(cafe.utf8), name: "test"), name: "one")
    #expect(throws: GazetteerError.source(path: "two", reason: "no source of the index has this name; it has geonames, one")) {
      try builder.remove("two")
    }
    #expect(try builder.remove("one").places == index.report.places)
    let reader = try GazetteerReader(path: index.path)
    #expect(try reader.info().sources.map(\.name) == ["geonames"])
    #expect(try reader.details(DetailsRequest(id: "osm:node/1", fields: [])) == nil)
    #expect(try reader.details(DetailsRequest(id: "2867714", fields: [])) != nil)
    let error = try #require(throws: GazetteerError.self) { try builder.remove("geonames") }
    #expect(error.message.contains("placesctl gazetteer build") && error.message.hasSuffix("or delete \(index.path)"))
  }

  @Test("The same records give the same ids and answers in any order")
  func stable() throws {
    let one = try SmallIndex(lines: [BuildTests.munich, BuildTests.berlin])
    let other = try SmallIndex(lines: [BuildTests.berlin, BuildTests.munich])
    let request = AutocompleteRequest(query: "b", language: "de")
    #expect(try one.reader.autocomplete(request) == other.reader.autocomplete(request))
  }

  @Test("A cancelled or failed build leaves only the old index")
  func cancelled() throws {
    let index = try SmallIndex(lines: [BuildTests.munich])
    let before = try Data(contentsOf: URL(fileURLWithPath: index.path))
    var calls = 0
    let builder = GazetteerBuilder(
      path: index.path,
      isCancelled: {
        calls += 1
        return calls > 2
      })
    let dump = try index.folder.write(BuildTests.berlin, to: "more.txt")
    #expect(throws: GazetteerError.cancelled) { try builder.importGeoNames(dump) }
    #expect(throws: GazetteerError.self) { try GazetteerBuilder(path: index.path).importGeoNames(index.folder.file("missing.txt")) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: index.path)) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: index.folder.path).allSatisfy { !$0.contains("building") })
  }

  @Test("Progress reports the phases in order") func progress() throws {
    let folder = try TemporaryFolder()
    let dump = try folder.write(BuildTests.berlin, to: "dump.txt")
    var phases: [BuildProgress.Phase] = []
    let builder = GazetteerBuilder(path: folder.file("g.db"), progress: { phases.append($0.phase) })
    _ = try builder.importGeoNames(dump)
    #expect(phases == [.reading, .joining, .writing, .indexing])
  }

  @Test("Missing, foreign and unfinished files are rejected with errors that name a remedy")
  func refuses() throws {
    let folder = try TemporaryFolder()
    #expect(throws: GazetteerError.missing(path: folder.file("none.db"))) { try GazetteerReader(path: folder.file("none.db")) }
    for text in ["", "This is not a database at all, and longer than a header of a hundred bytes would be, so that SQLite looks at it."] {
      let path = try folder.write(text, to: "bad.db")
      let error = try #require(throws: GazetteerError.self) { try GazetteerReader(path: path) }
      #expect(error.message.contains("placesctl gazetteer build"))
    }
  }

  @Test(
    "The advice for an unreadable file is correct: a build replaces only a file that has the signature of an index",
    arguments: ["", "garbage", String(repeating: "SQLite format 3\0", count: 100), "cut"])
  func advice(text: String) throws {
    let index = try SmallIndex(lines: [BuildTests.munich])
    let path = index.folder.file("broken.db")
    let whole = try Data(contentsOf: URL(fileURLWithPath: index.path))
    try (text == "cut" ? whole.prefix(100) : Data(text.utf8)).write(to: URL(fileURLWithPath: path))
    let error = try #require(throws: GazetteerError.self) { try GazetteerReader(path: path) }
    let isReplaced = ["", "cut"].contains(text)
    #expect(error.message.contains("move it away") == !isReplaced)
    #expect(error.message.hasSuffix("run `placesctl gazetteer build`"))
    func build() throws {
      var build = try IndexBuild(path: path, source: .debian, time: SystemTime(), progress: { _ in }, isCancelled: { false })
      try build.stage(GazetteerRecord(id: "1", name: "Town"))
      try build.finish()
    }
    if !isReplaced {
      #expect(throws: GazetteerError.self) { try build() }
      #expect(rename(path, path + ".away") == 0)
    }
    try build()
    #expect(try GazetteerReader(path: path).info().places == 1)
  }

  @Test(
    "A damaged index gives errors or fewer rows, and never traps",
    arguments: 0..<(ProcessInfo.processInfo.environment["PLACES_PROVE"] == nil ? 8 : 2000))
  func damaged(round: Int) throws {
    let index = try SmallIndex.world()
    var random = SeededRandom(seed: UInt64(round))
    var bytes = try Data(contentsOf: URL(fileURLWithPath: index.path))
    for _ in 0..<40 { bytes[Int.random(in: 200..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random) }
    let path = index.folder.file("damaged.db")
    try bytes.write(to: URL(fileURLWithPath: path))
    guard let reader = try? GazetteerReader(path: path) else { return }
    for query in ["b", "berlin de", "münchn", "52.5, 13.4", "2950159", "paris tex"] {
      _ = try? reader.autocomplete(AutocompleteRequest(query: query, language: "de"))
      _ = try? reader.search(SearchRequest(query: query, fields: Set(PlaceField.allCases)))
    }
  }

  @Test("An index with a truncated mapped section is refused", arguments: [0, 8, 200])
  func withoutMappedSection(kept: Int) throws {
    let index = try SmallIndex(lines: [BuildTests.munich])
    #expect(try index.reader.check() == [])
    #expect(try index.reader.info().bytes == index.report.bytes)
    #expect(try index.ids("munihc") == ["2867714"])
    let whole = try Data(contentsOf: URL(fileURLWithPath: index.path))
    let cut = index.folder.file("cut.db")
    try whole.prefix(65_536 * (whole.count / 65_536) + kept).write(to: URL(fileURLWithPath: cut))
    #expect(throws: GazetteerError.damaged(path: cut, reason: "it does not contain the 2 places that its table `meta` states")) {
      try GazetteerReader(path: cut)
    }
  }

  @Test("A check finds a changed bit in the mapped section")
  func damagedTail() throws {
    let index = try SmallIndex(lines: [BuildTests.munich])
    var bytes = try Data(contentsOf: URL(fileURLWithPath: index.path))
    bytes[bytes.count - 100] ^= 1
    let path = index.folder.file("damaged.db")
    try bytes.write(to: URL(fileURLWithPath: path))
    #expect(try GazetteerReader(path: path).check() == ["the section behind the database (columns, prefixes or terms) is damaged"])
  }
}

@Suite struct RecordStreamTests {
  /// Returns its bytes a few at a time.
  private final class Dripping: ByteSource {
    let name = "drip"
    var bytes: ArraySlice<UInt8>
    let step: Int
    init(_ text: String, step: Int) {
      bytes = ArraySlice(Array(text.utf8))
      self.step = step
    }
    var position: (done: Int, total: Int?) { (0, nil) }
    func read() -> [UInt8] {
      defer { bytes = bytes.dropFirst(step) }
      return Array(bytes.prefix(step))
    }
  }

  @Test("Records and line numbers do not depend on the chunks of the input", arguments: [1, 2, 3, 100])
  func dripping(step: Int) throws {
    func records(_ text: String) throws -> [String] {
      var stream = RecordStream(Dripping(text, step: step))
      var found: [String] = []
      while case .bytes(let bytes) = try stream.next() { found.append("\(stream.line) \(String(decoding: bytes, as: UTF8.self))") }
      return found
    }
    #expect(try records("a\n\nb\r\nc") == ["1 a", "3 b", "4 c"])
    #expect(try records("\u{1E}{\"a\":\n1}\n\u{1E}{}\n") == ["1 {\"a\":\n1}", "3 {}"])
    #expect(try records("").isEmpty)
  }
}
