import Foundation
import PlacesKit
import PlacesTesting
import SQLite
import Testing

@testable import GazetteerIndex

/// Builds with unusual numbers, unusual files and concurrent builds.
@Suite struct BuildFaultTests {
  @Test("Features of a map do not replace GeoNames records", arguments: ["debian", "geonames"])
  func reservedNames(name: String) throws {
    let index = try SmallIndex(lines: [SmallIndex.line(1, "Vaduz", "", 47.1, 9.5, "LI", "", 5_000)])
    let feature = #"{"type":"Feature","properties":{"name":"X","shop":"yes"},"geometry":{"type":"Point","coordinates":[1,2]}}"#
    #expect(throws: GazetteerError.self) {
      try GazetteerBuilder(path: index.path).importFeatures(MemorySource(Array(feature.utf8), name: "test"), name: name)
    }
    #expect(try index.ids("vaduz") == ["1"])
  }

  @Test("A build with too many names for an index fails with an error that names a remedy")
  func tooMuch() throws {
    let scratch = try Database("", mode: .inMemory)
    try scratch.execute("CREATE TABLE row (words BLOB)")
    var spool = BlobTableSpool(scratch, table: "row", maxLength: 10)
    try spool.add(Array(repeating: 1, count: 10))
    let failure = try #require(throws: BuildFailure.self) { try spool.add([1]) }
    let message = GazetteerError(failure, buildingIndexAt: "/x/gazetteer.idx").message
    #expect(message.hasPrefix("cannot write the gazetteer index /x/gazetteer.idx: its names need more than 4 GiB"))
    #expect(message.contains("import fewer places"))
  }

  @Test("A build follows no symbolic link that somebody else put beside the index")
  func symbolicLink() throws {
    let index = try SmallIndex(lines: [SmallIndex.line(1, "Vaduz", "", 47.1, 9.5, "LI", "", 5_000)])
    let (lock, victim) = ("\(index.path).lock", "\(index.path).victim")
    try FileManager.default.removeItem(atPath: lock)
    try FileManager.default.createSymbolicLink(atPath: lock, withDestinationPath: victim)
    #expect(throws: GazetteerError.self) { try BuildLock(index.path) }
    #expect(!FileManager.default.fileExists(atPath: victim))
  }

  @Test("Impossible populations do not trap")
  func people() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Everyone", "", 1, 1, "DE", "01", .max), SmallIndex.line(2, "Everyone Else", "", 2, 2, "DE", "01", .max),
    ])
    let feature =
      #"{"type":"Feature","id":"n1","geometry":{"type":"Point","coordinates":[9,47]},"properties":{"name":"Alleweil","place":"town","population":"9223372036854775807"}}"#
    _ = try GazetteerBuilder(path: index.path).importFeatures(MemorySource(Array(feature.utf8), name: "test"), name: "many", country: "DE")
    let rows = try GazetteerReader(path: index.path).autocomplete(AutocompleteRequest(query: "everyone")).rows
    #expect(rows.map(\.id) == ["1", "2"])
  }

  @Test("A former country replaces neither its successor nor its population; of two present records the first one names the place")
  func formerStates() throws {
    func state(_ id: Int, _ name: String, _ code: String) -> String {
      SmallIndex.line(id, name, "", 60, 100, "RU", "00", 1_000, code: "A\t\(code)")
    }
    let index = try SmallIndex(lines: [
      state(1, "Soviet Union", "PCLH"), state(2, "Russia", "PCLI"), state(3, "Russian Federation", "PCLI"), state(4, "Tsardom", "PCLH"),
    ])
    func place(_ id: String) throws -> Place {
      try #require(try index.reader.details(DetailsRequest(id: id, fields: [.name])))
    }
    #expect(try place("RU").name == "Russia")
    #expect(try place("RU").types == ["country"])
    #expect(try place("1").name == "Soviet Union")
    #expect(try place("1").types.isEmpty)
  }

  @Test("A named pipe is read from its first byte, plain and compressed", arguments: [false, true])
  func pipe(packed: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pipe.txt")
    #expect(mkfifo(path, 0o600) == 0)
    let lines = (1...3).map { SmallIndex.line($0, "Place \($0)", "", 1, 1, "DE", "01", 10) }.joined(separator: "\n") + "\n"
    let file = try folder.write(lines, to: "plain.txt")
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", "\(packed ? "gzip -c" : "cat") '\(file)' > '\(path)'"]
    try shell.run()
    let report = try GazetteerBuilder(path: folder.file("g.db")).importGeoNames(path)
    shell.waitUntilExit()
    #expect(report.taken == 3)
  }

  @Test("An import that waits for input can be cancelled", arguments: [false, true])
  func silence(isBegun: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("pipe.txt")
    #expect(mkfifo(path, 0o600) == 0)
    // The process at the other end writes nothing, or only the beginning of a line.
    let writer = isBegun ? open(path, O_RDWR | O_CLOEXEC) : -1
    defer { if isBegun { close(writer) } }
    if isBegun { #expect(write(writer, "1\tBerl", 6) == 6) }
    var questions = 0
    let builder = GazetteerBuilder(
      path: folder.file("g.db"),
      isCancelled: {
        questions += 1
        return questions > 3
      })
    #expect(throws: GazetteerError.cancelled) { try builder.importGeoNames(path) }
    #expect(!FileManager.default.fileExists(atPath: folder.file("g.db")))
  }

  @Test(
    "A build removes its temporary files and those of a killed build, whether or not it succeeds", arguments: [false, true])
  func leavings(isCancelled: Bool) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("g.db")
    let lines = (1...3_000).map { SmallIndex.line($0, "Place \($0)", "", 1, 1, "DE", "01", 10) }.joined(separator: "\n") + "\n"
    let dump = try folder.write(lines, to: "dump.txt")
    let suffixes = ["", "-journal", "-scratch", "-scratch-journal"]
    for suffix in suffixes { try folder.write("rubbish", to: "g.db.building" + suffix) }
    func left() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".building") } }
    var questions = 0
    let builder = GazetteerBuilder(
      path: path,
      isCancelled: {
        questions += 1
        if let journal = try? left().first(where: { $0.hasSuffix("-journal") }) {
          Issue.record("a journal \(journal) is written for nobody")
        }
        return isCancelled && questions > 4
      })
    if isCancelled {
      #expect(throws: GazetteerError.cancelled) { try builder.importGeoNames(dump) }
    } else {
      #expect(try builder.importGeoNames(dump).taken == 3_000)
    }
    #expect(try left() == [])
  }

  @Test("A second build of the same index is refused during the first")
  func two() throws {
    let index = try SmallIndex(lines: [SmallIndex.line(1, "First", "", 1, 1, "DE", "01", 10)])
    let dump = try index.folder.write(SmallIndex.line(2, "Second", "", 1, 1, "DE", "01", 10), to: "more.txt")
    var refusal: GazetteerError?
    let first = GazetteerBuilder(
      path: index.path,
      isCancelled: {
        if refusal == nil {
          do throws(GazetteerError) { _ = try GazetteerBuilder(path: index.path).importGeoNames(dump) } catch { refusal = error }
        }
        return false
      })
    #expect(try first.importGeoNames(dump).taken == 1)
    #expect(try #require(refusal).message.contains("another build of this index is running"))
    #expect(try GazetteerBuilder(path: index.path).importGeoNames(dump).taken == 1)
  }

  @Test("The location of a country on the antimeridian is the centre of its population")
  func antimeridian() throws {
    let index = try SmallIndex(lines: [
      SmallIndex.line(1, "Tarawa", "", 1.33, 173.01, "KI", "01", 63_000),
      SmallIndex.line(2, "Kiritimati", "", 1.99, -157.47, "KI", "02", 7_000),
      SmallIndex.line(3, "Alofi", "", -19.05, -169.92, "NU", "00", 600),
    ])
    func location(_ id: String) throws -> Coordinate {
      try #require(try index.reader.details(DetailsRequest(id: id, fields: [.coordinate]))?.location)
    }
    #expect(try location("KI").distance(to: location("1")) < 400_000)
    #expect(try location("NU").distance(to: location("3")) < 10)
  }

  @Test("An equivalent id does not take the id of another place")
  func alias() throws {
    let index = try SmallIndex(lines: [SmallIndex.line(77, "Hamlet", "", 47, 9, "DE", "01", 10)])
    let feature =
      #"{"type":"Feature","id":"n1","geometry":{"type":"Point","coordinates":[9,47]},"properties":{"name":"Metropolis","place":"city","population":"5000000","geonames:id":"77"}}"#
    _ = try GazetteerBuilder(path: index.path).importFeatures(MemorySource(Array(feature.utf8), name: "test"), name: "wrong", country: "DE")
    let reader = try GazetteerReader(path: index.path)
    #expect(try reader.details(DetailsRequest(id: "77", fields: [.name]))?.name == "Hamlet")
  }
}
