import Foundation  // The environment's PLACES_PROVE.
import HTTP
import PlacesAPI
import PlacesKit
import PlacesTesting
import Resilience
import SQLite
import Synchronization
import Testing

@testable import QueryEngine
@testable import Storage

@Suite("Spending, with any behaviour of the service")
struct HostileServiceTests {
  private static let schedules = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1" ? 500 : 6

  /// The service closes, resets, stalls or delays the connection at any byte, for new and for kept connections.
  @Test("Requests at the service ≤ requests in the ledger ≤ the budget, and the rate holds", arguments: 0..<schedules)
  func law(seed: Int) async throws {
    var random = SeededRandom(seed: UInt64(seed))
    let fixture = try HostileFixture(seed: random.next(), isFree: seed % 3 == 0, callsPerDay: Int.random(in: 10...40, using: &random))
    try await fixture.run(queries: 60)
    #expect(fixture.faults == [])
    #expect(fixture.seen > 0, "nothing was sent, so that nothing is shown")
  }
}

/// An engine with a ledger in a file, whose only provider calls a hostile server over real HTTP.
private final class HostileFixture: Sendable {
  private static let rate = Rate(perSecond: 200, burst: 4, concurrent: 4)
  private static let answer = Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8)

  private struct State {
    var random: SeededRandom
    var start = 0.0
    var seen = 0
    var faults: [String] = []
  }
  private let state: Mutex<State>
  private let callsPerDay: Int
  private let isFree: Bool
  private let folder: TemporaryFolder
  private let ledger: Ledger

  init(seed: UInt64, isFree: Bool, callsPerDay: Int) throws {
    state = Mutex(State(random: SeededRandom(seed: seed)))
    folder = try TemporaryFolder(inMemory: true)
    ledger = Ledger(path: folder.file("ledger.db"), time: SystemTime(), log: { _, _ in })
    self.isFree = isFree
    self.callsPerDay = callsPerDay
  }

  var faults: [String] { state.withLock { $0.faults } }
  /// Requests that the server has read.
  var seen: Int { state.withLock { $0.seen } }

  func run(queries: Int) async throws {
    let server = try ScriptedServer { [self] _ in receive() }
    defer { server.stop() }
    let client = HTTPClient()
    try client.start()
    defer { client.stop() }
    let prices = isFree ? PriceTable() : PriceTable(classes: [PriceClass("suggest", micros: 2_830)], calls: [.autocomplete: "suggest"])
    let manifest = Manifest.scripted("Paid", rate: Self.rate, prices: prices)
    let limiter = RequestRateLimiter()
    limiter.set(Self.rate)
    let access = try HTTPAccess(id: "paid", manifest: manifest, baseURL: server.url, allowsPrivateAddresses: true)
    let service = HTTPService(
      manifest: manifest, http: ProviderHTTP(client, access: access, rates: [limiter], timeout: 0.1, isFree: isFree))
    let limits = BudgetLimits(callsPerDay: callsPerDay)
    let budgets = BudgetService(ledger: ledger, limits: ["paid": limits], time: SystemTime(), log: { _, _ in })
    // An open breaker would hide the behaviour of calls.
    let provider = ProviderInstance(id: "paid", service: service, timeout: 0.1, budget: limits, failureShare: 1)
    let engine = Engine(providers: [provider], budgets: budgets)
    state.withLock { $0.start = SystemTime().monotonic() }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await budgets.run() }
      group.addTask { await engine.run() }
      await ask(engine, queries)
      group.cancelAll()
    }
    let committed = requestsInFile()
    check(seen <= committed, "\(seen) requests were read, and the ledger ends with \(committed)")
    check(committed <= callsPerDay, "the ledger holds \(committed) requests of \(callsPerDay)")
  }

  private func ask(_ engine: Engine, _ queries: Int) async {
    await withTaskGroup(of: Void.self) { group in
      for user in 0..<4 {
        group.addTask {
          for number in 0..<queries / 4 {
            var parameters = Autocomplete.Parameters(query: "\(user) \(number)")
            parameters.deadlineMs = 150
            _ = try? await engine.autocomplete(parameters, caller: EngineCaller(user: UInt32(user)), partial: nil)
          }
        }
      }
    }
  }

  /// The server has read a request: the ledger holds it already, and the rate allowed it.
  private func receive() -> [ScriptedServer.Step] {
    state.withLock { state in
      // Requests are counted one at a time, so that no later one is compared with an earlier state of the ledger.
      state.seen += 1
      let committed = requestsInFile()
      if state.seen > committed { state.faults.append("request \(state.seen) was read when the ledger held \(committed)") }
      let allowed = Double(Self.rate.burst) + (Self.rate.perSecond ?? 0) * (SystemTime().monotonic() - state.start)
      if Double(state.seen) > allowed { state.faults.append("\(state.seen) requests were read when the rate allowed \(allowed)") }
      return HostileFixture.steps(&state.random)
    }
  }

  /// The requests in the ledger that a daemon would find if this one were killed now; -1 if its file cannot be read.
  private func requestsInFile() -> Int {
    let requests = Mutex(-1)
    let isRead = DispatchSemaphore(value: 0)
    // Between two of the ledger's writes, since a copy that is made during a write may be incomplete.
    ledger.executor.perform { [folder] in
      let count = try? Self.requests(in: folder)
      requests.withLock { $0 = count ?? -1 }
      isRead.signal()
    }
    isRead.wait()
    return requests.withLock { $0 }
  }

  private static func requests(in folder: TemporaryFolder) throws -> Int {
    for suffix in ["", "-wal"] {
      let bytes = try Files.read(folder.file("ledger.db" + suffix), limit: 1 << 24) ?? []
      try Files.replace(folder.file("copy.db" + suffix), with: bytes)
    }
    let copy = try Database(folder.file("copy.db"), mode: .readWrite)
    return try copy.integer("SELECT sum(reserved_calls + spent_calls) FROM entries WHERE provider = 'paid'") ?? 0
  }

  private func check(_ holds: Bool, _ fault: String) {
    if !holds { state.withLock { $0.faults.append(fault) } }
  }

  private static func steps(_ random: inout SeededRandom) -> [ScriptedServer.Step] {
    let part = Array(answer.prefix(Int.random(in: 0..<answer.count, using: &random)))
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return [.close]
    case 1: return [.reset]
    case 2: return [.send(part), .close]
    case 3: return [.send(part), .reset]
    case 4: return [.send(part), .wait(1)]
    case 5: return [.wait(Double.random(in: 0...0.12, using: &random)), .send(answer)]
    default: return [.send(answer)]
    }
  }
}
