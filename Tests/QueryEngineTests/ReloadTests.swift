import PlacesAPI
import PlacesKit
import Synchronization
import Testing

@testable import QueryEngine

@Suite("Providers that are added, removed and tested")
struct ProviderTests {
  @Test(
    "Who finds nobody to ask learns whether there will be somebody",
    arguments: [
      ("failed disabled", "no enabled provider could be started; data.providers says why each"),
      ("disabled", "no provider is enabled; enable one in the configuration, or with providers.enable"),
    ])
  func nobody(words: String, message: String) throws {
    let world = World([:])
    let absent = words.split(separator: " ").compactMap { ProviderStatus.State(rawValue: String($0)) }.map {
      ProviderStatus(id: $0.rawValue, name: "B", plugin: "b", version: "", state: $0, reason: "why", leavesMachine: true, calls: [])
    }
    world.engine.replaceProviders([], absent: absent)
    let error = try #require(world.answer("ber")?.error)
    #expect(error.name == .unsupported && error.message == message)
    #expect(error.data["providers"]?.array?.count ?? 0 == absent.count { $0.state != .disabled })
  }

  @Test(
    "A provider that does not run is not asked, and who names it or one of its places learns why",
    arguments: ["disabled", "failed"])
  func absent(_ word: String) throws {
    let world = World(["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) }])
    let state = try #require(ProviderStatus.State(rawValue: word))
    let absent = ProviderStatus(id: "b", name: "B", plugin: "b", version: "", state: state, reason: "why", leavesMachine: true, calls: [])
    world.engine.replaceProviders([try #require(world.engine.provider("a")).instance], absent: [absent])
    let others = try #require(world.answer("ber")?.value)
    #expect(others.complete, "nobody asked it")
    #expect(others.providers.map(\.provider) == (word == "disabled" ? ["a"] : ["a", "b"]))
    #expect(others.providers["b"]?.outcome == (word == "disabled" ? nil : .skipped))
    #expect(world.engine.status.map(\.state) == [.ready, state])
    let error = try #require(world.answer("ber") { $0.providers = ["b"] }?.error)
    #expect(error.name == .unsupported)
    #expect(error.data["providers"]?[0]?["cause"]?.string == word)
    let both = try #require(world.answer("ber") { $0.providers = ["a", "b"] }?.value)
    #expect(both.suggestions.count == 1 && both.providers.map(\.provider) == ["a", "b"])
    #expect(world.answer("ber") { $0.providers = ["c"] }?.error?.name == .invalidParams)
    // The provider's own place may exist: the reply must not be that it does not.
    for (id, name) in [("b:1", APIError.Name.unsupported), ("c:1", .notFound)] {
      let details = Details.Parameters(id: try #require(PlaceID(id)), fields: [.name])
      let engine = world.engine
      let task = world.simulation.start { () async -> APIError.Name? in
        do throws(APIError) { _ = try await engine.details(details, caller: EngineCaller(user: 1)) } catch { return error.name }
        return nil
      }
      #expect(world.simulation.finish(task) == name)
    }
  }

  @Test("After a reload, requests in flight end with the old providers, new requests use the new ones, and sessions continue")
  func reload() throws {
    let session = SessionID()
    let world = World(["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")], after: 0.5) }])
    let old = world.ask("ber") { $0.session = session }
    world.simulation.pass(0.1)
    let service = ScriptedService(.scripted("New"), in: world.simulation) { _, _ in .suggestions([.city("Bern")]) }
    world.engine.replaceProviders([ProviderInstance(id: "a", service: service)])
    let new = try #require(world.answer("bern") { $0.session = session }?.value)
    #expect(new.suggestions.map(\.text.text) == ["Bern"])
    #expect(world.simulation.finish(old)?.value?.suggestions.map(\.text.text) == ["Berlin"])
    #expect(world.engine.sessions.count == 1)
    #expect(world.engine.status(of: "a")?.name == "New")
  }

  @Test("A reload loses no waiting call, and calls under the old and the new settings together respect the concurrency limit")
  func queuedAcrossReload() throws {
    let world = World([
      "a": .init(manifest: .scripted("A", rate: Rate(concurrent: 1))) { _, _ in .suggestions([.city("Berlin")], after: 0.2) }
    ])
    var requests = ["one", "two"].map { world.ask($0) }
    world.simulation.pass(0.1)
    var heavier = try #require(world.engine.provider("a")).instance
    heavier.weight = 2
    world.engine.replaceProviders([heavier])
    requests.append(world.ask("three"))
    for _ in 0..<8 {
      world.simulation.pass(0.07)
      #expect(world.services["a"]?.inProgress ?? 0 <= 1)
    }
    for request in requests { #expect(world.simulation.finish(request)?.value != nil) }
    #expect(world.engine.status(of: "a")?.counters.sent == 3)
    // More may be allowed, too.
    heavier.manifest.rate.concurrent = 3
    world.engine.replaceProviders([heavier])
    let three = ["four", "five", "six"].map { world.ask($0) }
    world.simulation.pass(0.1)
    #expect(world.services["a"]?.inProgress == 3)
    for request in three { #expect(world.simulation.finish(request)?.value != nil) }
    // A provider that goes away while calls wait for it answers those.
    heavier.manifest.rate.concurrent = 1
    world.engine.replaceProviders([heavier])
    let last = ["seven", "eight"].map { world.ask($0) }
    world.simulation.pass(0.1)
    world.engine.replaceProviders([])
    for request in last { #expect(world.simulation.finish(request)?.value != nil) }
  }

  @Test("A change of other settings does not reset a user's quota")
  func quotaAcrossReload() {
    var settings = EngineSettings()
    settings.requestsPerMinute = 1
    let world = World(settings: settings, ["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) }])
    #expect(world.answer("ber")?.value != nil)
    settings.deadline = 2
    world.engine.configure(settings)
    #expect(world.answer("bern")?.error?.name == .quotaExceeded)
    settings.requestsPerMinute = 2
    world.engine.configure(settings)
    #expect(world.answer("bern")?.value != nil)
  }

  @Test("A reload can add a request limit, and remove it")
  func firstQuota() {
    var settings = EngineSettings()
    let world = World(settings: settings, ["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) }])
    for _ in 0..<3 { #expect(world.answer("ber")?.value != nil) }
    settings.requestsPerMinute = 1
    world.engine.configure(settings)
    #expect(world.answer("ber")?.value != nil)
    #expect(world.answer("ber")?.error?.name == .quotaExceeded)
    settings.requestsPerMinute = nil
    world.engine.configure(settings)
    for _ in 0..<3 { #expect(world.answer("ber")?.value != nil) }
  }

  @Test("A reload keeps what it does not change: counters, and a breaker that is open")
  func unchanged() throws {
    let world = World(["a": .init(manifest: .scripted("A")) { _, _ in .failure(ProviderError(.credentials, "the key is not valid")) }])
    _ = world.answer("ber")
    let client = try #require(world.engine.provider("a"))
    world.engine.replaceProviders([client.instance])
    #expect(world.engine.provider("a") === client)
    #expect(world.engine.status(of: "a")?.state == .suspended)
    var heavier = client.instance
    heavier.weight = 2
    world.engine.replaceProviders([heavier])
    #expect(world.engine.provider("a") !== client)
    #expect(world.engine.status(of: "a")?.state == .suspended)
    // The same settings for a service that was started anew, such as with another key.
    let service = try #require(world.services["a"])
    world.engine.replaceProviders([ProviderInstance(id: "a", service: service)])
    #expect(world.engine.status(of: "a")?.state == .ready)
    service.behave { _, _ in .suggestions([.city("Bern")]) }
    #expect(world.answer("ber")?.value?.suggestions.map(\.text.text) == ["Bern"])
  }

  @Test("A provider's counters continue when it is disabled or fails, and returns", arguments: ["disabled", "failed"])
  func countersWhileAway(_ word: String) throws {
    let world = World(["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin")]) }])
    let instance = try #require(world.engine.provider("a")).instance
    let state = try #require(ProviderStatus.State(rawValue: word))
    let away = ProviderStatus(id: "a", name: "A", plugin: "a", version: "", state: state, leavesMachine: true, calls: [])
    #expect(world.answer("ber")?.value != nil)
    world.engine.replaceProviders([], absent: [away])
    #expect(world.engine.status.map(\.counters.sent) == [1])
    // Another change meanwhile.
    world.engine.replaceProviders([], absent: [away])
    #expect(world.engine.status(of: "a")?.counters.sent == 1)
    world.engine.replaceProviders([instance])
    #expect(world.answer("bern")?.value?.suggestions.count == 1)
    #expect(world.engine.status(of: "a")?.counters.sent == 2)
  }

  @Test("The status counts calls, failures and time limits")
  func counters() throws {
    let world = World([
      "a": .init(manifest: .scripted("A"), timeout: 0.5) { _, number in
        switch number {
        case 0: .suggestions([.city("Berlin")], after: 0.2)
        case 1: .failure(ProviderError(.decode, "not JSON"))
        default: .hanging
        }
      }
    ])
    for query in ["a", "b", "c"] { _ = world.answer(query) }
    let counters = try #require(world.engine.status(of: "a")?.counters)
    #expect([counters.sent, counters.succeeded, counters.failed, counters.timedOut] == [3, 1, 1, 1])
    #expect(counters.medianMs == 200)
  }
}
