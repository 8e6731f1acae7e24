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
    /// Nothing is sent.
    case refused(ProviderError.Cause)
    /// The service reads the request, and closes the kept connection on which it came.
    case lost
    case reset
    /// Only so much of the body arrives, and nothing announces its length.
    case cut(share: Double)
    /// The body has no end.
    case flood
    /// Other bytes than those of the service.
    case noise
    case status(Int, retryAfter: String?)
    case answer
    case never
  }

  private struct State {
    var random: SeededRandom
    /// Paid requests that were read.
    var paid = 0
    var requests = 0
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
    if case .refused(let cause) = fate { throw ProviderError(cause, "refused by the scenario") }
    // As libcurl asks right before a request leaves.
    guard isAlive(), meter?.send() ?? true else { throw SimulatedNetwork.cancelled }
    hasLeft = true
    arrive(isPaid: meter.map { !$0.isFree } ?? false)
    do throws(ProviderError) {
      if case .never = fate { try await wait(.infinity, until: end) }
      try await wait(answering, until: end)
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
    if paid > written { watch.fault("\(paid) paid requests reached the service, and \(written) are in the ledger") }
  }

  private func wait(_ seconds: Double, until end: Double) async throws(ProviderError) {
    do { try await time.sleep(until: min(end, time.monotonic() + seconds)) } catch { throw SimulatedNetwork.cancelled }
    if time.monotonic() >= end { throw ProviderError(.timeout, "no answer in time") }
  }

  private func respond(_ fate: Fate, _ body: [UInt8]) throws(ProviderError) -> HTTPResponse {
    switch fate {
    case .lost:
      throw ProviderError(.http, "the connection was closed", detail: HTTPClient.lostOnKeptConnection)
    case .reset: throw ProviderError(.http, "the connection was closed", detail: "closed")
    case .flood: throw ProviderError(.tooLarge, "more than there is room for")
    case .cut(let share): return HTTPResponse(status: 200, body: Array(body.prefix(Int(Double(body.count) * share))))
    case .noise: return HTTPResponse(status: 200, body: body.map { $0 &* 31 &+ 7 })
    case .status(let status, let retryAfter):
      return HTTPResponse(status: status, headers: retryAfter.map { [.init("retry-after", $0)] } ?? [], body: Array("no".utf8))
    case .answer, .never, .refused: return HTTPResponse(status: 200, body: body)
    }
  }

  private static let cancelled = ProviderError(.cancelled, "the request was cancelled")

  private static func draw(_ random: inout SeededRandom) -> (fate: Fate, connecting: Double, answering: Double) {
    let delay = Double.random(in: 0...1, using: &random)
    let (connecting, answering) = (Double.random(in: 0...0.05, using: &random), delay * delay)
    let fate: Fate =
      switch Int.random(in: 0..<100, using: &random) {
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
