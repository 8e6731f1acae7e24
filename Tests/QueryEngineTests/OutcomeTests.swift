import PlacesAPI
import PlacesKit
import Testing

@testable import QueryEngine

@Suite("Combining providers' outcomes")
struct OutcomeTests {
  @Test("With eight providers of different kinds, the reply is sent at the deadline with the rows so far and each provider's outcome")
  func eightProviders() throws {
    let fixture = EngineFixture(EngineFixture.providersOfEveryKind)
    let start = fixture.time.monotonic()
    let result = try #require(fixture.answer("berl") { $0.deadlineMs = 200 }?.value)
    // The last moment of a deadline belongs to merging, encoding and sending.
    #expect(abs(fixture.time.monotonic() - start - 0.19) < 1e-9)
    #expect(result.suggestions.count == 3)
    #expect(!result.complete)
    let outcomes = Dictionary(uniqueKeysWithValues: result.providers.map { ($0.provider, $0.outcome) })
    #expect(
      outcomes == [
        "instant": .ok, "twenty": .ok, "eighty": .ok, "slow": .timeout, "hanging": .timeout, "refusing": .error, "failing": .error,
        "broken": .error,
      ])
    #expect(result.providers["refusing"]?.cause == "connect")
    #expect(result.providers["failing"]?.cause == "http")
    #expect(result.providers["broken"]?.cause == "decode")
    #expect(result.providers["eighty"]?.latencyMs == 80)
    #expect(result.providers["instant"]?.served == .live)
    #expect(result.providers["hanging"]?.served == nil)
  }

  @Test("The client receives the detail of a provider's error, also if the reply is an error")
  func detail() throws {
    let refusal = ProviderError(.rateLimit, "too many", detail: "rateLimitExceeded")
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) },
      "b": .init(manifest: .scripted("B")) { _, _ in .failure(refusal) },
    ])
    let result = try #require(fixture.answer("berl")?.value)
    #expect(result.providers["b"]?.detail == "rateLimitExceeded" && result.providers["a"]?.detail == nil)
    let alone = EngineFixture(["b": .init(manifest: .scripted("B")) { _, _ in .failure(refusal) }])
    #expect(alone.answer("berl")?.error?.data["providers"]?[0]?["detail"]?.string == "rateLimitExceeded")
  }

  @Test("A provider that finds nothing and gives advice is an answer, with the advice as its message")
  func advice() throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A")) { _, _ in .failure(ProviderError(.notFound, "name the town")) },
      "b": .init(manifest: .scripted("B")) { _, _ in .places([]) },
    ])
    let result = try #require(fixture.search("10 High Street")?.value)
    #expect(result.places.isEmpty && result.complete)
    #expect(result.providers["a"]?.outcome == .empty && result.providers["a"]?.message == "name the town")
    #expect(result.providers["a"]?.cause == nil && result.providers["b"]?.message == nil)
  }

  @Test("All providers failing is an error and never an empty list")
  func allFail() throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A")) { _, _ in .failure(ProviderError(.http, "500")) },
      "b": .init(manifest: .scripted("B")) { _, _ in .hanging },
    ])
    let error = try #require(fixture.answer("berl")?.error)
    #expect(error.name == .allProvidersFailed)
    #expect(error.data["providers"]?.array?.count == 2)
  }

  @Test("If every provider times out, the error is a deadline error")
  func allTimeOut() throws {
    let fixture = EngineFixture(["a": .init(manifest: .scripted("A")) { _, _ in .hanging }])
    let error = try #require(fixture.answer("berl")?.error)
    #expect(error.name == .deadlineExceeded)
    #expect(error.data["providers"]?[0]?["latencyMs"]?.double == 990, "so long it was waited for")
  }

  @Test("A provider that finds nothing has answered")
  func empty() throws {
    let fixture = EngineFixture(["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([]) }])
    let result = try #require(fixture.answer("xyzzy")?.value)
    #expect(result.suggestions.isEmpty)
    #expect(result.complete)
    #expect(result.providers["a"]?.outcome == .empty)
  }

  @Test("Rows with an empty id are dropped and counted", arguments: [true, false])
  func emptyIDs(atOnce: Bool) throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A", remote: !atOnce), answersImmediately: atOnce) { _, _ in
        .suggestions([.city("Berlin"), .city("Bern", id: ""), .city("Bergen", id: "")])
      }
    ])
    let result = try #require(fixture.answer("ber")?.value)
    #expect(result.suggestions.map(\.text.text) == ["Berlin"] && result.providers["a"]?.count == 1)
    #expect(fixture.engine.status(of: "a")?.counters.dropped == 2)
  }

  @Test("If no provider can serve the request, the error has a reason for each")
  func unsupported() throws {
    let fixture = EngineFixture(["a": .init(manifest: .scripted("A", minimumLetters: 3)) { _, _ in .suggestions([]) }])
    let error = try #require(fixture.answer("be")?.error)
    #expect(error.name == .unsupported)
    #expect(error.data["providers"]?[0]?["outcome"]?.string == "skipped")
    #expect(error.data["providers"]?[0]?["cause"]?.string == "letters")
    #expect(fixture.calls(to: "a").isEmpty)
  }

  @Test("A skipped provider leaves the answer complete")
  func skippedIsComplete() throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) },
      "b": .init(manifest: .scripted("B", minimumLetters: 9)) { _, _ in .suggestions([]) },
    ])
    let result = try #require(fixture.answer("berl")?.value)
    #expect(result.complete)
    #expect(result.providers["b"]?.outcome == .skipped)
  }

  @Test("A provider that the request does not name is neither called nor reported; an unknown provider is rejected")
  func namedProviders() throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) },
      "b": .init(manifest: .scripted("B")) { _, _ in .suggestions([.city("Bern")]) },
    ])
    let result = try #require(fixture.answer("ber") { $0.providers = ["b"] }?.value)
    #expect(result.providers.map(\.provider) == ["b"])
    #expect(fixture.calls(to: "a").isEmpty)
    let error = try #require(fixture.answer("ber") { $0.providers = ["c"] }?.error)
    #expect(error.name == .invalidParams)
    #expect(error.data["parameter"] == "providers")
  }

  @Test("A provider that hangs and ignores cancellation delays neither this answer nor the next ones")
  func deaf() throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) },
      "b": .init(manifest: .scripted("B", rate: Rate(concurrent: 1)), timeout: 2) { _, number in
        number == 0 ? .deaf(100) : .suggestions([.city("Bern")])
      },
    ])
    let start = fixture.time.monotonic()
    #expect(fixture.answer("ber")?.value?.providers["b"]?.outcome == .timeout)
    #expect(abs(fixture.time.monotonic() - start - 0.99) < 1e-9)
    fixture.simulation.pass(2)
    #expect(fixture.answer("bern")?.value?.providers["b"]?.outcome == .ok)
  }

  @Test("After many failures a provider is suspended, and reports until when")
  func suspended() throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) },
      "b": .init(manifest: .scripted("B")) { _, _ in .failure(ProviderError(.http, "answered 500")) },
    ])
    for number in 0..<20 { _ = fixture.answer("ber\(number)") }
    let calls = fixture.calls(to: "b").count
    let result = try #require(fixture.answer("berlin")?.value)
    #expect(result.providers["b"]?.outcome == .suspended)
    #expect(
      result.providers["b"]?.message == "it is not called for a while since too many of its calls failed",
      "another user's request is accepted")
    #expect(fixture.engine.status(of: "b")?.reason == "answered 500")
    #expect(try #require(result.providers["b"]?.retryAfterMs) > 0)
    #expect(fixture.calls(to: "b").count == calls)
    #expect(fixture.engine.status(of: "b")?.state == .suspended)
    fixture.engine.resume("b")
    #expect(fixture.engine.status(of: "b")?.state == .ready)
    _ = fixture.answer("berlin")
    #expect(fixture.calls(to: "b").count > calls)
  }

  @Test(
    "A call is retried after a transient failure, and not after a permanent one",
    arguments: [(500, true), (408, true), (302, false), (404, false)])
  func repeats(status: Int, isRepeated: Bool) throws {
    let fixture = EngineFixture(["b": .init(manifest: .scripted("B")) { _, _ in .suggestions([.city("Berlin")]) }])
    // Repeating is earned by calls.
    for number in 0..<12 { _ = fixture.answer("berlin\(number)") }
    let before = fixture.calls(to: "b").count
    fixture.services["b"]?.behave { _, _ in .status(status) }
    _ = fixture.answer("bern")
    #expect(fixture.calls(to: "b").count - before == (isRepeated ? 2 : 1))
  }

  @Test("The log has the first failure of a kind, the suspension and the recovery, each once and without the query")
  func news() {
    let fixture = EngineFixture([
      "b": .init(manifest: .scripted("B")) { call, number in
        if number < 10 { return .failure(ProviderError(.http, "no answer to \(call)")) }
        return number == 10 ? .failure(ProviderError(.decode, "no answer to \(call)")) : .suggestions([.city("Berlin")])
      }
    ])
    for number in 0..<40 {
      _ = fixture.answer("secret\(number)") { $0.cache = .bypass }
      fixture.simulation.pass(1)
    }
    let lines = fixture.log.lines.map { line in line.replacing(/[0-9]{4}-[0-9-]*T[0-9:]*Z/, with: "…") }
    #expect(
      lines == [
        "warning: provider b: a call failed: its service answered with an error",
        "warning: provider b: it is not called for a while since too many of its calls failed, until …",
        "warning: provider b: a call failed: the answer of its service could not be read",
        "warning: provider b: it is not called for a while since too many of its calls failed, until …",
        "notice: provider b answers again",
      ])
  }

  @Test("The log holds the status with which a service failed, if there was one", arguments: [(503, " (HTTP 503)"), (200, "")])
  func status(_ status: Int, _ told: String) {
    let fixture = EngineFixture(["b": .init(manifest: .scripted("B")) { _, _ in .status(status) }])
    _ = fixture.answer("berlin")
    #expect(fixture.log.lines.first == "warning: provider b: a call failed: its service answered with an error\(told)")
  }

  @Test("A provider with a rejected key is suspended until the configuration changes")
  func credentials() throws {
    let fixture = EngineFixture([
      "b": .init(manifest: .scripted("B")) { _, _ in .failure(ProviderError(.credentials, "the key is not valid")) }
    ])
    _ = fixture.answer("berlin")
    fixture.simulation.pass(100_000)
    let error = try #require(fixture.answer("berlin")?.error)
    #expect(error.name == .allProvidersFailed)
    #expect(error.data["providers"]?[0]?["outcome"]?.string == "suspended")
    #expect(error.data["providers"]?[0]?["cause"]?.string == "credentials")
    #expect(fixture.calls(to: "b").count == 1)
  }

  @Test("A quota that is used up suspends a provider until the window ends that its manifest names")
  func quotaWindow() throws {
    var manifest = Manifest.scripted("B")
    manifest.quotaWindow = .pacificDay
    let fixture = EngineFixture(["b": .init(manifest: manifest) { _, _ in .failure(ProviderError(.quota, "used up for today")) }])
    let left = QuotaWindow.pacificDay.secondsLeft(at: fixture.time.wall())
    #expect(left != QuotaWindow.utcDay.secondsLeft(at: fixture.time.wall()))
    _ = fixture.answer("berlin")
    fixture.simulation.pass(left - 1)
    #expect(fixture.engine.status(of: "b")?.state == .suspended)
    fixture.simulation.pass(2)
    #expect(fixture.engine.status(of: "b")?.state == .ready)
  }

  @Test("A provider whose calls may all fail is never suspended")
  func neverSuspended() throws {
    let fixture = EngineFixture(["b": .init(manifest: .scripted("B")) { _, _ in .failure(ProviderError(.http, "answered 500")) }])
    var patient = try #require(fixture.engine.provider("b")).instance
    patient.failureShare = 1
    fixture.engine.replaceProviders([patient])
    for number in 0..<200 { #expect(fixture.answer("ber\(number)")?.error?.name == .allProvidersFailed) }
    #expect(fixture.calls(to: "b").count >= 200)
    #expect(fixture.engine.status(of: "b")?.state == .ready)
  }

  @Test("A request above its user's quota is rejected; requests of others are not")
  func quota() throws {
    var settings = EngineSettings()
    settings.requestsPerMinute = 2
    let fixture = EngineFixture(settings: settings, ["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) }])
    #expect(fixture.answer("b")?.value != nil)
    #expect(fixture.answer("be")?.value != nil)
    let error = try #require(fixture.answer("ber")?.error)
    #expect(error.name == .quotaExceeded)
    #expect(try #require(error.data["retryAfterMs"]?.integer) > 0)
    #expect(fixture.answer("ber", user: 1_001)?.value != nil)
  }

  @Test("A cancelled request gets its error immediately and its free call is aborted")
  func cancelled() throws {
    let fixture = EngineFixture(["a": .init(manifest: .scripted("A")) { _, _ in .hanging }])
    let request = fixture.ask("berl")
    fixture.simulation.pass(0.1)
    let start = fixture.time.monotonic()
    request.cancel()
    #expect(fixture.simulation.finish(request)?.error?.name == .cancelled)
    #expect(fixture.time.monotonic() == start)
    fixture.simulation.settle()
    #expect(fixture.calls(to: "a").first?.wasCancelled == true)
    let counters = try #require(fixture.engine.status(of: "a")).counters
    #expect(
      counters.sent == 1 && counters.abandoned == 1 && counters.failed == 0 && counters.medianMs == nil,
      "an abandoned call is not a failure of the service")
  }

  @Test("A call continues after the deadline if its answer may be stored, and otherwise ends immediately", arguments: [true, false])
  func late(isKept: Bool) throws {
    let fixture = EngineFixture(
      storesAnswers: true,
      ["a": .init(manifest: .scripted("A", terms: isKept ? .testing : .nothing)) { _, _ in .suggestions([.city("Berlin")], after: 2) }])
    #expect(fixture.answer("berl") { $0.session = SessionID() }?.error?.name == .deadlineExceeded)
    fixture.simulation.settle()
    #expect(fixture.services["a"]?.inProgress == (isKept ? 1 : 0))
    #expect(try #require(fixture.engine.status(of: "a")).counters.timedOut == (isKept ? 0 : 1), "it had its time")
    fixture.simulation.pass(1.5)
    #expect(fixture.calls(to: "a").map(\.wasCancelled) == [!isKept])
  }

  @Test("The rate of a provider counts over all users; a call that would be too late is refused with the time to wait")
  func rate() throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A", rate: Rate(perSecond: 1, concurrent: 8))) { _, _ in .suggestions([.city("Berlin")]) }
    ])
    let first = fixture.ask("b", user: 1)
    let second = fixture.ask("be", user: 2) { $0.deadlineMs = 1500 }
    let third = fixture.ask("ber", user: 3)
    #expect(fixture.simulation.finish(first)?.value != nil)
    #expect(fixture.simulation.finish(second)?.value != nil)
    let error = try #require(fixture.simulation.finish(third)?.error)
    #expect(error.data["providers"]?[0]?["outcome"]?.string == "rate_limited")
    #expect(try #require(error.data["providers"]?[0]?["retryAfterMs"]?.integer) > 0)
    let starts = fixture.calls(to: "a").map(\.at)
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= 1 })
  }
}

extension EngineFixture {
  /// One provider for each way in which a provider behaves.
  static var providersOfEveryKind: [String: ScriptedProvider] {
    [
      "instant": ScriptedProvider(manifest: .scripted("Instant")) { _, _ in .suggestions([.city("Berlin", id: "1")]) },
      "twenty": ScriptedProvider(manifest: .scripted("Twenty")) { _, _ in .suggestions([.city("Berlingen", id: "2")], after: 0.02) },
      "eighty": ScriptedProvider(manifest: .scripted("Eighty")) { _, _ in .suggestions([.city("Berlinchen", id: "3")], after: 0.08) },
      "slow": ScriptedProvider(manifest: .scripted("Slow")) { _, _ in .suggestions([.city("Berlanga", id: "4")], after: 0.3) },
      "hanging": ScriptedProvider(manifest: .scripted("Hanging")) { _, _ in .hanging },
      "refusing": ScriptedProvider(manifest: .scripted("Refusing")) { _, _ in .unsent(ProviderError(.connect, "connection refused")) },
      "failing": ScriptedProvider(manifest: .scripted("Failing")) { _, _ in .failure(ProviderError(.http, "answered 500")) },
      "broken": ScriptedProvider(manifest: .scripted("Broken")) { _, _ in .failure(ProviderError(.decode, "the body is not JSON")) },
    ]
  }
}
