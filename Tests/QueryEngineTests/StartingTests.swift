import PlacesAPI
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import QueryEngine

@Suite("A provider that is starting")
struct StartingTests {
  /// A fixture in which `a` runs, or nothing does, and `b` is being started.
  private func fixture(aRuns: Bool = true) -> EngineFixture {
    let fixture = EngineFixture(aRuns ? ["a": .init(manifest: .scripted("A")) { _, _ in .suggestions([.city("Berlin", id: "a")]) }] : [:])
    replace(fixture, absent: [status(.starting)])
    return fixture
  }

  private func status(_ state: ProviderStatus.State) -> ProviderStatus {
    ProviderStatus(id: "b", name: "B", plugin: "b", version: "", state: state, reason: "why", leavesMachine: true, calls: [])
  }

  private func replace(_ fixture: EngineFixture, _ added: [ProviderInstance] = [], absent: [ProviderStatus] = []) {
    fixture.engine.replaceProviders((fixture.engine.provider("a").map { [$0.instance] } ?? []) + added, absent: absent)
  }

  /// Lets `b` run after some seconds.
  private func start(_ fixture: EngineFixture, after seconds: Double) {
    let service = ScriptedService(.scripted("B"), in: fixture.simulation) { call, _ in
      switch call {
      case .details(let request): .places([.named("Bernau", id: request.id)])
      case .autocomplete: .suggestions([.city("Bernau", id: "b")], after: 0.1)
      default: .places([])
      }
    }
    fixture.simulation.start { [time = fixture.time] in
      try? await time.sleep(until: time.monotonic() + seconds)
      self.replace(fixture, [ProviderInstance(id: "b", service: service)])
    }
  }

  @Test("A request waits for it, calls it as soon as it runs, and returns its rows", arguments: [true, false])
  func waits(aRuns: Bool) throws {
    let fixture = fixture(aRuns: aRuns)
    start(fixture, after: 0.3)
    let result = try #require(fixture.answer("ber")?.value)
    #expect(Set(result.suggestions.compactMap { $0.id?.text }) == (aRuns ? ["a:a", "b:b"] : ["b:b"]))
    #expect(result.complete && result.providers["b"]?.outcome == .ok)
    #expect(result.attributions.map(\.text).contains("© B"))
  }

  @Test("An answer that is sent before it runs is incomplete, or an error if no other provider answers")
  func late() throws {
    let fixture = fixture()
    start(fixture, after: 3)
    let result = try #require(fixture.answer("ber")?.value)
    #expect(result.suggestions.count == 1 && !result.complete)
    #expect(result.providers["b"]?.outcome == .timeout && result.providers["b"]?.cause == "starting")
    #expect(fixture.answer("ber") { $0.providers = ["b"] }?.error?.name == .deadlineExceeded)
    fixture.simulation.pass(3)
    #expect(fixture.answer("ber")?.value?.complete == true)
  }

  @Test("A request stops waiting if it fails to start")
  func fails() throws {
    let fixture = fixture()
    fixture.simulation.start { [time = fixture.time] in
      try? await time.sleep(until: time.monotonic() + 0.2)
      self.replace(fixture, absent: [self.status(.failed)])
    }
    let begin = fixture.time.monotonic()
    let result = try #require(fixture.answer("ber")?.value)
    #expect(result.complete && result.providers["b"]?.cause == "failed")
    #expect(fixture.time.monotonic() - begin < 0.3)
  }

  @Test("A request that reads only the cache does not wait for it")
  func keptOnly() {
    let begin = { (fixture: EngineFixture) in fixture.time.monotonic() }
    let fixture = fixture()
    let before = begin(fixture)
    _ = fixture.answer("ber") { $0.cache = .only }
    #expect(begin(fixture) == before)
  }

  @Test("With a stream, the other providers' rows are sent meanwhile")
  func streams() throws {
    let fixture = fixture()
    start(fixture, after: 0.3)
    let shown = Mutex<[[String]]>([])
    let request = fixture.ask("ber") {
      $0.stream = true
    } partial: { _, rows, providers, _ in
      shown.withLock { $0.append(rows.compactMap { $0.id?.text } + providers.map(\.provider)) }
    }
    let result = try #require(fixture.simulation.finish(request)?.value)
    #expect(shown.withLock { $0 } == [["a:a", "a"]])
    #expect(result.suggestions.compactMap { $0.id?.text } == ["a:a", "b:b"])
  }

  @Test("Details of one of its places wait for it")
  func details() throws {
    let fixture = fixture()
    start(fixture, after: 0.3)
    #expect(fixture.details("b:7", fields: [.name])?.value?.place.values[.name] == "Bernau")
  }
}
