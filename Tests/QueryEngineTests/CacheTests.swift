import Storage
import PlacesAPI
import PlacesKit
import Testing

@testable import QueryEngine

@Suite("Answers from the cache")
struct CacheTests {
  /// A provider that names its rows after the number of its call.
  private func fixture(
    terms: Terms = .testing, after: Double = 0, answersImmediately: Bool = false, fails: @escaping @Sendable (Int) -> Bool = { _ in false }
  ) -> EngineFixture {
    EngineFixture(
      storesAnswers: true,
      [
        "a": .init(manifest: .scripted("A", terms: terms), timeout: 20, answersImmediately: answersImmediately) { _, number in
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

  @Test("A repeated request is answered from the cache as long as the terms allow", arguments: [false, true])
  func fresh(answersImmediately: Bool) {
    let fixture = fixture(terms: .forAnHour, answersImmediately: answersImmediately)
    #expect(served(fixture.answer("berl")) == .live)
    #expect(served(fixture.answer("berl")) == .cache)
    fixture.simulation.pass(3_599)
    #expect(served(fixture.answer("berl")) == .cache)
    fixture.simulation.pass(1)
    #expect(served(fixture.answer("berl")) == .live)
    #expect(fixture.calls(to: "a").count == 2)
  }

  @Test(
    "Only answers from other machines are stored on disk, because this machine's files may be replaced while no daemon runs",
    arguments: [false, true])
  func disk(remote: Bool) {
    let fixture = EngineFixture(
      storesAnswers: true, ["a": .init(manifest: .scripted("A", remote: remote)) { _, _ in .suggestions([.city("Berlin")]) }])
    #expect(served(fixture.answer("berl")) == .live)
    #expect(served(fixture.answer("berl")) == .cache)
    #expect(fixture.store?.answersForDisk.load(ordering: .relaxed) == (remote ? 1 : 0))
  }

  @Test("An empty answer is cached for its own lifetime")
  func negative() {
    let fixture = EngineFixture(storesAnswers: true, ["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([]) }])
    #expect(fixture.answer("xyzzy")?.value?.providers["a"]?.served == .live)
    #expect(fixture.answer("xyzzy")?.value?.providers["a"]?.served == .cache)
    fixture.simulation.pass(61)
    #expect(fixture.answer("xyzzy")?.value?.providers["a"]?.served == .live)
  }

  @Test("An error is never cached")
  func errors() {
    let fixture = fixture(fails: { $0 == 0 })
    #expect(fixture.answer("berl")?.error?.name == .allProvidersFailed)
    #expect(served(fixture.answer("berl")) == .live)
  }

  @Test("A user's answers do not reveal another user's requests, in rows or in their origin")
  func users() {
    let fixture = fixture()
    #expect(served(fixture.answer("berl", user: 1)) == .live)
    #expect(served(fixture.answer("berl", user: 2)) == .live)
    #expect(fixture.answer("berl", user: 3) { $0.cache = .only }?.error?.name == .unsupported)
    #expect(served(fixture.answer("berl", user: 1) { $0.cache = .only }) == .cache)
  }

  @Test("With `only` no provider is called, with `refresh` and `bypass` each is, and `bypass` stores nothing")
  func modes() {
    let fixture = fixture()
    let error = fixture.answer("berl") { $0.cache = .only }?.error
    #expect(error?.name == .unsupported)
    #expect(error?.data["providers"]?[0]?["cause"]?.string == "cache")
    #expect(error?.message.hasPrefix("the cache has no answer to this request") == true)
    #expect(fixture.calls(to: "a").isEmpty)
    #expect(served(fixture.answer("berl") { $0.cache = .bypass }) == .live)
    #expect(fixture.answer("berl") { $0.cache = .only }?.error != nil)
    #expect(served(fixture.answer("berl") { $0.cache = .refresh }) == .live)
    #expect(served(fixture.answer("berl") { $0.cache = .refresh }) == .live)
    #expect(text(fixture.answer("berl") { $0.cache = .only }) == "Berlin 2")
    #expect(fixture.calls(to: "a").count == 3)
  }

  @Test("The answer to a request before a purge is not stored after it", arguments: [false, true])
  func purged(answersImmediately: Bool) throws {
    let fixture = fixture(after: 0.5, answersImmediately: answersImmediately)
    let store = try #require(fixture.store)
    let asking = fixture.ask("berl")
    fixture.simulation.settle()
    let purging = fixture.simulation.start { _ = await store.cache.purge(.all) }
    // The cache's writer has its own thread, outside the simulation.
    while purging.value == nil { fixture.simulation.settle() }
    fixture.simulation.pass(1)
    #expect(served(asking.value) == .live)
    #expect(fixture.answer("berl") { $0.cache = .only }?.error?.name == .unsupported)
    #expect(served(fixture.answer("berl")) == .live)
    #expect(served(fixture.answer("berl")) == .cache)
  }

  @Test("The next request finds a late answer")
  func late() {
    let fixture = fixture(after: 2)
    #expect(fixture.answer("berl")?.error?.name == .deadlineExceeded)
    fixture.simulation.pass(1.5)
    #expect(served(fixture.answer("berl")) == .cache)
    #expect(fixture.calls(to: "a").count == 1)
  }

  @Test("An expired answer is returned after 150 ms of waiting, and the fresh one is stored later")
  func stale() {
    let fixture = EngineFixture(
      storesAnswers: true,
      [
        "a": .init(manifest: .scripted("A"), timeout: 20) { _, number in
          .suggestions([.city("Berlin \(number)")], after: number == 0 ? 0 : 0.5)
        }
      ])
    _ = fixture.answer("berl")
    fixture.simulation.pass(3_601)
    let start = fixture.time.monotonic()
    let result = fixture.answer("berl")
    #expect(abs(fixture.time.monotonic() - start - 0.15) < 1e-6)
    #expect(served(result) == .stale)
    #expect(text(result) == "Berlin 0")
    #expect(result?.value?.complete == true)
    fixture.simulation.pass(0.5)
    #expect(text(fixture.answer("berl")) == "Berlin 1")
    #expect(fixture.calls(to: "a").count == 2)
  }

  @Test(
    "If the deadline ends that wait, the stale answer is returned by the deadline",
    arguments: [(100, 0.095), (150, 0.1425)])
  func staleAtTheDeadline(milliseconds: Int, wait: Double) {
    let fixture = fixture()
    _ = fixture.answer("berl")
    fixture.simulation.pass(3_601)
    fixture.services["a"]?.behave { _, _ in .suggestions([.city("Bern")], after: 0.5) }
    let start = fixture.time.monotonic()
    #expect(served(fixture.answer("berl") { $0.deadlineMs = milliseconds }) == .stale)
    #expect(abs(fixture.time.monotonic() - start - wait) < 1e-6)
    fixture.simulation.pass(0.5)
    #expect(text(fixture.answer("berl")) == "Bern")
  }

  @Test("While a provider is down, stale answers are returned immediately, and never longer than the terms allow")
  func down() {
    let fixture = EngineFixture(
      storesAnswers: true,
      [
        "a": .init(manifest: .scripted("A")) { _, number in
          number == 0 ? .suggestions([.city("Berlin")]) : .failure(ProviderError(.credentials, "the key is not valid"))
        }
      ])
    _ = fixture.answer("berl")
    fixture.simulation.pass(3_601)
    #expect(served(fixture.answer("berl")) == .stale)
    let start = fixture.time.monotonic()
    #expect(served(fixture.answer("berl")) == .stale)
    #expect(fixture.time.monotonic() == start)
    fixture.simulation.pass(3_600)
    #expect(fixture.answer("berl")?.error?.name == .allProvidersFailed)
  }

  @Test("A thousand requests that arrive at the same time as an answer make one call")
  func thundering() {
    let fixture = fixture(after: 0.05)
    let requests = (0..<200).map { _ in fixture.ask("berl") }
    fixture.simulation.pass(0.05)
    let more = (0..<200).map { _ in fixture.ask("berl") }
    for request in requests + more { #expect(fixture.simulation.finish(request)?.value != nil) }
    #expect(fixture.calls(to: "a").count == 1)
  }

  @Test("If the terms forbid storage, nothing is stored")
  func nothing() {
    let fixture = fixture(terms: .nothing)
    _ = fixture.answer("berl")
    #expect(served(fixture.answer("berl")) == .live)
  }

  @Test("A place that the service does not know is not requested again for some time")
  func unknownPlace() {
    let fixture = EngineFixture(
      storesAnswers: true, ["a": .init(manifest: .scripted("A")) { _, _ in .failure(ProviderError(.notFound, "no such place")) }])
    #expect(fixture.details("a:1", fields: [.name])?.error?.name == .notFound)
    #expect(fixture.details("a:1", fields: [.name])?.error?.name == .notFound)
    #expect(fixture.calls(to: "a").count == 1)
  }

  @Test("If earlier answers had the fields of a place, no call is made for it")
  func assembled() throws {
    let fixture = EngineFixture(
      storesAnswers: true, ["a": .init(manifest: .scripted("A")) { _, _ in .places([.named("Berlin", id: "1")]) }])
    fixture.store?.know(
      .named("Berlin", id: "1", [.website: "https://berlin.de"]),
      for: PlaceKey(provider: "a", id: "1", language: "en", partition: .user(1_000)), at: 5)
    let known = try #require(fixture.details("a:1", fields: [.name, .website])?.value)
    #expect(known.place.values[.website] == "https://berlin.de")
    #expect(known.providers["a"]?.served == .cache)
    #expect(fixture.calls(to: "a").isEmpty)
    #expect(fixture.details("a:1", fields: [.name, .rating])?.value != nil)
    #expect(fixture.calls(to: "a").count == 1)
  }

  @Test("A slow disk delays no reply past its deadline and causes no additional call; what it returns too late is ignored")
  func slowDisk() throws {
    let fixture = fixture()
    fixture.store?.slow(30)
    let start = fixture.time.monotonic()
    #expect(fixture.answer("berl") { $0.deadlineMs = 200 }?.error?.name == .deadlineExceeded)
    #expect(fixture.time.monotonic() - start < 0.2 + 1e-9)
    #expect(fixture.calls(to: "a").isEmpty)
    // Choices are not waited for half as long as the providers.
    fixture.store?.slow(0.06)
    let again = fixture.time.monotonic()
    #expect(fixture.answer("berl") { $0.deadlineMs = 120 }?.value != nil)
    #expect(fixture.time.monotonic() - again < 0.1)
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
