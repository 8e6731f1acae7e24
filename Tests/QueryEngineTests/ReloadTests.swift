import PlacesAPI
import PlacesKit
import Synchronization
import Testing

@testable import QueryEngine

@Suite("Providers that are added, removed and tested")
struct ProviderTests {
  @Test(
    "If no provider can be called, the error shows whether one is starting",
    arguments: [
      ("failed disabled", "no enabled provider could be started; data.providers gives the reason for each"),
      ("disabled", "no provider is enabled; enable one in the configuration, or with providers.enable"),
    ])
  func nobody(words: String, message: String) throws {
    let fixture = EngineFixture([:])
    let absent = words.split(separator: " ").compactMap { ProviderStatus.State(rawValue: String($0)) }.map {
      ProviderStatus(id: $0.rawValue, name: "B", plugin: "b", version: "", state: $0, reason: "why", leavesMachine: true, calls: [])
    }
    fixture.engine.replaceProviders([], absent: absent)
    let error = try #require(fixture.answer("ber")?.error)
    #expect(error.name == .unsupported && error.message == message)
    #expect(error.data["providers"]?.array?.count ?? 0 == absent.count { $0.state != .disabled })
  }

  @Test(
    "A provider that does not run is not called, and a request that names it or one of its places receives the reason",
    arguments: ["disabled", "failed"])
  func absent(_ word: String) throws {
    let fixture = EngineFixture(["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) }])
    let state = try #require(ProviderStatus.State(rawValue: word))
    let absent = ProviderStatus(id: "b", name: "B", plugin: "b", version: "", state: state, reason: "why", leavesMachine: true, calls: [])
    fixture.engine.replaceProviders([try #require(fixture.engine.provider("a")).instance], absent: [absent])
    let others = try #require(fixture.answer("ber")?.value)
    #expect(others.complete, "it was not called")
    #expect(others.providers.map(\.provider) == (word == "disabled" ? ["a"] : ["a", "b"]))
    #expect(others.providers["b"]?.outcome == (word == "disabled" ? nil : .skipped))
    #expect(fixture.engine.status.map(\.state) == [.ready, state])
    let error = try #require(fixture.answer("ber") { $0.providers = ["b"] }?.error)
    #expect(error.name == .unsupported)
    #expect(error.data["providers"]?[0]?["cause"]?.string == word)
    let both = try #require(fixture.answer("ber") { $0.providers = ["a", "b"] }?.value)
    #expect(both.suggestions.count == 1 && both.providers.map(\.provider) == ["a", "b"])
    #expect(fixture.answer("ber") { $0.providers = ["c"] }?.error?.name == .invalidParams)
    // The provider's own place may exist: the reply must not be that it does not.
    for (id, name) in [("b:1", APIError.Name.unsupported), ("c:1", .notFound)] {
      let details = Details.Parameters(id: try #require(PlaceID(id)), fields: [.name])
      let engine = fixture.engine
      let task = fixture.simulation.start { () async -> APIError.Name? in
        do throws(APIError) { _ = try await engine.details(details, caller: EngineCaller(user: 1)) } catch { return error.name }
        return nil
      }
      #expect(fixture.simulation.finish(task) == name)
    }
  }

  @Test("After a reload, requests in flight end with the old providers, new requests use the new ones, and sessions continue")
  func reload() throws {
    let session = SessionID()
    let fixture = EngineFixture(["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")], after: 0.5) }])
    let old = fixture.ask("ber") { $0.session = session }
    fixture.simulation.pass(0.1)
    let service = ScriptedService(.scripted("New"), in: fixture.simulation) { _, _ in .suggestions([.city("Bern")]) }
    fixture.engine.replaceProviders([ProviderInstance(id: "a", service: service)])
    let new = try #require(fixture.answer("bern") { $0.session = session }?.value)
    #expect(new.suggestions.map(\.text.text) == ["Bern"])
    #expect(fixture.simulation.finish(old)?.value?.suggestions.map(\.text.text) == ["Berlin"])
    #expect(fixture.engine.sessions.count == 1)
    #expect(fixture.engine.status(of: "a")?.name == "New")
  }

  @Test("A reload loses no waiting call, and calls under the old and the new settings together respect the concurrency limit")
  func queuedAcrossReload() throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A", rate: Rate(concurrent: 1))) { _, _ in .suggestions([.city("Berlin")], after: 0.2) }
    ])
    var requests = ["one", "two"].map { fixture.ask($0) }
    fixture.simulation.pass(0.1)
    var heavier = try #require(fixture.engine.provider("a")).instance
    heavier.weight = 2
    fixture.engine.replaceProviders([heavier])
    requests.append(fixture.ask("three"))
    for _ in 0..<8 {
      fixture.simulation.pass(0.07)
      #expect(fixture.services["a"]?.inProgress ?? 0 <= 1)
    }
    for request in requests { #expect(fixture.simulation.finish(request)?.value != nil) }
    #expect(fixture.engine.status(of: "a")?.counters.sent == 3)
    // More may be allowed, too.
    heavier.manifest.rate.concurrent = 3
    fixture.engine.replaceProviders([heavier])
    let three = ["four", "five", "six"].map { fixture.ask($0) }
    fixture.simulation.pass(0.1)
    #expect(fixture.services["a"]?.inProgress == 3)
    for request in three { #expect(fixture.simulation.finish(request)?.value != nil) }
    // A provider that is removed while calls wait for it still answers these calls.
    heavier.manifest.rate.concurrent = 1
    fixture.engine.replaceProviders([heavier])
    let last = ["seven", "eight"].map { fixture.ask($0) }
    fixture.simulation.pass(0.1)
    fixture.engine.replaceProviders([])
    for request in last { #expect(fixture.simulation.finish(request)?.value != nil) }
  }

  @Test("A change of other settings does not reset a user's quota")
  func quotaAcrossReload() {
    var settings = EngineSettings()
    settings.requestsPerMinute = 1
    let fixture = EngineFixture(settings: settings, ["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) }])
    #expect(fixture.answer("ber")?.value != nil)
    settings.deadline = 2
    fixture.engine.configure(settings)
    #expect(fixture.answer("bern")?.error?.name == .quotaExceeded)
    settings.requestsPerMinute = 2
    fixture.engine.configure(settings)
    #expect(fixture.answer("bern")?.value != nil)
  }

  @Test("A reload can add a request limit, and remove it")
  func firstQuota() {
    var settings = EngineSettings()
    let fixture = EngineFixture(settings: settings, ["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) }])
    for _ in 0..<3 { #expect(fixture.answer("ber")?.value != nil) }
    settings.requestsPerMinute = 1
    fixture.engine.configure(settings)
    #expect(fixture.answer("ber")?.value != nil)
    #expect(fixture.answer("ber")?.error?.name == .quotaExceeded)
    settings.requestsPerMinute = nil
    fixture.engine.configure(settings)
    for _ in 0..<3 { #expect(fixture.answer("ber")?.value != nil) }
  }

  @Test("A reload keeps what it does not change: counters, and a breaker that is open")
  func unchanged() throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A")) { _, _ in .failure(ProviderError(.credentials, "the key is not valid")) }
    ])
    _ = fixture.answer("ber")
    let client = try #require(fixture.engine.provider("a"))
    fixture.engine.replaceProviders([client.instance])
    #expect(fixture.engine.provider("a") === client)
    #expect(fixture.engine.status(of: "a")?.state == .suspended)
    var heavier = client.instance
    heavier.weight = 2
    fixture.engine.replaceProviders([heavier])
    #expect(fixture.engine.provider("a") !== client)
    #expect(fixture.engine.status(of: "a")?.state == .suspended)
    // The same settings for a restarted service, such as one with a new key.
    let service = try #require(fixture.services["a"])
    fixture.engine.replaceProviders([ProviderInstance(id: "a", service: service)])
    #expect(fixture.engine.status(of: "a")?.state == .ready)
    service.behave { _, _ in .suggestions([.city("Bern")]) }
    #expect(fixture.answer("ber")?.value?.suggestions.map(\.text.text) == ["Bern"])
  }

  @Test("A provider's counters continue when it is disabled or fails, and returns", arguments: ["disabled", "failed"])
  func countersWhileAway(_ word: String) throws {
    let fixture = EngineFixture(["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) }])
    let instance = try #require(fixture.engine.provider("a")).instance
    let state = try #require(ProviderStatus.State(rawValue: word))
    let away = ProviderStatus(id: "a", name: "A", plugin: "a", version: "", state: state, leavesMachine: true, calls: [])
    #expect(fixture.answer("ber")?.value != nil)
    fixture.engine.replaceProviders([], absent: [away])
    #expect(fixture.engine.status.map(\.counters.sent) == [1])
    // Another change in the meantime.
    fixture.engine.replaceProviders([], absent: [away])
    #expect(fixture.engine.status(of: "a")?.counters.sent == 1)
    fixture.engine.replaceProviders([instance])
    #expect(fixture.answer("bern")?.value?.suggestions.count == 1)
    #expect(fixture.engine.status(of: "a")?.counters.sent == 2)
  }

  @Test("The status counts calls, failures and time limits")
  func counters() throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A"), timeout: 0.5) { _, number in
        switch number {
        case 0: .suggestions([.city("Berlin")], after: 0.2)
        case 1: .failure(ProviderError(.decode, "not JSON"))
        default: .hanging
        }
      }
    ])
    for query in ["a", "b", "c"] { _ = fixture.answer(query) }
    let counters = try #require(fixture.engine.status(of: "a")?.counters)
    #expect([counters.sent, counters.succeeded, counters.failed, counters.timedOut] == [3, 1, 1, 1])
    #expect(counters.medianMs == 200)
  }
}
