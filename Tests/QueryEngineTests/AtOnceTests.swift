import PlacesAPI
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import QueryEngine

@Suite("Providers that answer in the request's own task")
struct AtOnceTests {
  /// Computes until its caller waits no more.
  private final class Computing: PlaceService {
    let manifest = Manifest.scripted("Computing", remote: false)
    let deadlines = Mutex<[Double?]>([])
    let time: ManualTime

    init(time: ManualTime) { self.time = time }

    func autocomplete(_ request: AutocompleteRequest) async throws(ProviderError) -> Page<Suggestion> {
      let deadline = CallDeadline.current
      deadlines.withLock { $0.append(deadline) }
      if let deadline { time.advance(by: deadline - time.monotonic()) }
      throw ProviderError(.timeout, "no answer so soon")
    }
  }

  @Test("They receive the request's deadline, and a deadline that is too short does not count as their failure")
  func deadline() throws {
    let simulation = Simulation()
    let service = Computing(time: simulation.time)
    let engine = Engine(providers: [ProviderInstance(id: "a", service: service, answersImmediately: true)], time: simulation.time)
    for number in 0..<20 {
      let start = simulation.time.monotonic()
      var parameters = Autocomplete.Parameters(query: "berl\(number)")
      parameters.deadlineMs = 250
      let asked = parameters
      let running = simulation.start { () -> APIError? in
        do throws(APIError) { _ = try await engine.autocomplete(asked, caller: EngineCaller(user: 1)) } catch { return error }
        return nil
      }
      #expect(simulation.finish(running)??.name == .deadlineExceeded)
      let heard = service.deadlines.withLock { $0.last }.flatMap { $0 }
      #expect(abs(try #require(heard) - start - 0.24) < 1e-9)
    }
    #expect(engine.status(of: "a")?.state == .ready)
  }

  @Test("A configured rate applies to them too: a call above the rate waits", arguments: [true, false])
  func limits(isRate: Bool) throws {
    let fixture = EngineFixture([
      "a": .init(manifest: .scripted("A", remote: false)) { _, _ in .suggestions([.city("Berlin")], after: 0.1) }
    ])
    let service = try #require(fixture.services["a"])
    let rate = isRate ? Rate(perSecond: 1, concurrent: 64) : Rate(concurrent: 1)
    fixture.engine.replaceProviders([ProviderInstance(id: "a", service: service, answersImmediately: true, rate: rate)])
    let requests = ["ber", "berl"].map { query in fixture.ask(query) { $0.deadlineMs = 1_500 } }
    for request in requests { #expect(fixture.simulation.finish(request)?.value != nil) }
    let starts = fixture.calls(to: "a").map(\.at)
    #expect(starts.count == 2 && abs(starts[1] - starts[0] - (isRate ? 1 : 0.1)) < 1e-6)
  }
}
