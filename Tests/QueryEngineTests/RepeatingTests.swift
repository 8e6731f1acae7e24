import PlacesAPI
import PlacesKit
import PlacesTesting
import Testing

@testable import QueryEngine

@Suite("Repeatable answers")
struct RepeatingTests {
  /// Until when the answer to a text may be given again, in seconds from now; nil where it may not be.
  private func repeatable(_ world: World, _ query: String = "berl", in session: SessionID? = nil) -> Double? {
    let engine = world.engine
    var parameters = Autocomplete.Parameters(query: query)
    parameters.session = session
    let running = world.simulation.start { [parameters] () -> Double? in
      (try? await engine.repeatableAutocomplete(parameters, caller: EngineCaller(user: 1)))?.1?.until
    }
    return (world.simulation.finish(running) ?? nil).map { $0 - world.time.monotonic() }
  }

  private func until(_ terms: Terms = .testing, _ script: @escaping @Sendable (ProviderCall, Int) -> ScriptedService.Behaviour) -> Double? {
    repeatable(World(keeps: true, ["a": .init(manifest: .scripted("A", terms: terms), script: script)]))
  }

  /// A session whose first request waits for its provider, and an answer that may be given again to its next one.
  private func asked(_ world: World) throws -> (SessionID, old: Running<Result<Autocomplete.Result, APIError>>, answer: Cacheability) {
    let session = SessionID()
    let old = world.ask("ber") {
      $0.session = session
      $0.seq = 1
    }
    world.simulation.settle()
    return (session, old, Cacheability(until: .infinity, query: "berl", clients: [try #require(world.engine.provider("a"))]))
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

  @Test("A clock that is set back does not extend a lifetime")
  func setBack() {
    var terms = Terms.testing
    (terms.idsSeconds, terms.coordinatesSeconds, terms.otherSeconds, terms.staleSeconds) = (400, 400, 400, 0)
    let world = World(keeps: true, ["a": .init(manifest: .scripted("A", terms: terms)) { _, _ in .suggestions([.city("Berlin")]) }])
    #expect(repeatable(world) == 300)
    world.simulation.pass(395)
    world.time.setWall(world.time.wall() - 350)
    #expect(repeatable(world) == 5)
    world.simulation.pass(10)
    #expect(repeatable(world) == 300, "what was asked for just now is as new as by any other clock")
  }

  @Test("A narrowed answer has the age of its source, also if the clock was set back before")
  func narrowed() {
    var terms = Terms.testing
    (terms.idsSeconds, terms.coordinatesSeconds, terms.otherSeconds, terms.staleSeconds) = (400, 400, 400, 0)
    let world = World(
      keeps: true,
      ["a": .init(manifest: .scripted("A", narrows: true, terms: terms)) { _, _ in .suggestions([.city("Berlin")], exhaustive: true) }])
    let session = SessionID()
    world.time.setWall(world.time.wall() - 350)
    #expect(repeatable(world, "ber", in: session) == 300)
    world.simulation.pass(150)
    #expect(repeatable(world, "berl", in: session) == 250)
    #expect(world.asked("a").count == 1)
  }

  @Test("An answer in which a provider failed, or that is stale, is not repeated")
  func failures() {
    let world = World(
      keeps: true,
      [
        "a": .init(manifest: .scripted("A")) { _, number in .suggestions([.city("Berlin")], after: number == 0 ? 0 : 0.5) },
        "b": .init(manifest: .scripted("B")) { call, number in
          number == 0 ? .failure(ProviderError(.decode, "not JSON")) : .suggestions([.city("Bern")])
        },
      ])
    #expect(repeatable(world) == nil)
    #expect(repeatable(world) != nil)
    world.simulation.pass(3_601)
    #expect(repeatable(world) == nil)
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
    #expect(answer?.0.providers["b"]?.outcome == .rateLimited)
    #expect(answer != nil && answer?.1 == nil)
    #expect(world.simulation.finish(slow)?.value != nil)
  }

  @Test("An answer that was ranked without the user's choices, because the disk was too slow, is repeated only for a short time")
  func unknownChoices() {
    let world = World(keeps: true, ["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) }])
    world.store?.slow(0.2)
    #expect(repeatable(world) == 2)
    world.store?.slow(0.01)
    #expect(repeatable(world) == 300)
  }

  @Test("A repeated answer that the quota forbids does not cancel the session's previous request")
  func refused() throws {
    var settings = EngineSettings()
    settings.requestsPerMinute = 1
    let world = World(settings: settings, ["a": .init(manifest: .scripted("A")) { _, _ in .hanging }])
    let (session, old, answer) = try asked(world)
    #expect(!world.engine.repeats(answer, session: session, seq: 2, user: 1_000, at: world.time.monotonic()))
    world.simulation.settle()
    #expect(old.value == nil)
    #expect(world.simulation.finish(old)?.error?.name == .deadlineExceeded)
  }

  @Test("A repeated answer counts against the quota, has its place in its session, and counts as a saved call")
  func effects() throws {
    var settings = EngineSettings()
    settings.requestsPerMinute = 3
    let world = World(settings: settings, keeps: true, ["a": .init(manifest: .scripted("A")) { _, _ in .hanging }])
    let (session, old, answer) = try asked(world)
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
