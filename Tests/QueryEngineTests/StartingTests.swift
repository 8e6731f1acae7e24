import PlacesAPI
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import QueryEngine

@Suite("A provider that is starting")
struct StartingTests {
  /// A method whose requests wait for all of their providers.
  enum Asked: CaseIterable {
    case autocomplete, search, reverse
  }

  /// What the replies of these methods have in common.
  private struct Reply {
    /// The ids of the rows.
    var ids: [String]
    var complete: Bool
    var providers: [ProviderReport]
    var credits: [String]

    init(_ result: Autocomplete.Result) {
      ids = result.suggestions.compactMap { $0.id?.text }
      (complete, providers, credits) = (result.complete, result.providers, result.attributions.map(\.text))
    }

    init(_ result: PlacesResult) {
      ids = result.places.map(\.id.text)
      (complete, providers, credits) = (result.complete, result.providers, result.attributions.map(\.text))
    }
  }

  private static let berlin = Coordinate(latitude: 52.52, longitude: 13.405)
  private static let bernau = Coordinate(latitude: 52.68, longitude: 13.58)

  /// A fixture in which `a` runs, or nothing does, and `b` is being started.
  private func fixture(aRuns: Bool = true) -> EngineFixture {
    let a = EngineFixture.ScriptedProvider(manifest: .scripted("A")) { call, _ in
      switch call {
      case .autocomplete: .suggestions([.city("Berlin", id: "a")])
      default: .places([.named("Berlin", id: "a", at: Self.berlin)])
      }
    }
    let fixture = EngineFixture(aRuns ? ["a": a] : [:])
    replace(fixture, absent: [status(.starting)])
    return fixture
  }

  /// Runs a request to its end.
  /// - Parameter providers: the providers that are asked; all if it is empty.
  private func answer(_ asked: Asked, _ fixture: EngineFixture, providers: [String] = []) throws -> Result<Reply, APIError> {
    switch asked {
    case .autocomplete:
      let answer = try #require(fixture.answer("ber") { $0.providers = providers })
      return answer.map { Reply($0) }
    case .search:
      let answer = try #require(fixture.search("ber") { $0.providers = providers })
      return answer.map { Reply($0) }
    case .reverse:
      let here = try #require(Self.berlin)
      let answer = try #require(fixture.reverse(here) { $0.providers = providers })
      return answer.map { Reply($0) }
    }
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
      default: .places([.named("Bernau", id: "b", at: Self.bernau)], after: 0.1)
      }
    }
    fixture.simulation.start { [time = fixture.time] in
      try? await time.sleep(until: time.monotonic() + seconds)
      self.replace(fixture, [ProviderInstance(id: "b", service: service)])
    }
  }

  @Test("A request waits for it, calls it as soon as it runs, and returns its rows", arguments: [true, false], Asked.allCases)
  func waits(aRuns: Bool, asked: Asked) throws {
    let fixture = fixture(aRuns: aRuns)
    start(fixture, after: 0.3)
    let reply = try #require(try answer(asked, fixture).value)
    #expect(Set(reply.ids) == (aRuns ? ["a:a", "b:b"] : ["b:b"]))
    #expect(reply.complete && reply.providers["b"]?.outcome == .ok)
    #expect(reply.credits.contains("© B"))
  }

  @Test("An answer that is sent before it runs is incomplete, or an error if no other provider answers", arguments: Asked.allCases)
  func late(asked: Asked) throws {
    let fixture = fixture()
    start(fixture, after: 3)
    let reply = try #require(try answer(asked, fixture).value)
    #expect(reply.ids == ["a:a"] && !reply.complete)
    #expect(reply.providers["b"]?.outcome == .timeout && reply.providers["b"]?.cause == "starting")
    #expect(try answer(asked, fixture, providers: ["b"]).error?.name == .deadlineExceeded)
    fixture.simulation.pass(3)
    #expect(try answer(asked, fixture).value?.complete == true)
  }

  @Test("A text is resolved by a provider that starts meanwhile; if none starts in time, the error says that it is starting")
  func resolves() throws {
    let fixture = fixture(aRuns: false)
    start(fixture, after: 0.3)
    let result = try #require(fixture.resolve("bernau")?.value)
    #expect(result.certain && result.place?.id.text == "b:b" && result.attributions.map(\.text) == ["© B"])
    #expect(result.providers["b"]?.outcome == .ok)

    let late = self.fixture(aRuns: false)
    start(late, after: 3)
    let error = try #require(late.resolve("bernau")?.error)
    #expect(error.name == .deadlineExceeded && error.providers["b"]?.cause == "starting")
    late.simulation.pass(3)
    #expect(late.resolve("bernau")?.value?.certain == true)
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
