import Foundation
import Resilience
import PlacesKit
import PlacesTesting
import SQLite
import Testing

@testable import Storage

/// A ledger in a temporary directory.
private final class LedgerBench {
  let folder: TemporaryFolder
  let time = ManualTime()
  let log = Log()
  var ledger: Ledger

  init(inMemory: Bool = false) throws {
    folder = try TemporaryFolder(inMemory: inMemory)
    ledger = Ledger(path: folder.file("ledger.db"), time: time, log: log.write)
  }

  var path: String { folder.file("ledger.db") }

  func restart() async {
    await ledger.close()
    ledger = Ledger(path: path, time: time, log: log.write)
  }

  func key(_ user: UInt32 = 1, day: Day? = nil) -> LedgerKey {
    LedgerKey(provider: "p", user: user, priceClass: "pro", day: day ?? Day(wall: time.wall()))
  }

  func write(reserved: Int = 0, spent: Int = 0, user: UInt32 = 1) async throws {
    let change = LedgerChange(
      reserved: Spending(calls: reserved, micros: reserved * 17), spent: Spending(calls: spent, micros: spent * 17))
    try await ledger.write(LedgerAmounts(entries: [key(user): change], latestTime: time.wall()))
  }

  /// The reason why the ledger cannot be loaded; nil if it can.
  func refusal() async -> LedgerError? {
    do throws(LedgerError) { _ = try await ledger.load() } catch { return error }
    return nil
  }

  var isUnconfirmed: Bool { get async { if case .unconfirmed = await refusal() { true } else { false } } }

  /// The contents of the ledger's files; empty for a missing file.
  func files() throws -> [String: [UInt8]] {
    try ["", "-wal", ".mark"].reduce(into: [:]) { $0[path + $1] = try Files.read(path + $1, limit: 1 << 26) ?? [] }
  }

  /// Puts contents into the same files.
  func write(_ files: [String: [UInt8]]) throws {
    try? FileManager.default.removeItem(atPath: path + "-shm")
    for (name, bytes) in files {
      if bytes.isEmpty, name.hasSuffix("-wal") {
        try? FileManager.default.removeItem(atPath: name)
      } else if FileManager.default.fileExists(atPath: name) {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: name))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: bytes)
        try file.close()
      } else {
        try Data(bytes).write(to: URL(fileURLWithPath: name))
      }
    }
  }

  /// Writes a copy's inode into its mark, as if it were the file itself.
  func acceptCopy(_ path: String) throws {
    let mark = LedgerMark(path: path + ".mark")
    guard case .content(var content) = try mark.read() else { return }
    content.inode = try Files.fileID(path)?.inode
    try mark.rewriteAndFlush(content)
  }

  /// Changes the time in the mark as if its content had been written before its file was last changed.
  func setMarkAge(_ seconds: Int) throws {
    let mark = LedgerMark(path: path + ".mark")
    guard case .content(var content) = try mark.read() else { return }
    content.writtenAt = Int(SystemTime().wall()) - seconds
    try mark.rewriteAndFlush(content)
  }

  /// Changes the file without the ledger's knowledge.
  func tamper(_ change: (inout Data) -> Void) throws {
    var data = try Data(contentsOf: URL(fileURLWithPath: path))
    change(&data)
    try data.write(to: URL(fileURLWithPath: path))
  }
}

@Suite("The ledger")
struct LedgerTests {
  @Test("stores what was spent and saved, and counts reservations as spent after a restart")
  func remembers() async throws {
    let bench = try LedgerBench()
    #expect(try await bench.ledger.load().entries.isEmpty)
    try await bench.write(reserved: 8, user: 1)
    try await bench.write(reserved: -3, spent: 3, user: 1)
    let saving = SavingKey(provider: "p", user: 1, day: bench.key().day, cause: .cache)
    for _ in 0..<2 {
      try await bench.ledger.write(LedgerAmounts(savings: [saving: Spending(calls: 2, micros: 34)], latestTime: bench.time.wall()))
    }
    await bench.restart()
    let history = try await bench.ledger.load()
    #expect(history.entries == [bench.key(): LedgerChange(spent: Spending(calls: 8, micros: 136))])
    #expect(history.savings == [saving: Spending(calls: 4, micros: 68)])
  }

  @Test("ignores savings of an invalid day", arguments: [Int.max, Int.min, Day(wall: Day.latestWall).number + 1])
  func impossibleDay(number: Int) async throws {
    let bench = try LedgerBench()
    _ = try await bench.ledger.load()
    let saving = SavingKey(provider: "p", user: 1, day: bench.key().day, cause: .cache)
    try await bench.ledger.write(LedgerAmounts(savings: [saving: Spending(calls: 2)], latestTime: bench.time.wall()))
    await bench.ledger.close()
    try Database(bench.path, mode: .readWrite).execute("INSERT INTO savings SELECT provider, 2, \(number), cause, 1, 1 FROM savings")
    await bench.restart()
    #expect(try await bench.ledger.load().savings == [saving: Spending(calls: 2)])
  }

  @Test("returns the month of the latest recorded time, even if the clock was set back")
  func month() async throws {
    let bench = try LedgerBench()
    _ = try await bench.ledger.load()
    try await bench.write(spent: 5)
    let latest = bench.time.wall()
    bench.time.setWall(latest - 30 * 86_400)
    await bench.restart()
    let history = try await bench.ledger.load()
    #expect(history.latestTime == latest && history.entries.count == 1)
    bench.time.setWall(latest + 40 * 86_400)
    try await bench.write(spent: 1)
    await bench.restart()
    #expect(try await bench.ledger.load().entries == [bench.key(): LedgerChange(spent: Spending(calls: 1, micros: 17))])
  }

  @Test("is unavailable while its file cannot be looked at, and then continues without a confirmation")
  func unreadable() async throws {
    let bench = try LedgerBench()
    _ = try await bench.ledger.load()
    try await bench.write(spent: 5)
    // A symbolic link to itself: stat fails with ELOOP.
    try FileManager.default.moveItem(atPath: bench.path, toPath: bench.path + ".aside")
    try FileManager.default.createSymbolicLink(atPath: bench.path, withDestinationPath: bench.path)
    let error = await #expect(throws: LedgerError.self) { try await bench.write(spent: 1) }
    guard case .unavailable? = error else { return #expect(Bool(false), "\(String(describing: error))") }
    try FileManager.default.removeItem(atPath: bench.path)
    try FileManager.default.moveItem(atPath: bench.path + ".aside", toPath: bench.path)
    #expect(try await bench.ledger.load().entries == [bench.key(): LedgerChange(spent: Spending(calls: 5, micros: 85))])
  }

  @Test("keeps the entries of the latest 400 days that have entries")
  func old() async throws {
    let bench = try LedgerBench()
    _ = try await bench.ledger.load()
    for _ in 0..<402 {
      bench.time.setWall(bench.time.wall() + 86_400)
      try await bench.write(spent: 1)
    }
    await bench.restart()
    _ = try await bench.ledger.load()
    await bench.ledger.close()
    let database = try Database(bench.path, mode: .readOnly)
    #expect(try database.integer("SELECT count(*) FROM entries") == 400)
    #expect(try database.integer("SELECT max(day) FROM entries") == Day(wall: bench.time.wall()).number)
  }

  @Test("keeps the entries of this month if the daemon starts and spends while the clock shows 2056")
  func farFuture() async throws {
    let bench = try LedgerBench()
    _ = try await bench.ledger.load()
    try await bench.write(spent: 5)
    let (now, key) = (bench.time.wall(), bench.key())
    bench.time.setWall(2_713_910_400)
    try await bench.write(spent: 1)
    await bench.restart()
    _ = try await bench.ledger.load()
    bench.time.setWall(now)
    try await bench.write(spent: 1)
    await bench.restart()
    #expect(try await bench.ledger.load().entries[key]?.spent.calls == 6)
  }

  @Test("rejects a clock that was set back by more than a month, until that is confirmed")
  func clock() async throws {
    let bench = try LedgerBench()
    _ = try await bench.ledger.load()
    try await bench.write(spent: 5)
    let late = bench.time.wall()
    bench.time.setWall(late - 365 * 86_400)
    await bench.restart()
    try await bench.ledger.confirm()
    try await bench.write(spent: 20)
    bench.time.setWall(late)
    try await bench.write(spent: 5)
    bench.time.setWall(late - 365 * 86_400)
    await bench.restart()
    #expect(await bench.isUnconfirmed)
    #expect(
      await bench.ledger.historyAwaitingConfirmation()?.entries[bench.key()]?.spent.calls == 20,
      "the value that would be in force is reported before")
    try await bench.ledger.confirm()
    let history = try await bench.ledger.load()
    #expect(history.latestTime == bench.time.wall() && history.entries[bench.key()]?.spent.calls == 20)
  }

  enum Harm: String, CaseIterable {
    case removed, restored, restoredWithMark, restoredInPlace, truncated, emptied, garbage, foreign, newer, line, lostLine, movedLine, mark,
      noMark, count
  }

  @Test("does not start an empty ledger after any damage to its file, until that is confirmed", arguments: Harm.allCases)
  func harm(harm: Harm) async throws {
    let bench = try LedgerBench()
    _ = try await bench.ledger.load()
    try await bench.write(spent: 1)
    await bench.restart()
    let copy = try Data(contentsOf: URL(fileURLWithPath: bench.path))
    let markCopy = try Data(contentsOf: URL(fileURLWithPath: bench.path + ".mark"))
    _ = try await bench.ledger.load()
    try await bench.write(spent: 5)
    await bench.ledger.close()
    switch harm {
    case .removed: try FileManager.default.removeItem(atPath: bench.path)
    case .restored: try copy.write(to: URL(fileURLWithPath: bench.path))
    case .restoredWithMark:
      try copy.write(to: URL(fileURLWithPath: bench.path), options: .atomic)
      try markCopy.write(to: URL(fileURLWithPath: bench.path + ".mark"), options: .atomic)
    case .restoredInPlace:
      try bench.write([bench.path: Array(copy), bench.path + ".mark": Array(markCopy)])
      try bench.setMarkAge(Ledger.maxMarkDelay + 60)
    case .truncated: try bench.tamper { $0 = $0.prefix($0.count / 2) }
    case .emptied: try bench.tamper { $0 = Data() }
    case .garbage: try bench.tamper { $0 = Data((0..<$0.count).map { UInt8(truncatingIfNeeded: $0 &* 31) }) }
    case .foreign: try foreign(bench.path)
    case .newer: try Database(bench.path, mode: .readWrite).execute("PRAGMA user_version = 99")
    case .line: try Database(bench.path, mode: .readWrite).execute("UPDATE entries SET spent_calls = 0")
    case .lostLine: try Database(bench.path, mode: .readWrite).execute("DELETE FROM entries")
    case .movedLine: try Database(bench.path, mode: .readWrite).execute("UPDATE entries SET day = day - 200")
    case .noMark: try FileManager.default.removeItem(atPath: bench.path + ".mark")
    case .count: try Database(bench.path, mode: .readWrite).execute("UPDATE state SET generation = \(Int.max)")
    case .mark: try Data("what?".utf8).write(to: URL(fileURLWithPath: bench.path + ".mark"))
    }
    #expect(await bench.isUnconfirmed, "\(harm)")
    #expect(await bench.isUnconfirmed, "asking again changes nothing")
    try await bench.ledger.confirm()
    _ = try await bench.ledger.load()
    try await bench.write(reserved: 1)
    await bench.restart()
    #expect(try await bench.ledger.load().entries.values.reduce(0) { $0 + $1.spent.calls } >= 1)
  }

  @Test("accepts a mark that was written some time before its file was changed, as after a loss of power")
  func delayedMark() async throws {
    let bench = try LedgerBench()
    _ = try await bench.ledger.load()
    try await bench.write(spent: 1)
    await bench.restart()
    try bench.setMarkAge(Ledger.maxMarkDelay - 60)
    #expect(try await bench.ledger.load().entries.values.map(\.spent.calls) == [1])
  }

  private func foreign(_ path: String) throws {
    try FileManager.default.removeItem(atPath: path)
    try Database(path, mode: .readWrite).execute("CREATE TABLE other (program INTEGER)")
  }

  @Test("keeps everything in the database file after a stop, and little in its log while it runs")
  func checkpoints() async throws {
    let bench = try LedgerBench()
    _ = try await bench.ledger.load()
    for user in 0..<400 as Range<UInt32> { try await bench.write(spent: 1, user: user) }
    let log = try FileManager.default.attributesOfItem(atPath: bench.path + "-wal")[.size] as? Int ?? 0
    #expect(log < 600_000, "\(log) bytes")
    await bench.ledger.close()
    #expect(!FileManager.default.fileExists(atPath: bench.path + "-wal"))
    let database = try Database(bench.path, mode: .readOnly)
    #expect(try database.integer("SELECT sum(spent_calls) FROM entries") == 400)
  }

  @Test("detects every random damage to its files by which spending would be lost")
  func randomDamage() async throws {
    let bench = try LedgerBench(inMemory: true)
    var random = SeededRandom(seed: 7)
    var calls = 0
    func spend(_ count: Int) async throws {
      for _ in 0..<count {
        try await bench.write(spent: 1, user: UInt32.random(in: 0..<6, using: &random))
        calls += 1
      }
    }
    _ = try await bench.ledger.load()
    try await spend(30)
    await bench.ledger.close()
    _ = try await bench.ledger.load()
    let earlier = try bench.files()
    try await spend(40)
    let running = try bench.files()
    await bench.ledger.close()
    let stopped = try bench.files()
    var (noticed, harmless) = (0, 0)
    let count = isProving ? 5_000 : 120
    for number in 0..<count {
      let original = number % 2 == 0 ? running : stopped
      try bench.write(Self.damaged(original, earlier: earlier, using: &random))
      let ledger = Ledger(path: bench.path, time: bench.time, log: { _, _ in })
      do throws(LedgerError) {
        let spent = try await ledger.load().entries.values.reduce(0) { $0 + $1.spent.calls }
        #expect(spent >= calls, "damage \(number) makes \(calls) calls \(spent)")
        harmless += 1
      } catch { noticed += 1 }
      await ledger.close()
    }
    print("\(count) random damages: \(noticed) were noticed, \(harmless) lost no spending")
    #expect(noticed > count / 5 && harmless > 0)
  }

  /// The files with one of them damaged: bits turned, a range zeroed, random, moved or from an earlier time, or the end cut off.
  private static func damaged(_ files: [String: [UInt8]], earlier: [String: [UInt8]], using random: inout SeededRandom) -> [String: [UInt8]]
  {
    var files = files
    let name = files.keys.filter { !(files[$0]?.isEmpty ?? true) }.sorted().randomElement(using: &random) ?? ""
    guard var bytes = files[name] else { return files }
    let start = Int.random(in: 0..<bytes.count, using: &random)
    let end = min(bytes.count, start + Int.random(in: 1...8_192, using: &random))
    switch Int.random(in: 0..<7, using: &random) {
    case 0, 1: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 2: for index in start..<end { bytes[index] = 0 }
    case 3: for index in start..<end { bytes[index] = UInt8.random(in: .min ... .max, using: &random) }
    case 4: bytes.removeLast(bytes.count - start)
    case 5:
      let page = start / 4_096 * 4_096
      if let old = earlier[name], old.count >= page + 4_096, bytes.count >= page + 4_096 {
        bytes.replaceSubrange(page..<page + 4_096, with: old[page..<page + 4_096])
      } else {
        bytes = []
      }
    default:
      // An earlier state of one file, or of the database with its log.
      if name.hasSuffix(".mark") { return files }
      return files.merging(earlier.filter { !$0.key.hasSuffix(".mark") }) { $1 }
    }
    files[name] = bytes
    return files
  }

  @Test("loses nothing if its log is removed while it is open, and logs that")
  func logRemoved() async throws {
    let bench = try LedgerBench()
    _ = try await bench.ledger.load()
    try await bench.write(reserved: 5)
    try FileManager.default.removeItem(atPath: bench.path + "-wal")
    try await bench.write(reserved: 1)
    #expect(bench.log.lines.count == 1 && bench.log.lines.first?.contains("ledger.db-wal was removed") == true)
    // The ledger as the next daemon finds it after this one was killed.
    for suffix in ["", "-wal", ".mark"] {
      try FileManager.default.copyItem(atPath: bench.path + suffix, toPath: bench.folder.file("copy.db" + suffix))
    }
    try bench.acceptCopy(bench.folder.file("copy.db"))
    let next = Ledger(path: bench.folder.file("copy.db"), time: bench.time, log: bench.log.write)
    #expect(try await next.load().entries.values.map(\.spent.calls) == [6])
    try await bench.write(reserved: 1)
    #expect(bench.log.lines.count == 1)
  }

  @Test("rejects further writes if its file is removed or replaced while it is open, until that is confirmed", arguments: [false, true])
  func fileChanged(isReplaced: Bool) async throws {
    let bench = try LedgerBench()
    _ = try await bench.ledger.load()
    try await bench.write(spent: 1)
    await bench.restart()
    _ = try await bench.ledger.load()
    let copy = bench.folder.file("copy.db")
    try FileManager.default.copyItem(atPath: bench.path, toPath: copy)
    try FileManager.default.copyItem(atPath: bench.path + "-wal", toPath: copy + "-wal")
    try await bench.write(spent: 5)
    try FileManager.default.removeItem(atPath: bench.path)
    try FileManager.default.removeItem(atPath: bench.path + "-wal")
    if isReplaced {
      try FileManager.default.moveItem(atPath: copy, toPath: bench.path)
      try FileManager.default.moveItem(atPath: copy + "-wal", toPath: bench.path + "-wal")
    }
    await #expect(throws: LedgerError.self) { try await bench.write(spent: 1) }
    #expect(await bench.isUnconfirmed, "asking again changes nothing")
    await bench.restart()
    #expect(await bench.isUnconfirmed, "nor does a restart")
    try await bench.ledger.confirm()
    try await bench.write(spent: 1)
  }

  @Test("rejects writes while the disk is full, and recovers by itself")
  func full() async throws {
    let bench = try LedgerBench()
    _ = try await bench.ledger.load()
    try await bench.write(spent: 1)
    await bench.ledger.close()
    // A directory at the path makes writing fail, even for root.
    try FileManager.default.moveItem(atPath: bench.path + ".mark", toPath: bench.folder.file("aside"))
    try FileManager.default.createDirectory(atPath: bench.path + ".mark", withIntermediateDirectories: false)
    guard case .unavailable = await bench.refusal() else {
      Issue.record("it should be unavailable")
      return
    }
    try FileManager.default.removeItem(atPath: bench.path + ".mark")
    try FileManager.default.moveItem(atPath: bench.folder.file("aside"), toPath: bench.path + ".mark")
    #expect(try await bench.ledger.load().entries.values.map(\.spent.calls) == [1])
  }

  @Test("a transaction is written completely or not at all")
  func atomic() async throws {
    let bench = try LedgerBench()
    _ = try await bench.ledger.load()
    try await bench.write(spent: 1)
    await bench.ledger.close()
    let roomy = StoreFile.ledger(bench.path)
    var tight = roomy
    tight.settings += "; PRAGMA max_page_count = 1"
    let ledger = Ledger(file: tight, time: bench.time, log: bench.log.write)
    _ = try await ledger.load()
    var page = LedgerAmounts(latestTime: bench.time.wall())
    for user in 0..<2_000 as Range<UInt32> { page.entries[bench.key(user)] = LedgerChange(spent: Spending(calls: 1, micros: 1)) }
    do throws(LedgerError) {
      try await ledger.write(page)
      Issue.record("there is no room for the page")
    } catch {
      guard case .unavailable = error else {
        Issue.record("\(error)")
        return
      }
    }
    await ledger.close()
    #expect(try await bench.ledger.load().entries.values.map(\.spent.calls) == [1])
  }

  @Test("can be opened by one process only")
  func exclusive() async throws {
    let bench = try LedgerBench()
    _ = try await bench.ledger.load()
    let second = Ledger(path: bench.path, time: bench.time, log: bench.log.write)
    do throws(LedgerError) {
      _ = try await second.load()
      Issue.record("it is open already")
    } catch {
      guard case .unavailable(let message) = error else { throw error }
      #expect(message.contains("another daemon") && message.contains("state_dir"))
    }
    try await bench.write(spent: 1)
  }

  @Test("limit ≥ ledger ≥ calls sent, on a real disk with restarts")
  func budgets() async throws {
    let bench = try LedgerBench()
    let price = PriceClass("pro", micros: 17)
    var sent = 0
    for _ in 0..<12 {
      let budgets = BudgetService(
        ledger: bench.ledger, limits: ["p": BudgetLimits(callsPerDay: 100)], time: bench.time, log: bench.log.write)
      let runner = Task { await budgets.run() }
      for _ in 0..<14 {
        guard let charge = try? await budgets.reserve(provider: "p", price: price, user: 1) else { continue }
        sent += 1
        // Every other run is killed before any call is settled.
        if sent % 2 == 0 { budgets.settle(charge, wasSent: true) }
      }
      runner.cancel()
      await runner.value
      await bench.restart()
    }
    let written = try await bench.ledger.load().entries.values.reduce(0) { $0 + $1.committed.calls }
    #expect(sent <= written && written <= 100)
    #expect(sent >= 90)
  }
}
