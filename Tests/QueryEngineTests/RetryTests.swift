import PlacesAPI
import PlacesKit
import PlacesTesting
import Resilience
import Synchronization
import Testing

@testable import HTTP
@testable import QueryEngine

@Suite("A service that fails")
struct RetryTests {
  /// Each query needs one request. The load changes between 50 and 2 queries a second.
  @Test(
    "receives at most 1.1 requests for each needed call in the minute before any of them",
    arguments: FailingServer.Fault.allCases, [0.05, 1])
  func law(fault: FailingServer.Fault, share: Double) throws {
    let simulation = Simulation()
    let time = simulation.time
    let server = FailingServer(fault, share: share, time: time)
    let manifest = Manifest.scripted("Free")
    let access = try HTTPAccess(id: "free", manifest: manifest, baseURL: "http://127.0.0.1:1", allowsPrivateAddresses: true)
    let service = HTTPService(
      manifest: manifest, http: ProviderHTTP(server, access: access, rates: [], timeout: 1, isFree: true))
    // An open breaker would hide the behaviour of calls.
    let provider = ProviderInstance(id: "free", service: service, timeout: 1, failureShare: 1)
    let engine = Engine(providers: [provider], time: time, random: SeededRandom(seed: 1))
    let running = simulation.start { await engine.run() }
    defer { running.cancel() }
    var number = 0
    for _ in 0..<3 {
      for (count, interval) in [(1_500, 0.02), (60, 0.5)] {
        for _ in 0..<count {
          number += 1
          let parameters = Autocomplete.Parameters(query: "\(number)")
          simulation.start { _ = try? await engine.autocomplete(parameters, caller: EngineCaller(user: 1_000), partial: nil) }
          simulation.pass(interval)
        }
      }
    }
    let (needed, repeated) = server.times
    #expect(needed.count == number)
    for time in repeated {
      let minute = time - 60..<time + 1e-6
      let counts = (needed.count { minute.contains($0) }, repeated.count { minute.contains($0) })
      #expect(10 * counts.1 <= counts.0, "\(counts.0) requests were needed, and \(counts.1) repeated one")
    }
    #expect(Double(repeated.count) > 0.7 * min(0.1, share) * Double(number), "\(repeated.count) requests were repeated")
  }
}

/// A server without a network: it records when each query arrived, and fails for a share of the requests.
final class FailingServer: HTTPSending {
  enum Fault: CaseIterable { case status500, lost }

  private struct State {
    var random = SeededRandom(seed: 2)
    var queries: Set<[UInt8]> = []
    var needed: [Double] = []
    var repeated: [Double] = []
  }
  private let state = Mutex(State())
  private let fault: Fault
  private let share: Double
  private let time: ManualTime

  init(_ fault: Fault, share: Double, time: ManualTime) { (self.fault, self.share, self.time) = (fault, share, time) }

  /// The times of the first request for each query, and those of all others.
  var times: (needed: [Double], repeated: [Double]) { state.withLock { ($0.needed, $0.repeated) } }

  func send(
    _ request: HTTPRequest, access: HTTPAccess, timeout: Duration, meter: (any RequestMeter)?
  ) async throws(ProviderError) -> HTTPResponse {
    guard meter?.send() == true else { throw ProviderError(.cancelled, "the call is over") }
    let now = time.monotonic()
    let fails = state.withLock { state in
      if state.queries.insert(request.body).inserted { state.needed.append(now) } else { state.repeated.append(now) }
      return Double.random(in: 0..<1, using: &state.random) < share
    }
    try? await time.sleep(until: now + 0.01)
    if fails, fault == .lost { throw ProviderError(.http, "the connection was closed", detail: HTTPClient.lostOnReusedConnection) }
    let status = fails ? 500 : 200
    meter?.record(status: status)
    return HTTPResponse(status: status, body: Array("{}".utf8))
  }
}
