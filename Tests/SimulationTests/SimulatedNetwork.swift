import HTTP
import PlacesKit
import PlacesTesting
import Synchronization

@testable import HTTP

/// The services in the network. The seed determines their behaviour for each request. The record of requests remains when the daemon ends.
final class SimulatedNetwork: Sendable {
  /// The behaviour of the network and the service for one request.
  private enum Behaviour {
    /// The service closed the kept connection before the request was sent.
    case closed
    /// Nothing is sent.
    case refused(ProviderError.Cause)
    /// The service reads the request and closes the kept connection without an answer.
    case lost
    case reset
    /// The connection ends before the announced length of the body.
    case resetInBody
    /// A part of the body arrives, and then nothing.
    case stall
    /// The whole answer arrives after the deadline of most callers.
    case late
    /// The answer arrives twice.
    case twice
    /// Only this share of the body arrives, and its length was not announced.
    case cut(share: Double)
    /// The body has no end.
    case flood
    /// The body contains wrong bytes.
    case noise
    case status(Int, retryAfter: String?)
    case answer
    case never

    /// The name of the fault in the statistics; nil if nothing fails.
    var name: String? {
      switch self {
      case .closed: "closed before the request"
      case .refused(let cause): "not connected: \(cause.rawValue)"
      case .lost: "closed after the request"
      case .reset: "reset after the request"
      case .resetInBody: "reset in the body"
      case .stall: "stalled in the body"
      case .late: "late"
      case .twice: "answered twice"
      case .cut: "cut body"
      case .flood: "endless body"
      case .noise: "wrong bytes"
      case .status(let status, nil): "status \(status)"
      case .status(let status, let retryAfter?): "status \(status), Retry-After: \(retryAfter)"
      case .never: "no answer"
      case .answer: nil
      }
    }
  }

  /// Values of Retry-After: seconds, dates, values out of range, and invalid texts (RFC 9110, section 10.2.3).
  private static let retryAfters = [
    "0", "3", " 7", "-5", "99999999999999999999", "1e3", "soon", "", "Thu, 01 Jan 1970 00:00:00 GMT", "Wed, 21 Oct 2099 07:28:00 GMT",
    "Wed, 32 Oct 2026 25:61:00 GMT",
  ]

  /// The names of all faults that `draw` can return.
  static var faultNames: Set<String> {
    let plain: [Behaviour] = [
      .closed, .refused(.connect), .refused(.dns), .refused(.tls), .lost, .reset, .resetInBody, .stall, .late, .twice, .cut(share: 0),
      .flood,
      .noise, .status(500, retryAfter: nil), .status(403, retryAfter: nil), .never,
    ]
    let delayed = retryAfters.flatMap { [Behaviour.status(429, retryAfter: $0), .status(503, retryAfter: $0)] }
    return Set((plain + delayed).compactMap(\.name))
  }

  private struct State {
    var random: SeededRandom
    var requests = 0
    var faults: [String: Int] = [:]
  }
  private let state: Mutex<State>
  let watch: Watch
  private let time: ManualTime

  init(seed: UInt64, time: ManualTime, watch: Watch) {
    state = Mutex(State(random: SeededRandom(seed: seed)))
    self.time = time
    self.watch = watch
  }

  var requests: Int { state.withLock { $0.requests } }
  /// How often each fault happened.
  var faults: [String: Int] { state.withLock { $0.faults } }

  /// One request, by the contract of `HTTPClient.send`.
  /// - Parameter body: the whole answer of the service.
  func send(
    _ body: [UInt8], timeout: Double, meter: (any RequestMeter)?, isAlive: () -> Bool
  ) async throws(ProviderError) -> HTTPResponse {
    var wasSent = false
    defer { if !wasSent { meter?.release() } }
    guard !Task.isCancelled, isAlive() else { throw SimulatedNetwork.cancelled }
    let end = time.monotonic() + timeout
    let (behaviour, connecting, answering) = state.withLock { SimulatedNetwork.draw(&$0.random) }
    try await wait(connecting, until: end)
    // Counted here, because the caller may have been cancelled before.
    if let name = behaviour.name { state.withLock { $0.faults[name, default: 0] += 1 } }
    if case .closed = behaviour { throw SimulatedNetwork.lost }
    if case .refused(let cause) = behaviour { throw ProviderError(cause, "refused by the scenario") }
    // As libcurl does immediately before a request is sent.
    guard isAlive(), meter?.send() ?? true else { throw SimulatedNetwork.cancelled }
    wasSent = true
    arrive(isPaid: meter.map { !$0.isFree } ?? false)
    do throws(ProviderError) {
      try await wait(answering, until: end)
      switch behaviour {
      case .never, .stall: try await wait(.infinity, until: end)
      case .late: try await wait(0.9 + answering / 2, until: end)
      default: break
      }
      let response = try respond(behaviour, body)
      meter?.record(status: response.status)
      return response
    } catch {
      if error.cause != .cancelled { meter?.record(status: nil) }
      throw error
    }
  }

  private func arrive(isPaid: Bool) {
    let requests = state.withLock { state in
      state.requests += 1
      return state.requests
    }
    watch.note("request \(requests)")
    if isPaid { watch.recordPaidRequest() }
  }

  private func wait(_ seconds: Double, until end: Double) async throws(ProviderError) {
    do { try await time.sleep(until: min(end, time.monotonic() + seconds)) } catch { throw SimulatedNetwork.cancelled }
    if time.monotonic() >= end { throw ProviderError(.timeout, "no answer in time") }
  }

  private func respond(_ behaviour: Behaviour, _ body: [UInt8]) throws(ProviderError) -> HTTPResponse {
    switch behaviour {
    case .lost, .closed: throw SimulatedNetwork.lost
    case .reset, .resetInBody: throw ProviderError(.http, "the connection was closed", detail: "closed")
    case .flood: throw ProviderError(.tooLarge, "the body is too large")
    case .twice: return HTTPResponse(status: 200, body: body + body)
    case .cut(let share): return HTTPResponse(status: 200, body: Array(body.prefix(Int(Double(body.count) * share))))
    case .noise: return HTTPResponse(status: 200, body: body.map { $0 &* 31 &+ 7 })
    case .status(let status, let retryAfter):
      return HTTPResponse(status: status, headers: retryAfter.map { [.init("retry-after", $0)] } ?? [], body: Array("no".utf8))
    case .answer, .late, .never, .stall, .refused: return HTTPResponse(status: 200, body: body)
    }
  }

  private static let lost = ProviderError(.http, "the connection was closed", detail: HTTPClient.lostOnReusedConnection)
  private static let cancelled = ProviderError(.cancelled, "the request was cancelled")

  private static func draw(_ random: inout SeededRandom) -> (behaviour: Behaviour, connecting: Double, answering: Double) {
    let delay = Double.random(in: 0...1, using: &random)
    let (connecting, answering) = (Double.random(in: 0...0.05, using: &random), delay * delay)
    let behaviour: Behaviour =
      switch Int.random(in: 0..<112, using: &random) {
      case 100..<102: .closed
      case 102..<104: .resetInBody
      case 104..<106: .stall
      case 106..<108: .late
      case 108: .twice
      case 109..<112: .status(Bool.random(using: &random) ? 429 : 503, retryAfter: retryAfters.randomElement(using: &random))
      case 0..<3: .refused(.connect)
      case 3: .refused(.dns)
      case 4: .refused(.tls)
      case 5..<14: .lost
      case 14..<18: .reset
      case 18..<24: .cut(share: Double.random(in: 0..<1, using: &random))
      case 24..<26: .flood
      case 26..<28: .noise
      case 28..<33: .status(500, retryAfter: nil)
      case 33: .status(429, retryAfter: "3")
      case 34: .status(403, retryAfter: nil)
      case 35..<40: .never
      default: .answer
      }
    return (behaviour, connecting, answering)
  }
}

/// The network access of one run of the daemon; it fails after the run has ended.
final class NetworkAccess: HTTPSending {
  private let network: SimulatedNetwork
  private let body: @Sendable (HTTPRequest) -> [UInt8]
  private let run: DaemonRun

  init(_ network: SimulatedNetwork, run: DaemonRun, body: @escaping @Sendable (HTTPRequest) -> [UInt8]) {
    self.network = network
    self.run = run
    self.body = body
  }

  func send(
    _ request: HTTPRequest, access: HTTPAccess, timeout: Duration, meter: (any RequestMeter)?
  ) async throws(ProviderError) -> HTTPResponse {
    let (seconds, attoseconds) = timeout.components
    return try await network.send(
      body(request), timeout: Double(seconds) + Double(attoseconds) / 1e18, meter: meter, isAlive: { run.isAlive })
  }
}

/// One run of the daemon, from its start to its end.
final class DaemonRun: Sendable {
  private let alive = Mutex(true)
  var isAlive: Bool { alive.withLock { $0 } }
  func end() { alive.withLock { $0 = false } }
}
