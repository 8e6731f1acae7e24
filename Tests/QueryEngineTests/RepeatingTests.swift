import PlacesAPI
import Storage
import PlacesKit
import PlacesTesting
import Testing

@testable import QueryEngine

@Suite("Repeatable answers")
struct RepeatingTests {
  /// The seconds for which the answer to a text may be repeated; nil if it must not be.
  private func repeatable(_ fixture: EngineFixture, _ query: String = "berl", in session: SessionID? = nil) -> Double? {
    let engine = fixture.engine
    var parameters = Autocomplete.Parameters(query: query)
    parameters.session = session
    let running = fixture.simulation.start { [parameters] () -> Double? in
      (try? await engine.repeatableAutocomplete(parameters, caller: EngineCaller(user: 1)))?.1?.expiresAt
    }
    return (fixture.simulation.finish(running) ?? nil).map { $0 - fixture.time.monotonic() }
  }

  private func until(_ terms: Terms = .testing, _ script: @escaping @Sendable (ProviderCall, Int) -> ScriptedService.Behaviour) -> Double? {
    repeatable(EngineFixture(storesAnswers: true, ["a": .init(manifest: .scripted("A", terms: terms), script: script)]))
  }

  /// A session whose first request waits for its provider, and an answer that may be repeated for its next request.
  private func sessionWithAnswer(_ fixture: EngineFixture) throws -> (
    SessionID, old: Running<Result<Autocomplete.Result, APIError>>, answer: Cacheability
  ) {
    let session = SessionID()
    let old = fixture.ask("ber") {
      $0.session = session
      $0.seq = 1
    }
    fixture.simulation.settle()
    return (session, old, Cacheability(expiresAt: .infinity, query: "berl", clients: [try #require(fixture.engine.provider("a"))]))
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
    let fixture = EngineFixture(
      storesAnswers: true, ["a": .init(manifest: .scripted("A", terms: terms)) { _, _ in .suggestions([.city("Berlin")]) }])
    #expect(repeatable(fixture) == 300)
    fixture.simulation.pass(395)
    fixture.time.setWall(fixture.time.wall() - 350)
    #expect(repeatable(fixture) == 5)
    fixture.simulation.pass(10)
    #expect(repeatable(fixture) == 300, "an answer that was just fetched is new by any clock")
  }

  @Test("A narrowed answer has the age of its source, also if the clock was set back before")
  func narrowed() {
    var terms = Terms.testing
    (terms.idsSeconds, terms.coordinatesSeconds, terms.otherSeconds, terms.staleSeconds) = (400, 400, 400, 0)
    let fixture = EngineFixture(
      storesAnswers: true,
      ["a": .init(manifest: .scripted("A", narrows: true, terms: terms)) { _, _ in .suggestions([.city("Berlin")], exhaustive: true) }])
    let session = SessionID()
    fixture.time.setWall(fixture.time.wall() - 350)
    #expect(repeatable(fixture, "ber", in: session) == 300)
    fixture.simulation.pass(150)
    #expect(repeatable(fixture, "berl", in: session) == 250)
    #expect(fixture.calls(to: "a").count == 1)
  }

  @Test("An answer in which a provider failed, or that is stale, is not repeated")
  func failures() {
    let fixture = EngineFixture(
      storesAnswers: true,
      [
        "a": .init(manifest: .scripted("A")) { _, number in .suggestions([.city("Berlin")], after: number == 0 ? 0 : 0.5) },
        "b": .init(manifest: .scripted("B")) { call, number in
          number == 0 ? .failure(ProviderError(.decode, "not JSON")) : .suggestions([.city("Bern")])
        },
      ])
    #expect(repeatable(fixture) == nil)
    #expect(repeatable(fixture) != nil)
    fixture.simulation.pass(3_601)
    #expect(repeatable(fixture) == nil)
  }

  @Test("An answer that an overloaded daemon served from the cache only is not repeated")
  func overload() {
    var settings = EngineSettings()
    settings.maxConcurrentRequests = 1
    let fixture = EngineFixture(
      settings: settings, storesAnswers: true,
      [
        "a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) },
        "b": .init(manifest: .scripted("B", terms: .nothing)) { _, number in .suggestions([.city("Bern")], after: number == 1 ? 0.5 : 0) },
      ])
    let engine = fixture.engine
    _ = fixture.answer("berl")
    let slow = fixture.ask("bern")
    fixture.simulation.settle()
    let running = fixture.simulation.start {
      try? await engine.repeatableAutocomplete(Autocomplete.Parameters(query: "berl"), caller: EngineCaller(user: 1_000))
    }
    let answer = fixture.simulation.finish(running) ?? nil
    #expect(answer?.0.providers["a"]?.served == .cache)
    #expect(answer?.0.providers["b"]?.outcome == .rateLimited)
    #expect(answer != nil && answer?.1 == nil)
    #expect(fixture.simulation.finish(slow)?.value != nil)
  }

  @Test("An answer that was ranked without the user's choices, because the disk was too slow, is repeated only for a short time")
  func unknownChoices() {
    let fixture = EngineFixture(storesAnswers: true, ["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) }])
    fixture.store?.slow(0.2)
    #expect(repeatable(fixture) == 2)
    fixture.store?.slow(0.01)
    #expect(repeatable(fixture) == 300)
  }

  @Test("A repeated answer that the quota forbids does not cancel the session's previous request")
  func refused() throws {
    var settings = EngineSettings()
    settings.requestsPerMinute = 1
    let fixture = EngineFixture(settings: settings, ["a": .init(manifest: .scripted("A")) { _, _ in .hanging }])
    let (session, old, answer) = try sessionWithAnswer(fixture)
    #expect(!fixture.engine.recordRepeat(of: answer, session: session, seq: 2, user: 1_000, at: fixture.time.monotonic()))
    fixture.simulation.settle()
    #expect(old.value == nil)
    #expect(fixture.simulation.finish(old)?.error?.name == .deadlineExceeded)
  }

  @Test("A repeated answer counts against the quota, has its place in its session, and counts as a saved call")
  func effects() throws {
    var settings = EngineSettings()
    settings.requestsPerMinute = 3
    let fixture = EngineFixture(settings: settings, storesAnswers: true, ["a": .init(manifest: .scripted("A")) { _, _ in .hanging }])
    let (session, old, answer) = try sessionWithAnswer(fixture)
    func repeats(_ seq: Int) -> Bool {
      fixture.engine.recordRepeat(of: answer, session: session, seq: seq, user: 1_000, at: fixture.time.monotonic())
    }
    #expect(repeats(2))
    fixture.simulation.settle()
    #expect(old.value?.error?.name == .cancelled)
    #expect(fixture.engine.status(of: "a")?.counters.saved == 1)
    #expect(!repeats(1))
    #expect(repeats(3))
    #expect(!repeats(4))
  }
}
