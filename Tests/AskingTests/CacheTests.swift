import Keeping
import PlacesAPI
import PlacesKit
import Testing

@testable import Asking

@Suite("Answers from the cache")
struct CacheTests {
  /// A provider that names its rows after the number of its call.
  private func world(
    terms: Terms = .testing, after: Double = 0, answersAtOnce: Bool = false, fails: @escaping @Sendable (Int) -> Bool = { _ in false }
  ) -> World {
    World(
      keeps: true,
      [
        "a": .init(manifest: .scripted("A", terms: terms), timeout: 20, answersAtOnce: answersAtOnce) { _, number in
          fails(number)
            ? .failure(ProviderError(.http, "answered 500"), after: after)
            : .suggestions([.city("Berlin \(number)")], after: after)
        }
      ])
  }

  private func served(_ result: Result<Autocomplete.Result, APIError>?) -> ProviderReport.Served? {
    result?.value?.providers["a"]?.served
  }

  private func text(_ result: Result<Autocomplete.Result, APIError>?) -> String? { result?.value?.suggestions.first?.text.text }

  @Test("What was asked before is answered from the cache until the terms forbid it", arguments: [false, true])
  func fresh(answersAtOnce: Bool) {
    let world = world(terms: .forAnHour, answersAtOnce: answersAtOnce)
    #expect(served(world.answer("berl")) == .live)
    #expect(served(world.answer("berl")) == .cache)
    world.simulation.pass(3_599)
    #expect(served(world.answer("berl")) == .cache)
    world.simulation.pass(1)
    #expect(served(world.answer("berl")) == .live)
    #expect(world.asked("a").count == 2)
  }

  @Test(
    "Only what comes from elsewhere outlives the daemon: this machine's own files may be replaced while none runs",
    arguments: [false, true])
  func disk(remote: Bool) {
    let world = World(
      keeps: true, ["a": .init(manifest: .scripted("A", remote: remote)) { _, _ in .suggestions([.city("Berlin")]) }])
    #expect(served(world.answer("berl")) == .live)
    #expect(served(world.answer("berl")) == .cache)
    #expect(world.store?.answersForDisk.load(ordering: .relaxed) == (remote ? 1 : 0))
  }

  @Test("Nothing found is remembered for its own time")
  func negative() {
    let world = World(keeps: true, ["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([]) }])
    #expect(world.answer("xyzzy")?.value?.providers["a"]?.served == .live)
    #expect(world.answer("xyzzy")?.value?.providers["a"]?.served == .cache)
    world.simulation.pass(61)
    #expect(world.answer("xyzzy")?.value?.providers["a"]?.served == .live)
  }

  @Test("An error is never remembered as an answer")
  func errors() {
    let world = world(fails: { $0 == 0 })
    #expect(world.answer("berl")?.error?.name == .allProvidersFailed)
    #expect(served(world.answer("berl")) == .live)
  }

  @Test("A user does not see what another has asked, in rows or in how they were served")
  func users() {
    let world = world()
    #expect(served(world.answer("berl", user: 1)) == .live)
    #expect(served(world.answer("berl", user: 2)) == .live)
    #expect(world.answer("berl", user: 3) { $0.cache = .only }?.error?.name == .unsupported)
    #expect(served(world.answer("berl", user: 1) { $0.cache = .only }) == .cache)
  }

  @Test("With `only` nobody is asked, with `refresh` and `bypass` always, and `bypass` leaves nothing behind")
  func modes() {
    let world = world()
    let error = world.answer("berl") { $0.cache = .only }?.error
    #expect(error?.name == .unsupported)
    #expect(error?.data["providers"]?[0]?["cause"]?.string == "cache")
    #expect(error?.message.hasPrefix("no answer to this is kept") == true)
    #expect(world.asked("a").isEmpty)
    #expect(served(world.answer("berl") { $0.cache = .bypass }) == .live)
    #expect(world.answer("berl") { $0.cache = .only }?.error != nil)
    #expect(served(world.answer("berl") { $0.cache = .refresh }) == .live)
    #expect(served(world.answer("berl") { $0.cache = .refresh }) == .live)
    #expect(text(world.answer("berl") { $0.cache = .only }) == "Berlin 2")
    #expect(world.asked("a").count == 3)
  }

  @Test("A late answer is found by who asks next")
  func late() {
    let world = world(after: 2)
    #expect(world.answer("berl")?.error?.name == .deadlineExceeded)
    world.simulation.pass(1.5)
    #expect(served(world.answer("berl")) == .cache)
    #expect(world.asked("a").count == 1)
  }

  @Test("An expired answer is given after 150 ms of waiting, and the fresh one goes on into the cache")
  func stale() {
    let world = World(
      keeps: true,
      [
        "a": .init(manifest: .scripted("A"), timeout: 20) { _, number in
          .suggestions([.city("Berlin \(number)")], after: number == 0 ? 0 : 0.5)
        }
      ])
    _ = world.answer("berl")
    world.simulation.pass(3_601)
    let start = world.time.monotonic()
    let result = world.answer("berl")
    #expect(abs(world.time.monotonic() - start - 0.15) < 1e-6)
    #expect(served(result) == .stale)
    #expect(text(result) == "Berlin 0")
    #expect(result?.value?.complete == true)
    world.simulation.pass(0.5)
    #expect(text(world.answer("berl")) == "Berlin 1")
    #expect(world.asked("a").count == 2)
  }

  @Test("Where the deadline comes before that wait is over, the expired answer is given by then", arguments: [(100, 0.095), (150, 0.1425)])
  func staleAtTheDeadline(milliseconds: Int, wait: Double) {
    let world = world()
    _ = world.answer("berl")
    world.simulation.pass(3_601)
    world.services["a"]?.behave { _, _ in .suggestions([.city("Bern")], after: 0.5) }
    let start = world.time.monotonic()
    #expect(served(world.answer("berl") { $0.deadlineMs = milliseconds }) == .stale)
    #expect(abs(world.time.monotonic() - start - wait) < 1e-6)
    world.simulation.pass(0.5)
    #expect(text(world.answer("berl")) == "Bern")
  }

  @Test("While a provider is down, what is stale is given at once, and never past what the terms allow")
  func down() {
    let world = World(
      keeps: true,
      [
        "a": .init(manifest: .scripted("A")) { _, number in
          number == 0 ? .suggestions([.city("Berlin")]) : .failure(ProviderError(.credentials, "the key is not valid"))
        }
      ])
    _ = world.answer("berl")
    world.simulation.pass(3_601)
    #expect(served(world.answer("berl")) == .stale)
    let start = world.time.monotonic()
    #expect(served(world.answer("berl")) == .stale)
    #expect(world.time.monotonic() == start)
    world.simulation.pass(3_600)
    #expect(world.answer("berl")?.error?.name == .allProvidersFailed)
  }

  @Test("A thousand requests that come while an answer arrives make one call")
  func thundering() {
    let world = world(after: 0.05)
    let requests = (0..<200).map { _ in world.ask("berl") }
    world.simulation.pass(0.05)
    let more = (0..<200).map { _ in world.ask("berl") }
    for request in requests + more { #expect(world.simulation.finish(request)?.value != nil) }
    #expect(world.asked("a").count == 1)
  }

  @Test("Terms that allow no keeping leave nothing behind")
  func nothing() {
    let world = world(terms: .nothing)
    _ = world.answer("berl")
    #expect(served(world.answer("berl")) == .live)
  }

  @Test("A place that the service does not know is not asked for again for a while")
  func unknownPlace() {
    let world = World(
      keeps: true, ["a": .init(manifest: .scripted("A")) { _, _ in .failure(ProviderError(.notFound, "no such place")) }])
    #expect(world.details("a:1", fields: [.name])?.error?.name == .notFound)
    #expect(world.details("a:1", fields: [.name])?.error?.name == .notFound)
    #expect(world.asked("a").count == 1)
  }

  @Test("What earlier answers told of a place saves the call for it")
  func assembled() throws {
    let world = World(keeps: true, ["a": .init(manifest: .scripted("A")) { _, _ in .places([.named("Berlin", id: "1")]) }])
    world.store?.know(
      .named("Berlin", id: "1", [.website: "https://berlin.de"]),
      for: PlaceKey(provider: "a", id: "1", language: "en", partition: .user(1_000)), at: 5)
    let known = try #require(world.details("a:1", fields: [.name, .website])?.value)
    #expect(known.place.values[.website] == "https://berlin.de")
    #expect(known.providers["a"]?.served == .cache)
    #expect(world.asked("a").isEmpty)
    #expect(world.details("a:1", fields: [.name, .rating])?.value != nil)
    #expect(world.asked("a").count == 1)
  }

  @Test("A slow disk delays no reply past its deadline, costs no call, and what it knows too late is left out")
  func slowDisk() throws {
    let world = world()
    world.store?.slow(30)
    let start = world.time.monotonic()
    #expect(world.answer("berl") { $0.deadlineMs = 200 }?.error?.name == .deadlineExceeded)
    #expect(world.time.monotonic() - start < 0.2 + 1e-9)
    #expect(world.asked("a").isEmpty)
    // Choices are not waited for half as long as the providers.
    world.store?.slow(0.06)
    let again = world.time.monotonic()
    #expect(world.answer("berl") { $0.deadlineMs = 120 }?.value != nil)
    #expect(world.time.monotonic() - again < 0.1)
  }

  @Test("What is purged is forgotten by the engine, too: choices, rows that were shown, pages and sessions' answers")
  func forgetting() throws {
    let session = SessionID()
    let world = World(
      keeps: true,
      [
        "a": .init(manifest: .scripted("A", narrows: true, pages: true)) { call, _ in
          if case .search = call { return .places([.named("Berlin", id: "1")], next: "more") }
          return .suggestions([.city("Berlin", id: "1")], exhaustive: true)
        }
      ])
    func known(_ query: String) -> Bool { world.answer(query) { $0.session = session }?.value?.providers["a"]?.served == .cache }
    func boosts() -> [String: Double]? {
      world.simulation.finish(
        world.simulation.start { [engine = world.engine] in await engine.boosts(for: "ber", of: 1_000, deadline: engine.now + 1) })
    }
    #expect(world.search("berlin")?.value?.nextPageToken != nil)
    #expect(!known("ber"))
    #expect(known("berl"))
    world.engine.shown.join(["a:1", "b:2"], for: 1_000)
    let other = SessionID()
    _ = world.answer("ber") { $0.session = other }
    world.select("a:1", in: other)
    #expect(boosts()?["a:1"] != nil)
    world.engine.forget(CacheShare(provider: "b"))
    #expect(world.engine.pages.count == 1)
    #expect(boosts()?["a:1"] != nil)
    world.engine.forget(CacheShare(provider: "a"))
    #expect(world.engine.pages.count == 0)
    #expect(boosts() == [:])
    #expect(!known("berli"))
    #expect(world.engine.shown.others(of: try #require(PlaceID("a:1")), for: 1_000).isEmpty)
  }

  @Test("Chosen places rise for the user who chose them, unless that is switched off")
  func learning() throws {
    let session = SessionID()
    let cast: [String: World.Cast] = [
      "a": .init(manifest: .scripted("A")) { _, _ in
        .suggestions([.city("Berlin", id: "1"), .city("Bernau", id: "2"), .city("Berlin", id: "3")])
      }
    ]
    let world = World(keeps: true, cast)
    #expect(world.answer("ber") { $0.session = session }?.value != nil)
    world.select("a:3", in: session)
    #expect(world.store?.cache != nil)
    let own = world.simulation.finish(
      world.simulation.start { [engine = world.engine] in await engine.boosts(for: "ber", of: 1_000, deadline: engine.now + 1) })
    #expect(try #require(own?["a:3"]) > 0.5)
    let others = world.simulation.finish(
      world.simulation.start { [engine = world.engine] in await engine.boosts(for: "ber", of: 1_001, deadline: engine.now + 1) })
    #expect(others == [:])
    world.engine.settings.withLock { $0.learns = false }
    let off = world.simulation.finish(
      world.simulation.start { [engine = world.engine] in await engine.boosts(for: "ber", of: 1_000, deadline: engine.now + 1) })
    #expect(off == [:])
  }

  @Test("A chosen place that stands below the rows asked for rises too, where a provider that answers at once has it further down")
  func learningFurther() throws {
    let world = World(
      keeps: true,
      [
        "a": .init(manifest: .scripted("A", remote: false), answersAtOnce: true) { call, _ in
          guard case .autocomplete(let request) = call else { return .suggestions([]) }
          return .suggestions((1...20).prefix(request.limit).map { .city("Bern \($0)", id: "\($0)") })
        },
        "b": .init(manifest: .scripted("B")) { _, _ in .suggestions([.city("Berlin", id: "1")]) },
      ])
    func ids(of user: UInt32) -> [String]? {
      world.answer("ber", user: user) { ($0.limit, $0.providers) = (3, ["a"]) }?.value?.suggestions.compactMap { $0.id?.text }
    }
    for id in ["a:12", "b:7"] {
      for _ in 0..<6 {
        let session = SessionID()
        _ = world.answer("bern") { $0.session = session }
        world.select(id, in: session)
      }
    }
    #expect(ids(of: 1_000) == ["a:12", "a:1", "a:2"])
    #expect(ids(of: 1_001) == ["a:1", "a:2", "a:3"])
    world.engine.settings.withLock { $0.learns = false }
    #expect(ids(of: 1_000) == ["a:1", "a:2", "a:3"])
    let before = world.asked("b").count
    world.engine.settings.withLock { $0.learns = true }
    _ = world.answer("berl") { $0.limit = 3 }
    guard case .autocomplete(let request) = try #require(world.asked("b").dropFirst(before).first).call else { return }
    #expect(request.limit == 3)
  }
}

@Suite("Answers that are given again as a whole")
struct RepeatingTests {
  private func until(_ terms: Terms = .testing, _ script: @escaping @Sendable (ProviderCall, Int) -> ScriptedService.Behaviour) -> Double? {
    let world = World(keeps: true, ["a": .init(manifest: .scripted("A", terms: terms), script: script)])
    let engine = world.engine
    let running = world.simulation.start { () -> Double? in
      (try? await engine.repeatableAutocomplete(Autocomplete.Parameters(query: "berl"), caller: EngineCaller(user: 1)))?.1?.until
    }
    return (world.simulation.finish(running) ?? nil).map { $0 - world.time.monotonic() }
  }

  @Test("An answer may be repeated as long as its terms last, and for five minutes at most")
  func times() {
    #expect(until { _, _ in .suggestions([.city("Berlin")]) } == 300)
    #expect(until { _, _ in .suggestions([]) } == 60)
    #expect(until(.nothing) { _, _ in .suggestions([.city("Berlin")]) } == nil)
    var terms = Terms.testing
    terms.coordinatesSeconds = 10
    #expect(until(terms) { _, _ in .suggestions([.city("Berlin")]) } == 10)
  }

  @Test("An answer that a provider failed to join, or that is stale, is not repeated")
  func failures() {
    let world = World(
      keeps: true,
      [
        "a": .init(manifest: .scripted("A")) { _, number in .suggestions([.city("Berlin")], after: number == 0 ? 0 : 0.5) },
        "b": .init(manifest: .scripted("B")) { call, number in
          number == 0 ? .failure(ProviderError(.decode, "not JSON")) : .suggestions([.city("Bern")])
        },
      ])
    let engine = world.engine
    func ask() -> Double? {
      world.simulation.finish(
        world.simulation.start { () -> Double? in
          (try? await engine.repeatableAutocomplete(Autocomplete.Parameters(query: "berl"), caller: EngineCaller(user: 1)))?.1?.until
        }) ?? nil
    }
    #expect(ask() == nil)
    #expect(ask() != nil)
    world.simulation.pass(3_601)
    #expect(ask() == nil)
  }

  @Test("An answer that an overloaded daemon gave from the cache alone is not repeated")
  func overload() {
    var settings = EngineSettings()
    settings.requestsAtOnce = 1
    let world = World(
      settings: settings, keeps: true,
      [
        "a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) },
        "b": .init(manifest: .scripted("B", terms: .nothing)) { _, number in .suggestions([.city("Bern")], after: number == 1 ? 0.5 : 0) },
      ])
    let engine = world.engine
    _ = world.answer("berl")
    let slow = world.ask("bern")
    world.simulation.settle()
    let running = world.simulation.start {
      try? await engine.repeatableAutocomplete(Autocomplete.Parameters(query: "berl"), caller: EngineCaller(user: 1_000))
    }
    let answer = world.simulation.finish(running) ?? nil
    #expect(answer?.0.providers["a"]?.served == .cache)
    #expect(answer?.0.providers["b"]?.outcome == .skipped)
    #expect(answer != nil && answer?.1 == nil)
    #expect(world.simulation.finish(slow)?.value != nil)
  }

  @Test("A repeated answer that the quota forbids leaves the session's request before it alone")
  func refused() throws {
    var settings = EngineSettings()
    settings.requestsPerMinute = 1
    let world = World(settings: settings, ["a": .init(manifest: .scripted("A")) { _, _ in .hanging }])
    let session = SessionID()
    let old = world.ask("ber") {
      $0.session = session
      $0.seq = 1
    }
    world.simulation.settle()
    let answer = Repetition(until: .infinity, query: "berl", lanes: [try #require(world.engine.provider("a"))])
    #expect(!world.engine.repeats(answer, session: session, seq: 2, user: 1_000, at: world.time.monotonic()))
    world.simulation.settle()
    #expect(old.value == nil)
    #expect(world.simulation.finish(old)?.error?.name == .deadlineExceeded)
  }

  @Test("A repeated answer counts against the quota, takes its turn in its session, and saves its providers a call")
  func effects() throws {
    var settings = EngineSettings()
    settings.requestsPerMinute = 3
    let world = World(settings: settings, keeps: true, ["a": .init(manifest: .scripted("A")) { _, _ in .hanging }])
    let session = SessionID()
    let old = world.ask("ber") {
      $0.session = session
      $0.seq = 1
    }
    world.simulation.settle()
    let answer = Repetition(until: .infinity, query: "berl", lanes: [try #require(world.engine.provider("a"))])
    func repeats(_ seq: Int) -> Bool {
      world.engine.repeats(answer, session: session, seq: seq, user: 1_000, at: world.time.monotonic())
    }
    #expect(repeats(2))
    world.simulation.settle()
    #expect(old.value?.error?.name == .cancelled)
    #expect(world.engine.status(of: "a")?.counters.saved == 1)
    #expect(!repeats(1))
    #expect(repeats(3))
    #expect(!repeats(4))
  }
}

extension Terms {
  /// An hour and no longer.
  static var forAnHour: Terms {
    var terms = Terms.testing
    terms.staleSeconds = 0
    return terms
  }
}
