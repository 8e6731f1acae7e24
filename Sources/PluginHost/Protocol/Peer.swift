import PlacesKit
import Synchronization

/// One side of the provider protocol: numbers its own requests, matches replies, and keeps account of what both sides owe.
final class Peer: Sendable {
  /// What came in and is not a reply.
  enum Incoming: Sendable {
    case request(id: MessageID, method: String, parameters: JSONValue, cancelled: CancelSignal)
    case notification(method: String, parameters: JSONValue)
  }

  /// A request of this side's that has no reply yet.
  private struct Pending {
    /// Nil once the caller has gone: the other side still owes the reply.
    var caller: CheckedContinuation<Result<JSONValue, ProviderError>, Never>?
    /// Whether the request has gone out: what cancels it must not overtake it.
    var isSent = false
    /// How many more ticks of the watch the other side has.
    var ticks: Int
    /// What the HTTP requests are charged to that are sent for it.
    var meter: (any RequestMeter)?
  }

  /// A request of the other side's that is being worked on.
  private struct Serving {
    var cancelled: CancelSignal
    /// The request of this side's that it is made for, where the other side says so.
    var parent: Int?
    /// What it is charged to.
    var meter: (any RequestMeter)?
  }

  private struct State {
    var nextID = 0
    var pending: [Int: Pending] = [:]
    var serving: [MessageID: Serving] = [:]
    var closed: ProviderError?
    /// Messages that nobody asked for, in the second that began then.
    var unasked = (count: 0, since: 0.0)
  }

  /// More than a provider's calls at once: cancelled ones are still owed.
  static let mostPending = 256
  /// Room for a request of each call, and for as many whose call is over.
  static let mostServing = 2 * Rate.mostConcurrent
  static let mostUnaskedPerSecond = 1_000

  private let state = Mutex(State())
  private let send: @Sendable ([UInt8]) -> Bool
  private let graceTicks: Int
  private let limitTicks: Int
  private let now: @Sendable () -> Double
  /// Yields when a request goes out, for whoever watches.
  let activity: AsyncStream<Void>
  private let activitySignal: AsyncStream<Void>.Continuation

  /// - Parameters:
  ///   - graceTicks: how many ticks the other side has to answer a cancelled request.
  ///   - limitTicks: how many ticks it has for any request.
  ///   - send: takes a line, or says that it cannot.
  init(
    graceTicks: Int = 5, limitTicks: Int = 600, now: @escaping @Sendable () -> Double = { SystemTime().monotonic() },
    send: @escaping @Sendable ([UInt8]) -> Bool
  ) {
    self.now = now
    self.graceTicks = graceTicks
    self.limitTicks = limitTicks
    self.send = send
    (activity, activitySignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  // MARK: Asking

  /// Sends a request and waits for its reply. When the caller's task is cancelled the request is, and this throws at once.
  /// - Parameter meter: what the HTTP requests are charged to that the other side sends for it.
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
    _ = send(Message.request(id: nil, method: method, parameters: parameters))
  }

  private func start(
    _ id: Int, _ method: String, _ parameters: [UInt8], _ meter: (any RequestMeter)?,
    _ caller: CheckedContinuation<Result<JSONValue, ProviderError>, Never>
  ) {
    let refusal: ProviderError? = state.withLock { state in
      if let closed = state.closed { return closed }
      if Task.isCancelled { return ProviderError(.cancelled, "the caller no longer waits for the answer") }
      guard state.pending.count < Self.mostPending else { return ProviderError(.rateLimit, "too many requests to the provider at once") }
      state.pending[id] = Pending(caller: caller, ticks: limitTicks, meter: meter)
      return nil
    }
    if let refusal { return caller.resume(returning: .failure(refusal)) }
    activitySignal.yield()
    guard send(Message.request(id: id, method: method, parameters: parameters)) else {
      return settle(id, .failure(ProviderError(.plugin, "the provider does not read its requests")))
    }
    let isAbandoned = state.withLock { state in
      state.pending[id]?.isSent = true
      return state.pending[id].map { $0.caller == nil } ?? false
    }
    if isAbandoned { sendCancel(id) }
  }

  /// The caller goes; the other side is told, and owes the reply for some ticks more.
  private func abandon(_ id: Int, _ reason: ProviderError) {
    let (caller, isSent, children) = state.withLock { state in
      let caller = state.pending[id]?.caller
      let isSent = state.pending[id]?.isSent ?? false
      state.pending[id]?.caller = nil
      state.pending[id]?.ticks = graceTicks
      return (caller, isSent, state.serving.values.filter { $0.parent == id }.map(\.cancelled))
    }
    guard let caller else { return }
    if isSent { sendCancel(id) }
    for child in children { child.fire() }
    caller.resume(returning: .failure(reason))
  }

  private func sendCancel(_ id: Int) { notify(ProviderProtocol.Method.cancel, Array(#"{"id":\#(id)}"#.utf8)) }

  private func settle(_ id: Int, _ result: Result<JSONValue, ProviderError>) {
    state.withLock { $0.pending.removeValue(forKey: id) }?.caller?.resume(returning: result)
  }

  // MARK: Being asked

  /// Takes a line of the other side: replies find their callers, everything else is handed back.
  /// - Throws: `ProtocolFault`, after which nothing of the other side can be trusted.
  func receive(_ line: [UInt8]) throws(ProtocolFault) -> Incoming? {
    switch try Message(line: line) {
    case .result(let id, let value): try answered(id, .success(value))
    case .failure(let id, let error): try answered(id, .failure(error))
    case .notification(ProviderProtocol.Method.cancel, let parameters):
      try countUnasked()
      if let id = try parameters["id"].map(MessageID.init) { state.withLock { $0.serving[id]?.cancelled }?.fire() }
    case .notification(let method, let parameters):
      try countUnasked()
      return .notification(method: method, parameters: parameters)
    case .request(let id, let method, let parameters): return try serve(id, method, parameters)
    }
    return nil
  }

  private func answered(_ id: MessageID?, _ result: Result<JSONValue, ProviderError>) throws(ProtocolFault) {
    guard case .number(let id)? = id, state.withLock({ $0.pending[id] != nil }) else { return try countUnasked() }
    settle(id, result)
  }

  private func serve(_ id: MessageID, _ method: String, _ parameters: JSONValue) throws(ProtocolFault) -> Incoming? {
    let signal = CancelSignal()
    let isTaken = state.withLock { state in
      guard state.serving.count < Self.mostServing, state.serving[id] == nil else { return false }
      let parent = parameters["for"]?.integer
      guard let parent else {
        state.serving[id] = Serving(cancelled: signal, parent: nil, meter: Self.likeliestMeter(state.pending))
        return true
      }
      // For a request that is over, or whose caller has gone, nothing leaves any more: nobody would pay for it.
      let request = state.pending[parent]
      state.serving[id] = Serving(cancelled: signal, parent: parent, meter: request.map(\.meter) ?? ClosedMeter())
      if request?.caller == nil { signal.fire() }
      return true
    }
    if isTaken { return .request(id: id, method: method, parameters: parameters, cancelled: signal) }
    try countUnasked()
    _ = send(Message.failure(id: id, ProviderError(.rateLimit, "too many requests at once, or two with one id")))
    return nil
  }

  /// The meter of a request that does not say what it is made for: of the calls under way, the one that has sent the least, and of those
  /// the oldest. Nil if no call under way has a meter.
  private static func likeliestMeter(_ pending: [Int: Pending]) -> (any RequestMeter)? {
    let metered = pending.filter { $0.value.meter != nil && $0.value.caller != nil }
    let least = metered.min { ($0.value.meter?.reserved ?? 0, $0.key) < ($1.value.meter?.reserved ?? 0, $1.key) }
    if let least { return least.value.meter }
    // All calls that pay have been given up.
    return pending.contains { $0.value.meter != nil } ? ClosedMeter() : nil
  }

  /// What a request of the other side's is charged to; nil if it is made for no call.
  func meter(for id: MessageID) -> (any RequestMeter)? { state.withLock { $0.serving[id].map(\.meter) ?? ClosedMeter() } }

  /// Replies to a request of the other side. What cannot be sent is lost: a side that does not read does not get.
  func reply(to id: MessageID, _ result: Result<[UInt8], ProviderError>) {
    state.withLock { _ = $0.serving.removeValue(forKey: id) }
    switch result {
    case .success(let value): _ = send(Message.result(id: id, value))
    case .failure(let error): _ = send(Message.failure(id: id, error))
    }
  }

  private func countUnasked() throws(ProtocolFault) {
    let moment = now()
    let count = state.withLock { state in
      if moment - state.unasked.since > 1 { state.unasked = (0, moment) }
      state.unasked.count += 1
      return state.unasked.count
    }
    guard count <= Self.mostUnaskedPerSecond else { throw ProtocolFault("it floods: \(count) unsolicited messages in a second") }
  }

  // MARK: Watching

  /// One beat of the watch, while requests are out. Counting beats instead of reading a clock, a machine that slept, or a daemon
  /// that was slow itself, accuses nobody.
  /// - Returns: whether the other side hangs: it owes a reply to a request whose caller has gone, and waits for nothing.
  func tick() -> Bool {
    var overdue: [Int] = []
    let hangs = state.withLock { state in
      var hangs = false
      for (id, request) in state.pending {
        let waitsForUs = state.serving.values.contains { $0.parent == id || $0.parent == nil }
        if request.caller == nil {
          if waitsForUs { continue }
          if request.ticks <= 0 { hangs = true }
        } else if request.ticks <= 0 {
          overdue.append(id)
        }
        state.pending[id]?.ticks -= 1
      }
      return hangs
    }
    for id in overdue { abandon(id, ProviderError(.timeout, "the provider did not answer in time")) }
    return hangs
  }

  /// How many requests have gone out so far.
  var requests: Int { state.withLock { $0.nextID } }

  /// Whether requests are out.
  var isBusy: Bool { state.withLock { !$0.pending.isEmpty } }

  /// Everything that is out fails, and whatever is asked from now on.
  func close(_ reason: ProviderError) {
    let (callers, children) = state.withLock { state in
      state.closed = state.closed ?? reason
      defer { (state.pending, state.serving) = ([:], [:]) }
      return (state.pending.values.compactMap(\.caller), state.serving.values.map(\.cancelled))
    }
    for caller in callers { caller.resume(returning: .failure(reason)) }
    for child in children { child.fire() }
    activitySignal.finish()
  }
}
