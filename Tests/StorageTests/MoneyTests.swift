import Foundation  // The folder's files.
import PlacesKit
import PlacesTesting
import Resilience
import SQLite
import Synchronization
import Testing

@testable import Storage

/// The budget service on a real ledger, in one process and in virtual time, so that thousands of schedules take minutes. Requests are not
/// sent: a list records the calls that would have been. A kill is simulated: the ledger's files are copied, the budget service and the
/// ledger are stopped, and the files get back their copied contents. The machine's clock is set at random.
///
/// `Tests/Benchmarks/money.py` kills the released daemon, and counts at a server.
@Suite("Money")
struct MoneyTests {
  private static let schedules = isProving ? 10_000 : 30
  private static let limit = 12

  /// One machine: its clocks, its disk, and the calls that were permitted.
  private final class Machine {
    let folder: TemporaryFolder
    let time = ManualTime()
    var random: SeededRandom
    var ledger: Ledger
    var budgets: BudgetService
    private var running: Task<Void, Never>
    private var open: [Reservation] = []
    /// The calls that a daemon would have sent: the budget day that paid for each, and the monotonic time.
    private(set) var served: [(day: Day, at: Double)] = []

    init(seed: UInt64) throws {
      folder = try TemporaryFolder(inMemory: true)
      random = SeededRandom(seed: seed)
      (ledger, budgets, running) = Self.start(folder, time)
    }

    private static func start(_ folder: TemporaryFolder, _ time: ManualTime) -> (Ledger, BudgetService, Task<Void, Never>) {
      let ledger = Ledger(path: folder.file("ledger.db"), time: time, log: { _, _ in })
      let budgets = BudgetService(
        ledger: ledger, limits: ["p": BudgetLimits(callsPerDay: MoneyTests.limit)], time: time, log: { _, _ in })
      return (ledger, budgets, Task { await budgets.run() })
    }

    func step() async {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<13: await call()
      case 13, 14: time.advance(by: Double.random(in: 0...30_000, using: &random))
      case 15: time.setWall(time.wall() + 86_400 * Double.random(in: -20...20, using: &random))
      case 16: time.setWall(time.wall() + Double.random(in: -3_600...3_600, using: &random))
      case 17: settleAll()
      default: await kill()
      }
    }

    /// Reserves, records as sent and, in some cases, settles one call; the reservation of a call that was not sent is returned.
    private func call() async {
      let price = PriceClass("pro", micros: 17)
      guard let reservation = try? await budgets.reserve(provider: "p", price: price, user: UInt32.random(in: 1...2, using: &random))
      else { return }
      guard Int.random(in: 0..<8, using: &random) > 0 else { return budgets.settle(reservation, wasSent: false) }
      served.append((reservation.key.day, time.monotonic()))
      if Bool.random(using: &random) { budgets.settle(reservation, wasSent: true) } else { open.append(reservation) }
    }

    private func settleAll() {
      for reservation in open { budgets.settle(reservation, wasSent: true) }
      open = []
    }

    /// Simulates a kill, which leaves the ledger's files as they are now, and a start.
    private func kill() async {
      // The mark is copied first: writes in the meantime make the ledger newer than its mark, as after a loss of power.
      let names = [".mark", "", "-wal"].map { folder.file("ledger.db" + $0) }
      let files = names.map { (try? Files.read($0, limit: 1 << 24)) ?? nil }
      await stop()
      for (name, bytes) in zip(names, files) {
        guard let bytes else {
          unlink(name)
          continue
        }
        // In place, since a kill does not change the files' inodes.
        guard let file = FileHandle(forWritingAtPath: name) ?? Self.create(name) else { continue }
        try? file.truncate(atOffset: 0)
        try? file.write(contentsOf: bytes)
        try? file.close()
      }
      unlink(folder.file("ledger.db-shm"))
      open = []
      (ledger, budgets, running) = Self.start(folder, time)
    }

    private static func create(_ name: String) -> FileHandle? {
      guard FileManager.default.createFile(atPath: name, contents: nil) else { return nil }
      return FileHandle(forWritingAtPath: name)
    }

    func stop() async {
      running.cancel()
      await running.value
      await ledger.close()
    }

    /// The reserved or spent amounts in the ledger, by day, read without the ledger's own checks; nil if it must be confirmed.
    func committed() async throws -> [Day: Int]? {
      await stop()
      let ledger = Ledger(path: folder.file("ledger.db"), time: time, log: { _, _ in })
      let isConfirmed = (try? await ledger.load()) != nil
      await ledger.close()
      guard isConfirmed else { return nil }
      let database = try Database(folder.file("ledger.db"), mode: .readOnly)
      let statement = try database.statement("SELECT day, sum(reserved_calls + spent_calls) FROM entries GROUP BY day")
      defer { statement.reset() }
      var days: [Day: Int] = [:]
      while try statement.step() { days[Day(statement.integer(0))] = statement.integer(1) }
      return days
    }
  }

  @Test("is neither overspent nor forgotten, whenever the ledger's files are left as by a kill and however the clock is set")
  func schedules() async throws {
    var (total, verified) = (0, 0)
    for seed in 0..<Self.schedules {
      let machine = try Machine(seed: UInt64(seed))
      for _ in 0..<40 { await machine.step() }
      let served = machine.served
      total += served.count
      let byDay = served.reduce(into: [Day: Int]()) { $0[$1.day, default: 0] += 1 }
      for (day, calls) in byDay { #expect(calls <= Self.limit, "schedule \(seed): \(calls) calls on day \(day.number)") }
      // Any 23¾ hours touch two budget days at most.
      for first in served {
        let window = served.count { $0.at >= first.at && $0.at < first.at + 85_500 }
        #expect(window <= 2 * Self.limit, "schedule \(seed): \(window) calls within a day")
      }
      // A ledger that must be confirmed has forgotten nothing silently.
      guard let committed = try await machine.committed() else { continue }
      verified += 1
      for (day, calls) in byDay {
        #expect(committed[day, default: 0] >= calls, "schedule \(seed): \(calls) calls, \(committed[day, default: 0]) in the ledger")
      }
    }
    #expect(
      total > 3 * Self.schedules && verified > Self.schedules / 2, "the schedules were too quiet: \(total) calls, \(verified) verified")
  }
}
