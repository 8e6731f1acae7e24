import Foundation
import PlacesKit
import PlacesTesting
import SQLite
import Testing

@testable import Storage

@Suite("The cache with a damaged or missing file")
struct CacheHarmTests {
  static let terms = Terms(idsSeconds: nil, coordinatesSeconds: nil, otherSeconds: 1e6, isolation: .system, source: "test")

  /// A cache with some answers, places and choices on disk, closed.
  private func filled() async throws -> CacheBench {
    let bench = try CacheBench()
    for number in 0..<40 {
      let text = "answer \(number) " + String(repeating: "long ", count: number * 10)
      bench.cache.store(answer(text), for: key("q\(number)", CacheHarmTests.terms), under: CacheHarmTests.terms)
      bench.cache.store(
        Place(id: "\(number)", values: [.name: .string("name \(number)")]),
        for: PlaceKey(provider: "p", id: "\(number)", language: nil, partition: .everybody), under: CacheHarmTests.terms)
      bench.cache.store(UserChoice(user: 1, prefix: "a", place: "p:\(number)", weight: 1, at: Double(number)), under: CacheHarmTests.terms)
    }
    await bench.flush()
    await bench.cache.writer.finish()
    return bench
  }

  /// Reads everything; every answer found must be the one that was stored. Returns the number of answers found.
  private func readAll(_ bench: CacheBench) async -> Int {
    var found = 0
    for number in 0..<40 {
      if let answer = await bench.cache.find(key("q\(number)", CacheHarmTests.terms)) {
        guard case .suggestions(let page) = answer.answer else {
          Issue.record("not what was kept")
          continue
        }
        #expect(page.rows.first?.text.text == "answer \(number) " + String(repeating: "long ", count: number * 10))
        found += 1
      }
      if let kept = await bench.cache.place(PlaceKey(provider: "p", id: "\(number)", language: nil, partition: .everybody)) {
        #expect(kept.place.name == nil || kept.place.name == "name \(number)")
      }
    }
    for use in await bench.cache.choices(of: 1) ?? [] { #expect(use.place == "p:\(Int(use.at))" && use.weight == 1) }
    return found
  }

  @Test("A read whose caller was cancelled is interrupted, and the next read succeeds", .timeLimit(.minutes(1)))
  func interrupted() async throws {
    let bench = try await filled()
    await bench.flush()
    let (reader, now) = (bench.cache.reader, bench.time.wall())
    let (begun, begin) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        let rows = await reader.read { reader in
          reader.withDatabase { database throws(SQLiteError) in
            let statement = try database.statement("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n")
            defer { statement.reset() }
            var rows = 0
            while try statement.step() {
              rows += 1
              begin.yield()
            }
            return rows
          }
        }
        #expect((rows ?? nil) == nil)
      }
      for await _ in begun { break }
      group.cancelAll()
    }
    #expect((await reader.read { $0.answer(key("q1", CacheHarmTests.terms), now: now) } ?? nil) != nil)
  }

  /// The file after typical damage: truncated, pages swapped, bytes changed.
  private func damaged(_ sound: Data, round: Int, _ random: inout SeededRandom) -> Data {
    var data = sound
    switch round % 5 {
    case 0: data = data.prefix(Int.random(in: 0..<data.count, using: &random))
    case 1: data = data.prefix(Int.random(in: 0..<data.count / 4_096, using: &random) * 4_096)
    case 2:
      // Swap two pages.
      let (a, b) = (Int.random(in: 1..<data.count / 4_096, using: &random), Int.random(in: 1..<data.count / 4_096, using: &random))
      let page = data.subdata(in: a * 4_096..<(a + 1) * 4_096)
      data.replaceSubrange(a * 4_096..<(a + 1) * 4_096, with: data.subdata(in: b * 4_096..<(b + 1) * 4_096))
      data.replaceSubrange(b * 4_096..<(b + 1) * 4_096, with: page)
    default:
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        data[Int.random(in: 0..<data.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
    }
    return data
  }

  @Test("changed bytes do not crash the reader, and no wrong row is served", arguments: 0..<6)
  func mutations(seed: Int) async throws {
    let bench = try await filled()
    let path = bench.folder.file("cache.db")
    let sound = try Data(contentsOf: URL(fileURLWithPath: path))
    var random = SeededRandom(seed: UInt64(seed))
    var survivors = 0
    for round in 0..<(isProving ? 400 : 25) {
      let data = damaged(sound, round: round, &random)
      for name in Files.names(in: bench.folder.path) { try Files.remove(bench.folder.file(name)) }
      try data.write(to: URL(fileURLWithPath: path))
      await bench.restart(crash: true)
      survivors += await readAll(bench)
      await bench.flush()
      survivors += await readAll(bench)
      // The cache continues to store answers.
      bench.cache.store(answer("new"), for: key("new", CacheHarmTests.terms), under: CacheHarmTests.terms)
      await bench.flush()
      let told = bench.log.lines.count { $0.contains("renamed to") }
      await bench.restart()
      if await bench.cache.find(key("new", CacheHarmTests.terms)) == nil {
        // If only the check at the next start finds the damage, later writes are lost too. The loss is reported, and the next file is
        // intact.
        #expect(bench.log.lines.count { $0.contains("renamed to") } > told, "round \(round)")
        bench.cache.store(answer("new"), for: key("new", CacheHarmTests.terms), under: CacheHarmTests.terms)
        await bench.flush()
        await bench.restart()
      }
      #expect(await bench.cache.find(key("new", CacheHarmTests.terms))?.answer == answer("new"), "round \(round)")
    }
    #expect(survivors > 0, "nothing ever survived")
  }

  @Test("a changed letter in the definition of a table is noticed at the next start, and the cache starts empty")
  func damagedDefinition() async throws {
    let bench = try await filled()
    let path = bench.folder.file("cache.db")
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    let column = try #require(data.range(of: Data("provider TEXT NOT NULL, user INTEGER".utf8)))
    data[column.lowerBound] = UInt8(ascii: "q")
    try data.write(to: URL(fileURLWithPath: path))
    await bench.restart(crash: true)
    #expect(bench.log.lines.filter { $0.contains("renamed to") }.count == 1)
    bench.cache.store(answer("new"), for: key("new", CacheHarmTests.terms), under: CacheHarmTests.terms)
    await bench.flush()
    await bench.restart()
    #expect(await bench.cache.find(key("new", CacheHarmTests.terms))?.answer == answer("new"))
  }

  enum Harm: CaseIterable { case garbage, foreign, newer, truncated }

  @Test("a foreign or damaged file is set aside and reported, and the cache starts empty", arguments: Harm.allCases)
  func setAside(harm: Harm) async throws {
    let bench = try await filled()
    let path = bench.folder.file("cache.db")
    switch harm {
    case .garbage: try Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }).write(to: URL(fileURLWithPath: path))
    case .foreign:
      try Files.remove(path)
      try Database(path, mode: .readWrite).execute("CREATE TABLE other (program INTEGER)")
    case .newer: try Database(path, mode: .readWrite).execute("PRAGMA user_version = 99")
    case .truncated: try Data(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(9_000)).write(to: URL(fileURLWithPath: path))
    }
    await bench.restart(crash: true)
    #expect(await bench.cache.find(key("q1", CacheHarmTests.terms)) == nil)
    #expect(Files.names(in: bench.folder.path).filter { $0.hasPrefix("cache.db.aside-") }.count >= 1)
    #expect(bench.log.lines.filter { $0.contains("renamed to") }.count == 1)
    bench.cache.store(answer("new"), for: key("new", CacheHarmTests.terms), under: CacheHarmTests.terms)
    await bench.flush()
    await bench.restart()
    #expect(await bench.cache.find(key("new", CacheHarmTests.terms)) != nil)
    // The terms apply to the copy too.
    bench.time.advance(by: 3_601)
    await bench.cache.expire()
    #expect(!Files.names(in: bench.folder.path).contains { $0.contains("aside") })
  }

  @Test("damage at run time is noticed, and a new file replaces the damaged one")
  func damagedWhileRunning() async throws {
    let bench = try await filled()
    await bench.restart()
    #expect(await bench.cache.find(key("q1", CacheHarmTests.terms)) != nil)
    await bench.cache.reader.close()
    let path = bench.folder.file("cache.db")
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    let size = try file.seekToEnd()
    try file.seek(toOffset: 4_096)
    try file.write(contentsOf: Data(repeating: 0x5A, count: Int(size) - 4_096))
    try file.close()
    for number in 2..<20 { _ = await bench.cache.find(key("q\(number)", CacheHarmTests.terms)) }
    for _ in 0..<3 {
      bench.cache.store(answer("new"), for: key("new", CacheHarmTests.terms), under: CacheHarmTests.terms)
      await bench.cache.writer.writePending()
    }
    await bench.restart()
    #expect(await bench.cache.find(key("new", CacheHarmTests.terms)) != nil)
    #expect(bench.log.lines.contains { $0.contains("renamed to") })
  }

  @Test("an answer whose write finds the file damaged is written to the new file, and a purge clears both files")
  func damageFoundByWriting() async throws {
    let bench = try await filled()
    let path = bench.folder.file("cache.db")
    let id = try #require(try Database(path, mode: .readOnly).integer("SELECT id FROM answers WHERE instr(key, 'q7')"))
    // The check at the start does not read the entries of indexes; replacing the row does.
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    let entry = withUnsafeBytes(of: Int64(id).bigEndian) { Data($0) }
    while let range = data.range(of: entry) { data[range.upperBound - 1] ^= 1 }
    try data.write(to: URL(fileURLWithPath: path))
    await bench.restart()
    #expect(bench.log.lines.isEmpty)
    for query in ["q7", "new"] {
      bench.cache.store(answer("new"), for: key(query, CacheHarmTests.terms), under: CacheHarmTests.terms)
    }
    await bench.flush()
    #expect(bench.log.lines.filter { $0.contains("renamed to") }.count == 1)
    await bench.restart()
    #expect(await bench.cache.find(key("new", CacheHarmTests.terms))?.answer == answer("new"))
    #expect(try bench.diskHolds("answer 8 "))
    #expect(await bench.cache.purge(.all) != nil)
    #expect(try !bench.diskHolds("answer 8 "))
  }

  @Test("on a full disk, answers stay in memory, one message is logged, and the cache recovers by itself")
  func full() async throws {
    let bench = try CacheBench(settings: "PRAGMA max_page_count = 12")
    let terms = CacheHarmTests.terms
    let long = String(repeating: "long ", count: 2_000)
    for number in 0..<20 {
      bench.cache.store(answer(long), for: key("q\(number)", terms), under: terms)
      await bench.flush()
      bench.time.advance(by: 31)
    }
    #expect(bench.cache.lookup(key("q19", terms)) != nil)
    #expect(bench.log.lines.filter { $0.contains("not stored on disk") }.count <= 2)
    #expect(!bench.log.lines.isEmpty)
    await bench.restart()
    bench.cache.store(answer(long), for: key("later", terms), under: terms)
    await bench.flush()
    await bench.restart()
    #expect(await bench.cache.find(key("later", terms)) != nil)
  }

  @Test("a missing directory does not fail requests, and a purge in the meantime remains in effect")
  func unavailable() async throws {
    let bench = try await filled()
    await bench.restart()
    #expect(await bench.cache.find(key("q1", CacheHarmTests.terms)) != nil)
    await bench.cache.writer.finish()
    await bench.cache.reader.close()
    // The disk is unavailable: the path is not a database.
    let path = bench.folder.file("cache.db")
    #expect(Files.move(path, to: path + ".elsewhere"))
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(await bench.cache.purge(CacheScope(provider: "p")) == nil)
    #expect(await bench.cache.find(key("q2", CacheHarmTests.terms)) == nil)
    bench.cache.store(answer("x"), for: key("x", CacheHarmTests.terms), under: CacheHarmTests.terms)
    #expect(bench.cache.lookup(key("x", CacheHarmTests.terms)) != nil)
    #expect(bench.log.lines.contains { $0.contains("not stored on disk") })
    try FileManager.default.removeItem(atPath: path)
    #expect(Files.move(path + ".elsewhere", to: path))
    bench.time.advance(by: 31)
    await bench.flush()
    for number in 0..<40 { #expect(await bench.cache.find(key("q\(number)", CacheHarmTests.terms)) == nil) }
    #expect(bench.log.lines.contains { $0.contains("to disk again") })
  }

  @Test("a file that is removed while it is open is created again within one hour")
  func removed() async throws {
    let bench = try await filled()
    await bench.restart()
    try Files.remove(bench.folder.file("cache.db"))
    await bench.cache.expire()
    bench.cache.store(answer("new"), for: key("new", CacheHarmTests.terms), under: CacheHarmTests.terms)
    await bench.flush()
    await bench.restart()
    #expect(await bench.cache.find(key("new", CacheHarmTests.terms)) != nil)
  }
}
