import PlacesKit
import Synchronization

/// Sends the providers' requests. A dedicated thread runs libcurl, and callers wait without blocking a thread.
///
/// `send` may be called by any task between `start()` and `stop()`.
public final class HTTPClient: Sendable {
  private enum State {
    case new
    case running(TransferThread)
    case stopped
  }
  /// The `detail` of the error that `send` throws if the service closed an idle connection just when the request was sent on it. After this
  /// error, a free request may be sent again.
  static let lostOnReusedConnection = "connection_lost"

  private let limits: HTTPLimits
  private let state = Mutex(State.new)
  /// The number of requests in progress.
  private let requestCount = Atomic(0)

  public init(limits: HTTPLimits = HTTPLimits()) { self.limits = limits }

  /// Starts the thread. Throws `connect` if no thread or no descriptor can be created.
  public func start() throws(ProviderError) {
    try state.withLock { (state) throws(ProviderError) in
      guard case .new = state else { return }
      state = .running(try TransferThread(limits: limits))
    }
  }

  /// Ends requests in progress with `cancelled`, closes every connection, and returns when the thread has ended. This takes milliseconds.
  public func stop() {
    let thread: TransferThread? = state.withLock { state in
      defer { state = .stopped }
      if case .running(let thread) = state { return thread }
      return nil
    }
    thread?.stop()
  }

  deinit { stop() }

  /// The number of requests in progress.
  public var requestsInProgress: Int { requestCount.load(ordering: .relaxed) }

  /// Sends one request and returns the whole answer, whatever its status. A redirection is returned like any other answer, and is not
  /// followed.
  ///
  /// Throws within `timeout`, with the cause of the failure: `dns`, `connect`, `tls`, `timeout`, `tooLarge`, `http` for a broken response,
  /// `decode` for a body that is not compressed as its header declares, `cancelled`, `badRequest` for a request that the instance may not
  /// send, `credentials` for a key that is malformed or would be sent without TLS to a public host, or `rateLimit` if too many requests are
  /// in progress; also any error of `access.key`. No message contains the key, the query or the URL.
  /// - Parameter meter: the meter to which the request is charged, and which has reserved the request; nil if no budget counts it. The
  ///   request is sent at most once. If it is not sent, the reservation is released.
  public func send(
    _ request: HTTPRequest, access: HTTPAccess, timeout: Duration, meter: (any RequestMeter)? = nil
  ) async throws(ProviderError) -> HTTPResponse {
    var wasSent = false
    defer { if !wasSent { meter?.release() } }
    guard !Task.isCancelled else { throw ProviderError(.cancelled, "the request was cancelled") }
    let outgoing = try OutgoingRequest(request, access: access)
    guard case .running(let thread) = state.withLock({ $0 }) else { throw ProviderError(.cancelled, "HTTP is shut down") }
    guard requestCount.add(1, ordering: .relaxed).newValue <= limits.maxRequests else {
      requestCount.subtract(1, ordering: .relaxed)
      throw ProviderError(.rateLimit, "more than \(limits.maxRequests) requests to services are in flight")
    }
    defer { requestCount.subtract(1, ordering: .relaxed) }

    var limits = limits
    if let maximum = access.maxConnectionsPerHost { limits.connectionsPerHost = max(1, maximum) }
    let transfer = Transfer(
      outgoing, access: access, timeout: min(max(timeout, .milliseconds(1)), limits.maxTimeout), limits: limits, meter: meter)
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
    let scrubber = KeyScrubber(outgoing.poolKey.key)
    let scrubbedResponse = scrubber.scrub(response)
    // The meter retains the answer until the end of the call, to read an error message from it. A long answer is no error message.
    if scrubbedResponse.body.count <= ServiceMessage.maxBodyBytes {
      meter?.record(status: scrubbedResponse.status) { ServiceMessage.text(of: scrubbedResponse, without: scrubber) }
    } else {
      meter?.record(status: scrubbedResponse.status)
    }
    return scrubbedResponse
  }
}
