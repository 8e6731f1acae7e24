import HTTP
import PlacesKit
import PlacesTesting
import Synchronization

@testable import HTTP

/// The services at the other end of the network. The seed determines their reaction to each request; the record of requests outlives the
/// daemon.
final class SimulatedNetwork: Sendable {
  /// The fate of one request.
  private enum Fate {
    /// The service closed the kept connection before the request left.
    case closed
    /// Nothing is sent.
    case refused(ProviderError.Cause)
    /// The service reads the request, and closes the kept connection on which it came.
    case lost
    case reset
    /// The connection ends in the middle of a body whose length was announced.
    case resetInBody
    /// A part of the body arrives, and then nothing.
    case stall
    /// The whole answer arrives later than most callers wait.
    case late
    /// The answer arrives twice.
    case twice
    /// Only so much of the body arrives, and nothing announces its length.
    case cut(share: Double)
    /// The body has no end.
    case flood
    /// Other bytes than those of the service.
    case noise
    case status(Int, retryAfter: String?)
    case answer
    case never

    /// What the counts of a run call it; nil if nothing fails.
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
      case .noise: "other bytes"
      case .status(let status, nil): "status \(status)"
      case .status(let status, let retryAfter?): "status \(status), Retry-After: \(retryAfter)"
      case .never: "no answer"
      case .answer: nil
      }
    }
  }

  /// Values of Retry-After: seconds, dates, values out of every range, and what is neither (RFC 9110, section 10.2.3).
  private static let retryAfters = [
    "0", "3", " 7", "-5", "99999999999999999999", "1e3", "soon", "", "Thu, 01 Jan 1970 00:00:00 GMT", "Wed, 21 Oct 2099 07:28:00 GMT",
    "Wed, 32 Oct 2026 25:61:00 GMT",
  ]

  /// The names of all faults that `draw` can return.
  static var faultNames: Set<String> {
    let plain: [Fate] = [
      .closed, .refused(.connect), .refused(.dns), .refused(.tls), .lost, .reset, .resetInBody, .stall, .late, .twice, .cut(share: 0),
      .flood,
      .noise, .status(500, retryAfter: nil), .status(403, retryAfter: nil), .never,
    ]
    let delayed = retryAfters.flatMap { [Fate.status(429, retryAfter: $0), .status(503, retryAfter: $0)] }
    return Set((plain + delayed).compactMap(\.name))
  }

  private struct State {
    var random: SeededRandom
    /// Paid requests that were read.
    var paid = 0
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
    var hasLeft = false
    defer { if !hasLeft { meter?.release() } }
    guard !Task.isCancelled, isAlive() else { throw SimulatedNetwork.cancelled }
    let end = time.monotonic() + timeout
    let (fate, connecting, answering) = state.withLock { SimulatedNetwork.draw(&$0.random) }
    try await wait(connecting, until: end)
    // Counted when it happens: before, the caller may have gone.
    if let name = fate.name { state.withLock { $0.faults[name, default: 0] += 1 } }
    if case .closed = fate { throw SimulatedNetwork.lost }
    if case .refused(let cause) = fate { throw ProviderError(cause, "refused by the scenario") }
    // As libcurl asks right before a request leaves.
    guard isAlive(), meter?.send() ?? true else { throw SimulatedNetwork.cancelled }
    hasLeft = true
    arrive(isPaid: meter.map { !$0.isFree } ?? false)
    do throws(ProviderError) {
      try await wait(answering, until: end)
      switch fate {
      case .never, .stall: try await wait(.infinity, until: end)
      case .late: try await wait(0.9 + answering / 2, until: end)
      default: break
      }
      let response = try respond(fate, body)
      meter?.record(status: response.status)
      return response
    } catch {
      if error.cause != .cancelled { meter?.record(status: nil) }
      throw error
    }
  }

  private func arrive(isPaid: Bool) {
    let paid = state.withLock { state in
      state.requests += 1
      if isPaid { state.paid += 1 }
      return state.paid
    }
    watch.note("request \(isPaid ? "paid" : "free") \(paid)")
    let written = watch.committedCalls
    if paid > written { watch.report("\(paid) paid requests reached the service, and \(written) are in the ledger") }
  }

  private func wait(_ seconds: Double, until end: Double) async throws(ProviderError) {
    do { try await time.sleep(until: min(end, time.monotonic() + seconds)) } catch { throw SimulatedNetwork.cancelled }
    if time.monotonic() >= end { throw ProviderError(.timeout, "no answer in time") }
  }

  private func respond(_ fate: Fate, _ body: [UInt8]) throws(ProviderError) -> HTTPResponse {
    switch fate {
    case .lost, .closed: throw SimulatedNetwork.lost
    case .reset, .resetInBody: throw ProviderError(.http, "the connection was closed", detail: "closed")
    case .flood: throw ProviderError(.tooLarge, "more than there is room for")
    case .twice: return HTTPResponse(status: 200, body: body + body)
    case .cut(let share): return HTTPResponse(status: 200, body: Array(body.prefix(Int(Double(body.count) * share))))
    case .noise: return HTTPResponse(status: 200, body: body.map { $0 &* 31 &+ 7 })
    case .status(let status, let retryAfter):
      return HTTPResponse(status: status, headers: retryAfter.map { [.init("retry-after", $0)] } ?? [], body: Array("no".utf8))
    case .answer, .late, .never, .stall, .refused: return HTTPResponse(status: 200, body: body)
    }
  }

  private static let lost = ProviderError(.http, "the connection was closed", detail: HTTPClient.lostOnKeptConnection)
  private static let cancelled = ProviderError(.cancelled, "the request was cancelled")

  private static func draw(_ random: inout SeededRandom) -> (fate: Fate, connecting: Double, answering: Double) {
    let delay = Double.random(in: 0...1, using: &random)
    let (connecting, answering) = (Double.random(in: 0...0.05, using: &random), delay * delay)
    let fate: Fate =
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
    return (fate, connecting, answering)
  }
}

/// The network of one run of the daemon; it is unreachable once the run is over.
final class NetworkAccess: HTTPSending {
  private let network: SimulatedNetwork
  private let body: @Sendable (HTTPRequest) -> [UInt8]
  private let run: RunOfDaemon

  init(_ network: SimulatedNetwork, run: RunOfDaemon, body: @escaping @Sendable (HTTPRequest) -> [UInt8]) {
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

/// Whether a run of the daemon continues.
final class RunOfDaemon: Sendable {
  private let alive = Mutex(true)
  var isAlive: Bool { alive.withLock { $0 } }
  func end() { alive.withLock { $0 = false } }
}
