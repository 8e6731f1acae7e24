import EmulatedAPIs
import Glibc
import JSON
import Linux
import PlacesAPI
import PlacesClient
import RPC

/// A connection to the daemon. The first call opens it; if it breaks, the next call opens it again. It stays open until `close`. Use it on
/// the loop's thread only.
///
/// `@unchecked Sendable`: mutable state is used on the loop's thread only.
final class DaemonConnection: @unchecked Sendable {
  private enum Phase {
    case closed
    /// Calls wait until the connection is open and the daemon has accepted the user.
    case opening
    /// This client sends the calls.
    case open(Client)
  }

  private let loop: EventLoop
  /// The paths of the daemon's socket, which are tried in this order.
  private let paths: [String]
  /// The user on whose behalf the connection makes calls; nil for the gateway's own user.
  private let user: UInt32?
  /// The clock of the calls' deadlines.
  private let time: @Sendable () -> Double
  /// A daemon that is being started is given at most two seconds, because a person waits for the answer.
  private let backoff = Backoff(firstPause: 0.05, maxPause: 0.5, timeLimit: 2)
  private var phase = Phase.closed
  /// The number of clients that were created so far. Callbacks of a client are ignored once a later client has been created.
  private var generation = 0
  /// Seconds within which the daemon must accept the user on whose behalf the calls are made.
  private static let acceptanceLimit = 2.0
  /// The calls that wait for their replies, by the identity of the object.
  private var calls: [ObjectIdentifier: PendingCall] = [:]
  /// True if a timer has been started that will check the calls' deadlines.
  private var hasSweepTimer = false

  init(_ loop: EventLoop, paths: [String], onBehalfOf user: UInt32?, time: @escaping @Sendable () -> Double = monotonicSeconds) {
    self.loop = loop
    self.paths = paths
    self.user = user
    self.time = time
  }

  /// The number of calls that wait for their replies.
  var callsInProgress: Int { calls.count }

  /// Sends the call at once if the connection is open; otherwise opens the connection first.
  func send(_ call: PendingCall) {
    calls[ObjectIdentifier(call)] = call
    call.connection = self
    startSweepTimer()
    switch phase {
    case .open(let client): begin(call, client)
    case .opening: break
    case .closed:
      phase = .opening
      open(attempt: 0, until: monotonicSeconds() + backoff.timeLimit)
    }
  }

  /// Ends the calls and closes the connection.
  func close() {
    if case .open(let client) = phase { client.close() }
    phase = .closed
    failAll(.daemonUnavailable)
  }

  // MARK: The connection

  /// Tries to connect to one of the paths, and repeats that after pauses until `end` (monotonic seconds). If the gateway may not use a
  /// socket, further attempts would fail too, and the calls fail at once.
  private func open(attempt: Int, until end: Double) {
    guard case .opening = phase else { return }
    var isForbidden = false
    for path in paths {
      do throws(RPCClientError) {
        let clientGeneration = generation + 1
        let client = try Client(connectingTo: path, loop: loop) { [self] in receive($0, generation: clientGeneration) }
        generation = clientGeneration
        return activate(client, clientGeneration)
      } catch {
        if case .unreachable(let error) = error, error.code == EACCES { isForbidden = true }
      }
    }
    let ceiling = backoff.ceiling(after: attempt)
    let pause = ceiling > 0 ? Double.random(in: 0...ceiling) : 0
    guard !isForbidden, monotonicSeconds() + pause < end else {
      phase = .closed
      return failAll(.daemonUnavailable)
    }
    loop.after(pause) { [self] in open(attempt: attempt + 1, until: end) }
  }

  /// Starts to use a client that has connected: at once or, if it makes calls on behalf of a user, when the daemon has accepted that user.
  private func activate(_ client: Client, _ clientGeneration: Int) {
    guard let user else { return use(client) }
    loop.after(DaemonConnection.acceptanceLimit) { [self] in
      if case .opening = phase, generation == clientGeneration { close(client, failingCallsWith: .daemonUnavailable) }
    }
    // Other requests wait until this one succeeds; otherwise they would run as the gateway's own user.
    client.start("$/onBehalfOf", params: Array("{\"user\":\(user)}".utf8)) { [self] outcome in
      guard case .opening = phase, generation == clientGeneration else { return client.close() }
      switch outcome {
      case .success: use(client)
      case .failure(let error): close(client, failingCallsWith: DaemonFailure(ClientError(error)))
      }
    }
  }

  /// Closes a client whose user the daemon has not accepted, and fails all calls.
  private func close(_ client: Client, failingCallsWith failure: DaemonFailure) {
    client.close()
    phase = .closed
    failAll(failure)
  }

  /// Uses the client for all calls from now on, and sends the calls that wait.
  private func use(_ client: Client) {
    phase = .open(client)
    for call in calls.values where call.sentRequest == nil { begin(call, client) }
  }

  // MARK: Calls

  /// Sends the request of a call.
  private func begin(_ call: PendingCall, _ client: Client) {
    let id = client.start(call.call.method, params: JSONValue.object(call.call.params).bytes) { [self] outcome in
      end(call, outcome, of: client)
    }
    // If the connection was closed, the call has already ended or waits for a new connection.
    if case .open(let current) = phase, current === client, !call.isOver, call.sentRequest == nil { call.sentRequest = (client, id) }
  }

  /// Passes the outcome to the call. If the connection broke and the request may be repeated, sends it once more.
  private func end(_ call: PendingCall, _ outcome: Result<[UInt8], RPCClientError>, of client: Client) {
    let isClosed = if case .failure(.closed) = outcome { true } else { false }
    if isClosed, case .open(let current) = phase, current === client { phase = .closed }
    remove(call)
    // A call that was never sent may always be repeated, even if it is not idempotent.
    let mayRepeat = call.sentRequest == nil || PlacesClient.mayRepeat(call.call.method, call.call.params)
    switch outcome {
    case .success(let bytes): call.finish(.result(bytes))
    case .failure where call.isOver: return
    case .failure(.closed) where !call.isRepeated && mayRepeat:
      call.isRepeated = true
      call.sentRequest = nil
      send(call)
    case .failure(let error): call.finish(.failure(DaemonFailure(ClientError(error))))
    }
  }

  /// Stops tracking a call that has ended.
  func remove(_ call: PendingCall) {
    calls[ObjectIdentifier(call)] = nil
    call.connection = nil
  }

  private func failAll(_ failure: DaemonFailure) {
    let failedCalls = Array(calls.values)
    for call in failedCalls { remove(call) }
    for call in failedCalls { call.finish(.failure(failure)) }
  }

  /// Passes a partial answer of the daemon to its call.
  private func receive(_ notification: Request, generation: Int) {
    guard generation == self.generation, notification.method == Partial.method, let params = try? notification.decodedParams(),
      case .integer(let id)? = params["request"]
    else {
      return
    }
    calls.values.first { $0.sentRequest?.id == id }?.partial?(params.bytes)
  }

  /// Checks once a second for calls whose deadlines have passed, as long as there are calls.
  private func startSweepTimer() {
    guard !hasSweepTimer, !calls.isEmpty else { return }
    hasSweepTimer = true
    loop.after(1) { [self] in
      hasSweepTimer = false
      let now = time()
      for call in calls.values where call.deadline <= now {
        remove(call)
        let sentRequest = call.sentRequest
        call.finish(.failure(.timedOut))
        if let sentRequest { sentRequest.client.cancel(sentRequest.id) }
      }
      startSweepTimer()
    }
  }
}

extension DaemonFailure {
  /// The message does not contain the sockets' paths, which clients need not know.
  static let daemonUnavailable = DaemonFailure(name: nil, message: "the places daemon does not answer")
  static let timedOut = DaemonFailure(name: .deadlineExceeded, message: "the places daemon did not answer in time")

  init(_ error: ClientError) {
    guard case .refused(let refusal) = error else {
      let name: APIError.Name? =
        switch error {
        case .timeLimit: .deadlineExceeded
        case .cancelled: .cancelled
        case .unreadable: .internalError
        default: nil
        }
      self = name == nil ? .daemonUnavailable : DaemonFailure(name: name, message: error.message)
      return
    }
    self.init(name: refusal.name, code: refusal.code, message: refusal.message, retryAfter: refusal.retryAfter, data: refusal.data)
  }
}
