import Foundation
import Storage
import Resilience
import PlacesAPI
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import QueryEngine

/// Random users, sessions, failures, reloads and clocks against the whole engine, one task at a time in an order that the seed decides.
@Suite("Random operations never violate the engine's guarantees")
struct RandomOperationsTests {
  private static let worlds = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1" ? 1_000 : 10
  private static let operations = 100

  @Test(
    "Limit ≥ ledger ≥ calls; no answer after its lifetime; no call while a breaker is open; one token a session; a reply to every request")
  func promises() {
    for seed in 1...Self.worlds {
      let trial = Trial(seed: UInt64(seed))
      for _ in 0..<Self.operations { trial.step() }
      trial.end()
      guard trial.faults.isEmpty else {
        Issue.record("seed \(seed): \(trial.faults.joined(separator: "; "))")
        return
      }
      #expect(trial.requests >= 20, "the trial did next to nothing")
    }
  }
}

/// One random run: operations on an engine, and the checks of their effects.
private final class Trial {
  private static let cap = 12
  private let simulation: Simulation
  private let ledger: MemoryLedger
  private let budgets: BudgetService
  private let fixture: EngineFixture
  private let treasuryTask: Running<Void>
  private let watch: Watch
  private var random: SeededRandom
  private var pending: [(request: Running<Result<Autocomplete.Result, APIError>>, due: Double)] = []
  private var searches: [(request: Running<Void>, due: Double)] = []
  private let sessions = (0..<3).map { _ in SessionID() }
  private(set) var requests = 0

  var faults: [String] { watch.faults }

  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    simulation = Simulation(seed: seed)
    ledger = MemoryLedger(time: simulation.time)
    let limits = BudgetLimits(callsPerDay: Trial.cap)
    budgets = BudgetService(ledger: ledger, limits: ["paid": limits], time: simulation.time, log: { _, _ in })
    treasuryTask = simulation.start { [budgets] in await budgets.run() }
    let watch = Watch(seed: seed, time: simulation.time, ledger: ledger, cap: Trial.cap)
    self.watch = watch
    fixture = EngineFixture(seed: seed, budgets: budgets, storesAnswers: true, simulation: simulation, Watch.providers(watch))
    watch.engine = fixture.engine
  }

  func step() {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<50: ask()
    case 50..<53: search()
    case 53: reverse()
    case 54..<58: if let victim = pending.randomElement(using: &random) { victim.request.cancel() }
    case 58..<84: simulation.pass(Double.random(in: 0...0.4, using: &random))
    case 84..<88: simulation.pass(Double.random(in: 1...200, using: &random))
    case 88..<92: details()
    case 92: if let session = sessions.randomElement(using: &random) { fixture.select("paid:1", in: session, user: 1) }
    case 93: ledger.fail(1)
    case 94: fixture.engine.resume("flaky")
    case 95: simulation.time.setWall(simulation.time.wall() - 40_000)
    case 96: reload()
    case 97: simulation.pass(Double.random(in: 3_000...90_000, using: &random))
    default: simulation.settle()
    }
    check()
  }

  func end() {
    simulation.pass(40)
    check()
    for (request, _) in pending where request.value == nil { watch.fault("a request was lost") }
    for (request, _) in searches where request.value == nil { watch.fault("a search was lost") }
    treasuryTask.cancel()
    simulation.settle()
  }

  private func ask() {
    requests += 1
    let user = UInt32.random(in: 1...2, using: &random)
    let session = Int.random(in: 0..<sessions.count, using: &random)
    // The text contains the session, so that the services can detect a token that is used for two sessions.
    let text = "u\(user)s\(session) " + String("berlin".prefix(Int.random(in: 2...6, using: &random)))
    let deadline = Int.random(in: 10...800, using: &random)
    let seq = Bool.random(using: &random) ? requests : nil
    let mode = [CacheMode.standard, .standard, .standard, .only, .refresh, .bypass].randomElement(using: &random) ?? .standard
    let streams = Bool.random(using: &random)
    let request = fixture.ask(text, user: user) {
      $0.session = sessions[session]
      $0.seq = seq
      $0.deadlineMs = deadline
      $0.cache = mode
      $0.stream = streams
    } partial: { _, _, _, _ in
    } done: { [watch] in
      watch.read($0)
    }
    pending.append((request, simulation.time.monotonic() + Double(deadline) / 1000))
    if Bool.random(using: &random) { simulation.settle() }
  }

  private func details() {
    let user = UInt32.random(in: 1...2, using: &random)
    guard let session = sessions.randomElement(using: &random) else { return }
    let result = fixture.details("paid:1", fields: [.name, .website], session: session, user: user)
    switch result {
    case .success(let details)?:
      let name = details.place.values[.name]?.string
      if details.place.id.text != "paid:1" || name != "Berlin" {
        watch.fault("details of paid:1 are \(details.place.id), \(name ?? "nameless")")
      }
      if details.attributions.isEmpty { watch.fault("details come without credit") }
    case .failure(let error)?:
      let known: [APIError.Name] = [.allProvidersFailed, .deadlineExceeded, .quotaExceeded]
      if !known.contains(error.name) { watch.fault("details end with \(error.name)") }
    case nil: watch.fault("a details request was lost")
    }
  }

  /// Searches from page to page: every row once, each of a provider's rows in its order, and an end.
  private func search() {
    requests += 1
    let user = UInt32.random(in: 1...2, using: &random)
    let deadline = Int.random(in: 10...800, using: &random)
    var parameters = Search.Parameters(query: "museum", fields: [.placeID, .name])
    parameters.limit = Int.random(in: 2...9, using: &random)
    parameters.deadlineMs = deadline
    parameters.stream = Bool.random(using: &random)
    parameters.providers = Bool.random(using: &random) ? ["flaky", "paced"] : ["local", "flaky"]
    let (first, engine, watch, pages) = (parameters, fixture.engine, watch, 12)
    let request = simulation.start { [time = simulation.time] in
      var parameters = first
      var seen: Set<PlaceID> = []
      for _ in 0..<pages {
        let start = time.monotonic()
        let result = try? await engine.search(parameters, caller: EngineCaller(user: user)) { _, rows, _, _ in
          watch.read(rows, after: [])
        }
        if time.monotonic() - start > Double(deadline) / 1000 + 0.01 { watch.fault("a page is late") }
        guard let result else { return }
        watch.read(result.places, after: seen)
        seen.formUnion(result.places.map(\.id))
        guard let token = result.nextPageToken else { return }
        parameters.pageToken = token
      }
    }
    searches.append((request, simulation.time.monotonic() + Double(pages * deadline) / 1000))
  }

  private func reverse() {
    requests += 1
    guard let here = Coordinate(latitude: 52.5, longitude: 13.4) else { return }
    var parameters = Reverse.Parameters(location: here)
    parameters.deadlineMs = Int.random(in: 10...800, using: &random)
    let (final, engine, watch) = (parameters, fixture.engine, watch)
    let request = simulation.start {
      guard let result = try? await engine.reverse(final, caller: EngineCaller(user: 1)) else { return }
      watch.read(result.places, after: [])
      let distances = result.places.compactMap(\.distance)
      // The rows of a single provider remain in its order.
      if Set(result.places.flatMap { $0.sources.map(\.provider) }).count > 1, distances != distances.sorted() {
        watch.fault("what is farther stands before what is nearer")
      }
    }
    searches.append((request, simulation.time.monotonic() + 0.8))
  }

  /// Some reloads restart every service, others change nothing.
  private func reload() {
    let isSame = Bool.random(using: &random)
    let services = fixture.services.sorted { $0.key < $1.key }
    fixture.engine.replaceProviders(
      services.compactMap { id, service in
        isSame ? fixture.engine.provider(id)?.instance : ProviderInstance(id: id, service: service, timeout: 2)
      })
  }

  private func check() {
    let now = simulation.time.monotonic()
    for (request, due) in pending {
      if request.value == nil, now > due + 0.2 { watch.fault("an answer is \(now - due) s late") }
    }
    pending.removeAll { $0.request.value != nil }
    for (request, due) in searches where request.value == nil && now > due + 0.2 { watch.fault("a search is \(now - due) s late") }
    searches.removeAll { $0.request.value != nil }
    // No session here is so long that its end makes a call of it free.
    if !ledger.saved(by: .sessions).isZero { watch.fault("\(ledger.saved(by: .sessions)) were given back") }
  }
}

/// Sees every call that reaches a service and every answer that reaches a client.
private final class Watch: Sendable {
  private struct State {
    var random: SeededRandom
    var faults: [String] = []
    var sent = 0
    var owners: [String: String] = [:]
    var ended: Set<String> = []
    var paced: [Double] = []
  }
  private let state: Mutex<State>
  private let held = Mutex<Engine?>(nil)
  private let time: ManualTime
  private let ledger: MemoryLedger
  private let cap: Int

  init(seed: UInt64, time: ManualTime, ledger: MemoryLedger, cap: Int) {
    state = Mutex(State(random: SeededRandom(seed: seed &+ 1)))
    self.time = time
    self.ledger = ledger
    self.cap = cap
  }

  var faults: [String] { state.withLock { $0.faults } }
  var engine: Engine? {
    get { held.withLock { $0 } }
    set { held.withLock { $0 = newValue } }
  }

  func fault(_ text: String) { state.withLock { $0.faults.append(text) } }

  static let prices = PriceTable(
    classes: [PriceClass("suggest", micros: 2_830), PriceClass("essentials", micros: 5_000)],
    calls: [.autocomplete: "suggest", .details: "essentials"])

  static func providers(_ watch: Watch) -> [String: EngineFixture.ScriptedProvider] {
    var strict = Terms.testing
    strict.otherSeconds = 100
    strict.staleSeconds = 50
    return [
      "paid": .init(
        manifest: .scripted(
          "Paid", terms: strict, prices: prices, sessions: SessionRule(endings: ["essentials": .first(12)], idleSeconds: 180)), timeout: 2
      ) { call, _ in watch.paid(call) },
      "flaky": .init(manifest: .scripted("Flaky", rate: Rate(concurrent: 2), pages: true), timeout: 2) { call, _ in watch.flaky(call) },
      "paced": .init(manifest: .scripted("Paced", terms: .nothing, rate: Rate(perSecond: 1, concurrent: 4)), timeout: 2) { call, _ in
        watch.paced(call)
      },
      "local": .init(manifest: .scripted("Local", narrows: true, remote: false, pages: true), answersImmediately: true) { call, _ in
        if case .autocomplete = call { watch.rows("local", 0) } else { .places(Watch.places("local", call), next: Watch.next(call)) }
      },
    ]
  }

  // MARK: Services

  private func paid(_ call: ProviderCall) -> ScriptedService.Behaviour {
    let isLost = state.withLock { state in
      if Int.random(in: 0..<8, using: &state.random) == 0 {
        // A request that is rejected does not end earlier ones.
        if case .autocomplete = call { check(token: call, &state) }
        return true
      }
      countRequest(call, &state)
      check(token: call, &state)
      return false
    }
    if isLost { return .unsent(ProviderError(.connect, "connection refused"), after: 0.05) }
    let requests = state.withLock { Int.random(in: 0..<4, using: &$0.random) == 0 ? 2 : 1 }
    return .several(requests, sent: { self.state.withLock { self.countRequest(call, &$0) } }, behave("paid", call))
  }

  private func countRequest(_ call: ProviderCall, _ state: inout State) {
    // One that costs nothing is counted in memory while the ledger fails.
    switch call {
    case .autocomplete, .details: state.sent += 1
    default: break
    }
    let days = ledger.committed("paid")
    let written = days.values.reduce(0) { $0 + $1.calls }
    if state.sent > written { state.faults.append("\(state.sent) calls were sent, \(written) are in the ledger") }
    for (day, committed) in days where committed.calls > cap {
      state.faults.append("\(committed.calls) calls are in the ledger for day \(day.number), \(cap) are allowed")
    }
  }

  private func check(token call: ProviderCall, _ state: inout State) {
    switch call {
    case .autocomplete(let request):
      // A call whose session ended while it waited has no token.
      guard let token = request.sessionToken else { return }
      let owner = String(request.query.prefix(4))
      if state.owners.updateValue(owner, forKey: token).map({ $0 != owner }) ?? false {
        state.faults.append("a token went to two sessions")
      }
      if state.ended.contains(token) { state.faults.append("a token was used after its session's end") }
    case .details(let request):
      guard let token = request.sessionToken else { return }
      if !state.ended.insert(token).inserted { state.faults.append("a token ended two sessions") }
      if state.owners[token] == nil { state.faults.append("a token ended a session that it had not begun") }
    default: return
    }
  }

  private func flaky(_ call: ProviderCall) -> ScriptedService.Behaviour {
    if case .open(let suspension)? = engine?.provider("flaky")?.gate.breakerState {
      fault("a call was made while the breaker was open: \(suspension.message)")
    }
    let dice = state.withLock { Int.random(in: 0..<10, using: &$0.random) }
    switch dice {
    case 0..<5: return .failure(ProviderError(.http, "answered 500"), after: 0.01)
    case 5: return .hanging
    case 6: return .deaf(5)
    case 7: return .failure(ProviderError(.rateLimit, "answered 429", retryAfterSeconds: 30))
    default: return behave("flaky", call)
    }
  }

  private func paced(_ call: ProviderCall) -> ScriptedService.Behaviour {
    let now = time.monotonic()
    state.withLock { state in
      if let last = state.paced.last, now - last < 1 - 1e-9 { state.faults.append("two calls within \(now - last) s") }
      state.paced.append(now)
    }
    return behave("paced", call)
  }

  private func behave(_ provider: String, _ call: ProviderCall) -> ScriptedService.Behaviour {
    let delay = state.withLock { Double.random(in: 0...1, using: &$0.random) }
    switch call {
    case .autocomplete, .photo: break
    case .details: return .places([.named("Berlin", id: "1")], after: delay * delay)
    case .search, .reverse, .geocode: return .places(Watch.places(provider, call), next: Watch.next(call), after: delay * delay)
    }
    return rows(provider, delay * delay)
  }

  private static func page(_ call: ProviderCall) -> Int {
    if case .search(let request) = call { request.pageToken.flatMap(Int.init) ?? 0 } else { 0 }
  }

  /// Four pages, of a search alone.
  static func next(_ call: ProviderCall) -> String? {
    if case .search = call, page(call) < 3 { "\(page(call) + 1)" } else { nil }
  }

  /// Rows of a page, each with its own location and name.
  static func places(_ provider: String, _ call: ProviderCall) -> [Place] {
    let page = page(call)
    return (page * 5..<page * 5 + 5).map { number in
      .named(
        "\(provider) museum \(number)", id: "\(number)",
        at: Coordinate(latitude: 52.5 + Double((number * 7) % 20) / 10, longitude: provider == "local" ? 13.4 : 14.4))
    }
  }

  /// A row whose id contains the time at which it was fetched.
  func rows(_ provider: String, _ delay: Double) -> ScriptedService.Behaviour {
    .suggestions([.city("Berlin of \(provider)", id: "\(time.monotonic() + delay)")], exhaustive: true, after: delay)
  }

  // MARK: Answers

  func read(_ rows: [PlaceRow], after seen: Set<PlaceID>) {
    if Set(rows.map(\.id)).count != rows.count { fault("a row stands twice in one list") }
    if Set(rows.map(\.row)).count != rows.count { fault("two rows have one key") }
    for row in rows where seen.contains(row.id) { fault("\(row.id) comes again on a later page") }
    for row in rows where row.sources.isEmpty || row.attributions.isEmpty { fault("\(row.id) comes without source or credit") }
  }

  func read(_ result: Autocomplete.Result) {
    let limits = ["paid": (100.0, 150.0), "flaky": (3_600, 7_200), "paced": (0, 0), "local": (3_600, 7_200)]
    for report in result.providers {
      guard let served = report.served, served != .live, report.outcome == .ok, let (fresh, all) = limits[report.provider] else { continue }
      let limit = served == .stale ? all : fresh
      for source in result.suggestions.flatMap(\.sources) where source.provider == report.provider {
        guard let fetched = source.id.flatMap({ Double($0.native) }) else { continue }
        let age = time.monotonic() - fetched
        // The answer may have left a moment after it was found.
        if age > limit + 0.9 { fault("\(report.provider) \(served.rawValue) is \(age) s old") }
      }
    }
  }
}
