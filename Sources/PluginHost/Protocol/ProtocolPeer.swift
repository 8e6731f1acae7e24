import PlacesKit
import Synchronization

/// One side of the provider protocol: numbers its own requests, matches replies to them, and tracks the open requests of both sides.
final class ProtocolPeer: Sendable {
  /// A message of the other side that is not a reply.
  enum Incoming: Sendable {
    case request(id: MessageID, method: String, parameters: JSONValue, cancellation: CancelSignal)
    case notification(method: String, parameters: JSONValue)
  }

  /// A request of this side that has no reply yet.
  private struct PendingRequest {
    /// Nil once the caller no longer waits. The request remains pending, because the other side still owes the reply.
    var caller: CheckedContinuation<Result<JSONValue, ProviderError>, Never>?
    /// True once the request is sent. Its cancellation must not be sent earlier.
    var isSent = false
    /// The number of further calls of `tick` after which the reply is overdue.
    var remainingTicks: Int
    /// The meter of the HTTP requests that the other side sends for this request.
    var meter: (any RequestMeter)?
  }

  /// A request of the other side that has no reply yet.
  private struct ServedRequest {
    var cancellation: CancelSignal
    /// The id of this side's request for which the other side sent this one; nil if the other side named none.
    var parent: Int?
    /// The meter to which the request is charged; nil if its call has none.
    var meter: (any RequestMeter)?
  }

  private struct State {
    var nextID = 0
    var pendingRequests: [Int: PendingRequest] = [:]
    var servedRequests: [MessageID: ServedRequest] = [:]
    /// The reason for which the connection was closed; nil while it is open.
    var closeReason: ProviderError?
    /// The number of unsolicited messages (see `maxUnsolicitedPerSecond`) in the second that began at `since`.
    var unsolicited = (count: 0, since: 0.0)
  }

  /// The maximum number of open requests of this side. It exceeds the number of concurrent calls of a provider, because a cancelled request
  /// stays open until its reply arrives.
  static let maxPendingRequests = 256
  /// The maximum number of open requests of the other side: one for each concurrent call, and the same number for calls that are over.
  static let maxServedRequests = 2 * Rate.maxConcurrent
  /// The maximum number of unsolicited messages in a second: notifications, replies to no open request, and refused requests of the other
  /// side.
  static let maxUnsolicitedPerSecond = 1_000

  private let state = Mutex(State())
  private let send: @Sendable ([UInt8]) -> Bool
  private let graceTicks: Int
  private let timeoutTicks: Int
  private let now: @Sendable () -> Double
  /// Yields when a request is sent, for the task that watches the process.
  let activity: AsyncStream<Void>
  private let activitySignal: AsyncStream<Void>.Continuation

  /// - Parameters:
  ///   - graceTicks: the number of calls of `tick` within which the other side must answer a cancelled request.
  ///   - timeoutTicks: the number of calls of `tick` within which the other side must answer any request. `tick` is called every 50 ms
  ///     (`ProviderProcess.tick`), so the defaults are 250 ms and 30 s.
  ///   - send: writes a line; returns false if it cannot.
  init(
    graceTicks: Int = 5, timeoutTicks: Int = 600, now: @escaping @Sendable () -> Double = { SystemTime().monotonic() },
    send: @escaping @Sendable ([UInt8]) -> Bool
  ) {
    self.now = now
    self.graceTicks = graceTicks
    self.timeoutTicks = timeoutTicks
    self.send = send
    (activity, activitySignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  // MARK: Requests of this side

  /// Sends a request and waits for its reply. If the caller's task is cancelled, this cancels the request and throws immediately.
  /// - Parameter meter: the meter of the HTTP requests that the other side sends for this request.
  func call(_ method: String, _ parameters: [UInt8], meter: (any RequestMeter)? = nil) async throws(ProviderError) -> JSONValue {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { start(id, method, parameters, meter, $0) }
    } onCancel: {
      abandon(id, ProviderError(.cancelled, "the caller no longer waits for the answer"))
    }
    return try result.get()
  }

  func notify(_ method: String, _ parameters: [UInt8]) {
    _ = send(ProtocolMessage.request(id: nil, method: method, parameters: parameters))
  }

  /// Records and sends a request. If that is not possible, resumes the caller with the error.
  private func start(
    _ id: Int, _ method: String, _ parameters: [UInt8], _ meter: (any RequestMeter)?,
    _ caller: CheckedContinuation<Result<JSONValue, ProviderError>, Never>
  ) {
    let refusal: ProviderError? = state.withLock { state in
      if let reason = state.closeReason { return reason }
      if Task.isCancelled { return ProviderError(.cancelled, "the caller no longer waits for the answer") }
      guard state.pendingRequests.count < Self.maxPendingRequests else {
        return ProviderError(.rateLimit, "too many requests to the provider at once")
      }
      state.pendingRequests[id] = PendingRequest(caller: caller, remainingTicks: timeoutTicks, meter: meter)
      return nil
    }
    if let refusal { return caller.resume(returning: .failure(refusal)) }
    activitySignal.yield()
    guard send(ProtocolMessage.request(id: id, method: method, parameters: parameters)) else {
      return settle(id, .failure(ProviderError(.plugin, "the provider does not read its requests")))
    }
    let isAbandoned = state.withLock { state in
      state.pendingRequests[id]?.isSent = true
      return state.pendingRequests[id].map { $0.caller == nil } ?? false
    }
    // The caller stopped waiting before the request was sent, so `abandon` did not send the cancellation.
    if isAbandoned { sendCancel(id) }
  }

  /// Ends the caller's wait with an error. The other side gets a cancellation, and must still reply within `graceTicks`. The requests that
  /// the other side has sent for this request (its children) are cancelled too.
  private func abandon(_ id: Int, _ reason: ProviderError) {
    let (caller, isSent, children) = state.withLock { state in
      let caller = state.pendingRequests[id]?.caller
      let isSent = state.pendingRequests[id]?.isSent ?? false
      state.pendingRequests[id]?.caller = nil
      state.pendingRequests[id]?.remainingTicks = graceTicks
      return (caller, isSent, state.servedRequests.values.filter { $0.parent == id }.map(\.cancellation))
    }
    guard let caller else { return }
    if isSent { sendCancel(id) }
    for child in children { child.fire() }
    caller.resume(returning: .failure(reason))
  }

  private func sendCancel(_ id: Int) { notify(ProviderProtocol.Method.cancel, Array(#"{"id":\#(id)}"#.utf8)) }

  /// Removes a request of this side, and passes the result to its caller if the caller still waits.
  private func settle(_ id: Int, _ result: Result<JSONValue, ProviderError>) {
    state.withLock { $0.pendingRequests.removeValue(forKey: id) }?.caller?.resume(returning: result)
  }

  // MARK: Messages of the other side

  /// Processes a line of the other side: passes a reply to its caller, and returns any other message except a cancellation.
  /// - Throws: `ProtocolFault` if the line violates the protocol, or if there are too many unsolicited messages. The daemon then kills the
  ///   process.
  func receive(_ line: [UInt8]) throws(ProtocolFault) -> Incoming? {
    switch try ProtocolMessage(line: line) {
    case .result(let id, let value): try receiveReply(id, .success(value))
    case .failure(let id, let error): try receiveReply(id, .failure(error))
    case .notification(ProviderProtocol.Method.cancel, let parameters):
      try countUnsolicited()
      if let id = try parameters["id"].map(MessageID.init) { state.withLock { $0.servedRequests[id]?.cancellation }?.fire() }
    case .notification(let method, let parameters):
      try countUnsolicited()
      return .notification(method: method, parameters: parameters)
    case .request(let id, let method, let parameters): return try serve(id, method, parameters)
    }
    return nil
  }

  private func receiveReply(_ id: MessageID?, _ result: Result<JSONValue, ProviderError>) throws(ProtocolFault) {
    guard case .number(let id)? = id, state.withLock({ $0.pendingRequests[id] != nil }) else { return try countUnsolicited() }
    settle(id, result)
  }

  /// Records and returns a request of the other side. If too many are open, or its id is in use, refuses it and returns nil.
  private func serve(_ id: MessageID, _ method: String, _ parameters: JSONValue) throws(ProtocolFault) -> Incoming? {
    let cancellation = CancelSignal()
    let isAccepted = state.withLock { state in
      guard state.servedRequests.count < Self.maxServedRequests, state.servedRequests[id] == nil else { return false }
      let parent = parameters["for"]?.integer
      guard let parent else {
        state.servedRequests[id] = ServedRequest(cancellation: cancellation, parent: nil, meter: Self.inferredMeter(state.pendingRequests))
        return true
      }
      // If the call is over, or its caller no longer waits, no more requests may be sent, because they could not be charged to a call.
      let request = state.pendingRequests[parent]
      state.servedRequests[id] = ServedRequest(cancellation: cancellation, parent: parent, meter: request.map(\.meter) ?? ClosedMeter())
      if request?.caller == nil { cancellation.fire() }
      return true
    }
    if isAccepted { return .request(id: id, method: method, parameters: parameters, cancellation: cancellation) }
    try countUnsolicited()
    _ = send(ProtocolMessage.failure(id: id, ProviderError(.rateLimit, "too many requests in flight, or two with the same id")))
    return nil
  }

  /// The meter of a request that does not name its call: the meter of the call in progress with the fewest reserved requests. If several
  /// calls have equally few, the oldest call is chosen. Nil if no call in progress has a meter.
  private static func inferredMeter(_ pending: [Int: PendingRequest]) -> (any RequestMeter)? {
    let meteredCalls = pending.filter { $0.value.meter != nil && $0.value.caller != nil }
    let leastReserved = meteredCalls.min { ($0.value.meter?.reserved ?? 0, $0.key) < ($1.value.meter?.reserved ?? 0, $1.key) }
    if let leastReserved { return leastReserved.value.meter }
    // If calls have meters, but none of their callers still waits, the request cannot be charged to a call, and is refused.
    return pending.contains { $0.value.meter != nil } ? ClosedMeter() : nil
  }

  /// The meter to which a request of the other side is charged; nil if its call has no meter. A request that is no longer open has a meter
  /// that refuses every HTTP request.
  func meter(for id: MessageID) -> (any RequestMeter)? { state.withLock { $0.servedRequests[id].map(\.meter) ?? ClosedMeter() } }

  /// Replies to a request of the other side. A reply that cannot be sent, because the other side does not read, is dropped.
  func reply(to id: MessageID, _ result: Result<[UInt8], ProviderError>) {
    state.withLock { _ = $0.servedRequests.removeValue(forKey: id) }
    switch result {
    case .success(let value): _ = send(ProtocolMessage.result(id: id, value))
    case .failure(let error): _ = send(ProtocolMessage.failure(id: id, error))
    }
  }

  /// Counts an unsolicited message. Throws if the other side sends too many in one second.
  private func countUnsolicited() throws(ProtocolFault) {
    let time = now()
    let count = state.withLock { state in
      if time - state.unsolicited.since > 1 { state.unsolicited = (0, time) }
      state.unsolicited.count += 1
      return state.unsolicited.count
    }
    guard count <= Self.maxUnsolicitedPerSecond else { throw ProtocolFault("it sent \(count) unsolicited messages in one second") }
  }

  // MARK: Watching

  /// Called at regular intervals while requests are open. Ends the calls whose replies are overdue. This function counts how often it is
  /// called instead of reading a clock, so that a suspended machine or a slow daemon is not taken for a provider that hangs.
  /// - Returns: true if the other side hangs: it owes a reply to a cancelled request, and waits for no reply of this side.
  func tick() -> Bool {
    var overdueIDs: [Int] = []
    let hangs = state.withLock { state in
      var hangs = false
      for (id, request) in state.pendingRequests {
        // A request that names no parent may belong to any request of this side.
        let waitsForUs = state.servedRequests.values.contains { $0.parent == id || $0.parent == nil }
        if request.caller == nil {
          if waitsForUs { continue }
          if request.remainingTicks <= 0 { hangs = true }
        } else if request.remainingTicks <= 0 {
          overdueIDs.append(id)
        }
        state.pendingRequests[id]?.remainingTicks -= 1
      }
      return hangs
    }
    for id in overdueIDs { abandon(id, ProviderError(.timeout, "the provider did not answer in time")) }
    return hangs
  }

  /// The number of requests that this side has made.
  var requestCount: Int { state.withLock { $0.nextID } }

  /// True if requests of this side have no reply yet.
  var isBusy: Bool { state.withLock { !$0.pendingRequests.isEmpty } }

  /// Fails all open requests and all later ones.
  func close(_ reason: ProviderError) {
    let (callers, children) = state.withLock { state in
      state.closeReason = state.closeReason ?? reason
      defer { (state.pendingRequests, state.servedRequests) = ([:], [:]) }
      return (state.pendingRequests.values.compactMap(\.caller), state.servedRequests.values.map(\.cancellation))
    }
    for caller in callers { caller.resume(returning: .failure(reason)) }
    for child in children { child.fire() }
    activitySignal.finish()
  }
}
