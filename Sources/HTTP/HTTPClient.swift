import PlacesKit
import Synchronization

/// Sends the providers' requests. A dedicated thread drives libcurl; callers wait without blocking a thread.
///
/// `send` may be called from anywhere between `start()` and `stop()`.
public final class HTTPClient: Sendable {
  private enum State {
    case new
    case running(TransferThread)
    case stopped
  }
  /// The detail of an error after which a free request may be sent again: the service closed an idle connection without answering the
  /// request that was sent on it.
  static let lostOnKeptConnection = "connection_lost"

  private let limits: HTTPLimits
  private let state = Mutex(State.new)
  /// Requests in progress.
  private let count = Atomic(0)

  public init(limits: HTTPLimits = HTTPLimits()) { self.limits = limits }

  /// Starts the thread. Throws `connect` if the system has no thread or no pipe.
  public func start() throws(ProviderError) {
    try state.withLock { (state) throws(ProviderError) in
      guard case .new = state else { return }
      state = .running(try TransferThread(limits: limits))
    }
  }

  /// Ends requests in progress with `cancelled`, closes every connection and returns when the thread has ended, within milliseconds.
  public func stop() {
    let thread: TransferThread? = state.withLock { state in
      defer { state = .stopped }
      if case .running(let thread) = state { return thread }
      return nil
    }
    thread?.stop()
  }

  deinit { stop() }

  /// Requests that have been sent and not yet answered.
  public var inProgress: Int { count.load(ordering: .relaxed) }

  /// Sends one request and waits for the whole answer, whatever its status. Redirects are answers like any other: they are
  /// not followed.
  ///
  /// Throws within `timeout`, with the cause of the failure: `dns`, `connect`, `tls`, `timeout`, `tooLarge`, `http` for a
  /// broken response, `cancelled`, `badRequest` for a request that the instance may not send, `rateLimit` if too many requests are in progress.
  /// No message contains the key, the query or the URL.
  /// - Parameter meter: the meter to which the request is charged and which has reserved it; nil if no budget counts it. The request is sent at
  ///   most once; if it is not sent, the reservation is released.
  public func send(
    _ request: HTTPRequest, access: HTTPAccess, timeout: Duration, meter: (any RequestMeter)? = nil
  ) async throws(ProviderError) -> HTTPResponse {
    var wasSent = false
    defer { if !wasSent { meter?.release() } }
    guard !Task.isCancelled else { throw ProviderError(.cancelled, "the request was cancelled") }
    let outgoing = try OutgoingRequest(request, access: access)
    guard case .running(let thread) = state.withLock({ $0 }) else { throw ProviderError(.cancelled, "HTTP is shut down") }
    guard count.add(1, ordering: .relaxed).newValue <= limits.requests else {
      count.subtract(1, ordering: .relaxed)
      throw ProviderError(.rateLimit, "more than \(limits.requests) requests to services are in flight")
    }
    defer { count.subtract(1, ordering: .relaxed) }

    var limits = limits
    if let connections = access.connections { limits.connectionsPerHost = max(1, connections) }
    let transfer = Transfer(
      outgoing, access: access, timeout: min(max(timeout, .milliseconds(1)), limits.total), limits: limits, meter: meter)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        transfer.wait(continuation)
        thread.post(.add(transfer))
      }
    } onCancel: {
      thread.post(.cancel(transfer))
    }
    wasSent = outcome.wasSent
    let response: HTTPResponse
    do throws(ProviderError) { response = try outcome.result.get() } catch {
      if error.cause != .cancelled { meter?.record(status: nil) }
      throw error
    }
    let scrubber = KeyScrubber(outgoing.pool.key)
    let scrubbed = scrubber.scrub(response)
    // The answer to a failed request is short. A long one is not retained for the length of the call.
    if scrubbed.body.count <= ServiceMessage.maxBodyBytes {
      meter?.record(status: scrubbed.status) { ServiceMessage.text(of: scrubbed, without: scrubber) }
    } else {
      meter?.record(status: scrubbed.status)
    }
    return scrubbed
  }
}
