import QueryEngine
import Resilience
import Storage
import PlacesAPI
import PlacesKit
import PlacesTesting
import Synchronization

/// The daemon's engine with its real sessions, budgets and cache. The services and the clock are simulated.
struct Daemon {
  /// The fields of a chosen place that a map needs.
  static let fields: Set<PlaceField> = [.formattedAddress, .coordinate]
  private static let users: UInt32 = 20

  private let services: ScriptedServices
  private var simulation: Simulation { services.simulation }

  init(_ services: ScriptedServices) { self.services = services }

  /// Runs the sessions one after the other. In each one, a user types, looks at the rows for a moment, and chooses Google's first row.
  /// - Parameter pause: seconds that the client waits for another letter before it sends a request.
  func ask(_ sessions: [TypedSession], pause: Double) -> Figures {
    let budgets = BudgetService(ledger: MemoryLedger(), time: simulation.time, log: { _, _ in })
    let engine = Engine(
      providers: services.instances, budgets: budgets, cache: MemoryCache(time: simulation.time), time: simulation.time,
      random: SeededRandom(seed: 1))
    let tasks = [simulation.start { await budgets.run() }, simulation.start { await engine.run() }]
    _ = services.takeCalls()
    var figures = Figures()
    for (number, session) in sessions.enumerated() { type(session, UInt32(number) % Daemon.users, pause, engine, &figures) }
    for task in tasks { task.cancel() }
    simulation.settle()
    figures.calls = services.takeCalls()
    figures.keystrokes = sessions.reduce(0) { $0 + $1.keystrokes.count }
    figures.micros = ScriptedServices.ids.reduce(0) { $0 + budgets.report(provider: $1).month.spent.micros }
    return figures
  }

  /// Sends the requests of one session, waits for their replies, and requests the details of the chosen place.
  private func type(_ session: TypedSession, _ user: UInt32, _ pause: Double, _ engine: Engine, _ figures: inout Figures) {
    let id = SessionID()
    let start = simulation.time.monotonic()
    var requests: [Running<Autocomplete.Result?>] = []
    for (seq, keystroke) in session.paused(for: pause).enumerated() {
      simulation.pass(max(0, start + keystroke.at + pause - simulation.time.monotonic()))
      var parameters = Autocomplete.Parameters(query: keystroke.text)
      parameters.session = id
      parameters.seq = seq
      let requestParameters = parameters
      requests.append(simulation.start { try? await engine.autocomplete(requestParameters, caller: EngineCaller(user: user)) })
    }
    simulation.pass(1.5)
    for request in requests { count(request.value ?? nil, &figures) }
    guard let place = PlaceID("google:A1") else { return }
    var parameters = Details.Parameters(id: place, fields: Daemon.fields)
    parameters.session = id
    let detailsParameters = parameters
    _ = simulation.finish(simulation.start { try? await engine.details(detailsParameters, caller: EngineCaller(user: user)) })
    simulation.pass(1)
  }

  /// Counts the outcome of each provider. A request without a result counts as overtaken by a later keystroke.
  private func count(_ result: Autocomplete.Result?, _ figures: inout Figures) {
    guard let result else { return figures.count("overtaken") }
    for report in result.providers {
      let outcome: String
      switch (report.outcome, report.served) {
      case (.skipped, _): outcome = report.cause ?? "skipped"
      case (_, .live): outcome = "called"
      case (_, .some): outcome = "cached"
      default: outcome = report.outcome.rawValue
      }
      figures.count("\(report.provider): \(outcome)")
    }
  }
}

/// A ledger without a disk.
private final class MemoryLedger: SpendingLedger {
  private let latest = Mutex(0.0)
  func load() async throws(LedgerError) -> LedgerAmounts { LedgerAmounts(latestTime: latest.withLock { $0 }) }
  func historyAwaitingConfirmation() async -> LedgerAmounts? { nil }
  func write(_ page: LedgerAmounts) async throws(LedgerError) { latest.withLock { $0 = max($0, page.latestTime) } }
}

/// The cache without its disk.
private struct MemoryCache: AnswerStore {
  private let cache: Cache

  init(time: any TimeSource) {
    cache = Cache(path: "/nonexistent/cache.db", diskBytes: 0, memoryBytes: 64 << 20, time: time, log: { _, _ in })
  }

  var now: Double { cache.now }
  func lookup(_ key: AnswerKey) -> FoundAnswer? { cache.lookup(key) }
  func find(_ key: AnswerKey, onDisk: Bool) async -> FoundAnswer? { cache.lookup(key) }
  var purgeCount: Int { cache.purgeCount }
  func store(_ answer: Answer, for key: AnswerKey, under terms: Terms, onDisk: Bool, unlessPurgedSince purgeCount: Int) -> Bool {
    cache.store(answer, for: key, under: terms, onDisk: false, unlessPurgedSince: purgeCount)
  }
  func store(_ place: Place, for key: PlaceKey, under terms: Terms, unlessPurgedSince purgeCount: Int) {}
  func place(_ key: PlaceKey) async -> StoredPlace? { nil }
  func store(_ use: UserChoice, under terms: Terms) {}
  func choices(of user: UInt32) async -> [UserChoice]? { [] }
  func forgetChoices(of user: UInt32, place: String?) async -> Int? { 0 }
  func endSession(_ session: @autoclosure () -> String, of user: UInt32) { cache.endSession(session(), of: user) }
}
