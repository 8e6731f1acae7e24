import PlacesAPI
import PlacesKit
import Synchronization
import Testing

@testable import QueryEngine

@Suite("Calls that are shared")
struct SharingTests {
  private func slow(_ seconds: Double = 0.05, prices: PriceTable = PriceTable()) -> [String: EngineFixture.ScriptedProvider] {
    ["a": .init(manifest: .scripted("A", prices: prices), timeout: 20) { _, _ in .suggestions([.city("Berlin")], after: seconds) }]
  }

  @Test("A thousand concurrent identical requests make one call")
  func thousand() {
    let fixture = EngineFixture(slow())
    let requests = (0..<1_000).map { _ in fixture.ask("berl") }
    for request in requests { #expect(fixture.simulation.finish(request)?.value?.suggestions.count == 1) }
    #expect(fixture.calls(to: "a").count == 1)
  }

  @Test("Users do not share calls of a provider that keeps answers per user")
  func users() {
    let fixture = EngineFixture(slow())
    let requests = [fixture.ask("berl", user: 1), fixture.ask("berl", user: 2), fixture.ask("berl", user: 2)]
    for request in requests { #expect(fixture.simulation.finish(request)?.value != nil) }
    #expect(fixture.calls(to: "a").count == 2)
  }

  @Test("If one caller leaves, the others still get the answer; if the last one leaves, the call is aborted")
  func leaving() {
    let fixture = EngineFixture(slow(10))
    let first = fixture.ask("berl") { $0.deadlineMs = 30_000 }
    let second = fixture.ask("berl") { $0.deadlineMs = 30_000 }
    fixture.simulation.pass(1)
    first.cancel()
    fixture.simulation.settle()
    #expect(first.value?.error?.name == .cancelled)
    #expect(fixture.services["a"]?.inProgress == 1)
    second.cancel()
    fixture.simulation.settle()
    #expect(fixture.calls(to: "a").map(\.wasCancelled) == [true])
    // An abandoned call is not joined: a new one is made.
    let third = fixture.ask("berl") { $0.deadlineMs = 30_000 }
    #expect(fixture.simulation.finish(third)?.value != nil)
    #expect(fixture.calls(to: "a").count == 2)
  }

  @Test("A paid call that was sent runs to its end without callers")
  func paid() {
    let prices = PriceTable(classes: [PriceClass("suggest", micros: 2_830)], calls: [.autocomplete: "suggest"])
    let fixture = EngineFixture(slow(2, prices: prices))
    let request = fixture.ask("berl") { $0.deadlineMs = 30_000 }
    fixture.simulation.pass(1)
    request.cancel()
    fixture.simulation.pass(2)
    #expect(request.value?.error?.name == .cancelled)
    #expect(fixture.calls(to: "a").map(\.wasCancelled) == [false])
  }

  @Test("Calls beyond the provider's concurrency limit wait")
  func concurrency() {
    let most = Mutex(0)
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A", rate: Rate(concurrent: 2))) { _, _ in .suggestions([.city("Berlin")], after: 0.1) }
    ])
    let requests = (0..<6).map { fixture.ask("berl\($0)") }
    for _ in 0..<5 {
      fixture.simulation.pass(0.07)
      most.withLock { $0 = max($0, fixture.services["a"]?.inProgress ?? 0) }
    }
    #expect(most.withLock { $0 } == 2)
    for request in requests { #expect(fixture.simulation.finish(request)?.value != nil) }
  }

  @Test("If too many requests are in flight, the newest wait for a short time and are then rejected")
  func overload() {
    var settings = EngineSettings()
    settings.maxConcurrentRequests = 2
    let fixture = EngineFixture(settings: settings, slow(0.5))
    let requests = (0..<3).map { fixture.ask("berl\($0)") }
    let answers = requests.map { fixture.simulation.finish($0) }
    #expect(answers[0]?.value != nil)
    #expect(answers[1]?.value != nil)
    #expect(answers[2]?.error?.name == .overloaded)
    #expect(answers[2]?.error?.data["retryAfterMs"]?.integer ?? 0 > 0)
    #expect(answers[2]?.error?.data["providers"]?[0]?["cause"]?.string == "overload")
  }

  @Test("An overloaded daemon's answer from some providers is incomplete, and says when to try again")
  func half() throws {
    var settings = EngineSettings()
    settings.maxConcurrentRequests = 1
    var providers = slow(0.5)
    providers["b"] = .init(manifest: .scripted("B")) { _, _ in .suggestions([.city("Bern")]) }
    let fixture = EngineFixture(settings: settings, storesAnswers: true, providers)
    #expect(fixture.answer("berl") { $0.providers = ["b"] }?.value != nil)
    let working = fixture.ask("paris")
    fixture.simulation.settle()
    let half = try #require(fixture.answer("berl")?.value)
    #expect(half.suggestions.map(\.text.text) == ["Bern"] && !half.complete)
    let report = try #require(half.providers["a"])
    #expect(report.outcome == .rateLimited && report.cause == "overload" && report.retryAfterMs ?? 0 > 0)
    #expect(fixture.simulation.finish(working)?.value != nil)
    // A request that wants cached answers only is not affected.
    #expect(fixture.answer("berl") { $0.cache = .only }?.value?.complete == true)
  }

  @Test("An overloaded daemon whose providers are suspended reports that it is overloaded")
  func alone() throws {
    var settings = EngineSettings()
    settings.maxConcurrentRequests = 1
    var providers = slow(0.5)
    providers["b"] = .init(manifest: .scripted("B")) { _, _ in .failure(ProviderError(.credentials, "no")) }
    let fixture = EngineFixture(settings: settings, storesAnswers: true, providers)
    #expect(fixture.answer("berl") { $0.providers = ["b"] }?.error != nil)
    let working = fixture.ask("paris")
    fixture.simulation.settle()
    let error = try #require(fixture.answer("berl")?.error)
    #expect(error.name == .overloaded && error.data["retryAfterMs"]?.integer ?? 0 > 0)
    #expect(fixture.simulation.finish(working)?.value != nil)
  }
}

@Suite("Streamed answers")
struct StreamingTests {
  @Test("A partial answer is sent when a provider answers, at most one every 40 ms, and the reply begins with the rows of the last one")
  func streaming() throws {
    let fixture = EngineFixture(EngineFixture.providersOfEveryKind)
    let shown = Mutex<[(at: Double, revision: Int, rows: [SuggestionRow], providers: [String], credits: [String])]>([])
    let request = fixture.ask("berl") {
      $0.stream = true
      $0.deadlineMs = 500
    } partial: { [time = fixture.time] revision, rows, providers, credits in
      shown.withLock { $0.append((time.monotonic(), revision, rows, providers.map(\.provider), credits.map(\.provider))) }
    }
    let result = try #require(fixture.simulation.finish(request)?.value)
    let partials = shown.withLock { $0 }
    #expect(partials.count >= 3)
    #expect(partials.map(\.revision) == Array(1...partials.count))
    #expect(result.revision == partials.count + 1)
    #expect(zip(partials, partials.dropFirst()).allSatisfy { $1.at - $0.at >= 0.04 - 1e-9 })
    #expect(zip(partials, partials.dropFirst()).allSatisfy { Set($0.providers).isSubset(of: $1.providers) })
    #expect(!partials.contains { $0.providers.contains("hanging") })
    // All shown rows have credits, including those of the first partial answer.
    for partial in partials { #expect(Set(partial.credits) == Set(partial.rows.flatMap { $0.sources.map(\.provider) })) }
    let plain = try #require(EngineFixture(EngineFixture.providersOfEveryKind).answer("berl") { $0.deadlineMs = 500 }?.value)
    #expect(Set(plain.suggestions.map(\.text)) == Set(result.suggestions.map(\.text)))
    for (before, now) in zip(partials.map(\.rows), partials.map(\.rows).dropFirst() + [result.suggestions]) {
      #expect(now.prefix(before.count).map(\.row) == before.map(\.row))
      for (old, new) in zip(before, now) { #expect(Set(old.allSources).isSubset(of: new.allSources)) }
    }
    #expect(plain.providers.map(\.outcome) == result.providers.map(\.outcome))
  }

  /// The partial answers to a request that gets three rows: when each was sent, in seconds after the request, and its texts.
  private func partials(of fixture: EngineFixture) -> [(at: Double, rows: [String])] {
    let shown = Mutex<[(at: Double, rows: [String])]>([])
    let start = fixture.time.monotonic()
    let request = fixture.ask("ber") {
      $0.stream = true
    } partial: { [time = fixture.time] _, rows, _, _ in
      shown.withLock { $0.append((time.monotonic() - start, rows.map(\.text.text).sorted())) }
    }
    #expect(fixture.simulation.finish(request)?.value?.suggestions.count == 3)
    return shown.withLock { $0 }
  }

  @Test("The first partial answer is sent 10 ms after the first provider has answered, with the rows of all that have answered by then")
  func firstPartial() throws {
    func provider(_ name: String, after seconds: Double) -> EngineFixture.ScriptedProvider {
      .init(manifest: .scripted(name)) { _, _ in .suggestions([.city(name)], after: seconds) }
    }
    let fixture = EngineFixture([
      "a": provider("Bern", after: 0.002), "b": provider("Berlin", after: 0.008), "c": provider("Bergen", after: 0.2),
    ])
    let partials = partials(of: fixture)
    #expect(partials.map(\.rows) == [["Berlin", "Bern"]])
    #expect(partials.allSatisfy { abs($0.at - 0.012) < 1e-9 })
  }

  @Test("The first partial answer waits for a provider in this process, for 50 ms at most", arguments: [0.03, 0.2])
  func localRowsFirst(localSeconds: Double) throws {
    let fixture = EngineFixture([
      "local": .init(manifest: .scripted("Local", remote: false), answersImmediately: true) { _, _ in
        .suggestions([.city("Bern")], after: localSeconds)
      },
      "near": .init(manifest: .scripted("Near")) { _, _ in .suggestions([.city("Berlin")], after: 0.002) },
      "far": .init(manifest: .scripted("Far")) { _, _ in .suggestions([.city("Bergen")], after: 0.5) },
    ])
    let first = try #require(partials(of: fixture).first)
    // After the local answer, others that arrive at the same time are waited for.
    #expect(abs(first.at - min(localSeconds + 0.01, 0.052)) < 1e-9)
    #expect(first.rows == (localSeconds < 0.05 ? ["Berlin", "Bern"] : ["Berlin"]))
  }

  @Test("Without stream, nothing is sent before the reply")
  func silent() throws {
    let fixture = EngineFixture(EngineFixture.providersOfEveryKind)
    let shown = Mutex(0)
    let request = fixture.ask("berl") { _ in
    } partial: { _, _, _, _ in
      shown.withLock { $0 += 1 }
    }
    #expect(fixture.simulation.finish(request)?.value != nil)
    #expect(shown.withLock { $0 } == 0)
  }
}

@Suite("Calls that do not return")
struct StrayTests {
  @Test("If many calls end at the same time, no new one is refused")
  func manyAtOnce() {
    let fixture = EngineFixture(
      seed: 7,
      ["a": .init(manifest: .scripted("A", rate: Rate(concurrent: 512))) { _, _ in .suggestions([.city("Berlin")], after: 0.01) }])
    for round in 0..<3 {
      let requests = (0..<300).map { fixture.ask("berl \(round) \($0)") }
      for request in requests { #expect(fixture.simulation.finish(request)?.value != nil) }
    }
    #expect(fixture.calls(to: "a").count == 900)
  }

  @Test("A service with too many calls that do not return is not called until some return")
  func deaf() {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A", rate: Rate(concurrent: 512)), timeout: 0.5) { _, number in
        number < 256 ? .deaf(50) : .suggestions([.city("Berlin")])
      }
    ])
    let requests = (0..<256).map { fixture.ask("berl \($0)") }
    for request in requests { #expect(fixture.simulation.finish(request)?.error != nil) }
    fixture.engine.resume("a")
    #expect(fixture.answer("bern")?.error?.data["providers"]?[0]?["cause"]?.string == "queue")
    fixture.simulation.pass(60)
    fixture.engine.resume("a")
    #expect(fixture.answer("bern")?.value != nil)
  }
}
