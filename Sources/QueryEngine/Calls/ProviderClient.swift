import PlacesAPI
import PlacesKit
import Resilience
import Storage
import Synchronization

/// The engine's client of one provider. It answers a request from the cache, from the session, or with a call. Calls belong to the client,
/// and not to the requests that wait for them. Therefore equal requests can share a call, and an answer can be cached even if it arrives
/// after its callers have left.
final class ProviderClient: Sendable {
  /// The maximum of `lateCallCount`. While the count is at this maximum, no further calls are made.
  private static let maxLateCalls = 256

  private struct State {
    var calls: [SharedCall.Key: SharedCall] = [:]
    /// The number of calls that have ended for their callers, and from which the service has not returned.
    var lateCallCount = 0
  }

  let instance: ProviderInstance
  let gate: ProviderGate
  let rateQueue: RateQueue
  let limiter: ConcurrencyLimiter
  let time: any TimeSource
  /// Nil if no budget counts the calls.
  let budgets: BudgetService?
  /// Nil if no answer is stored.
  let cache: (any AnswerStore)?
  /// The price of an autocomplete call, in millionths of the currency's unit; 0 if it is free or not known.
  let autocompletePrice: Int
  /// The fingerprint of the terms under which answers are stored.
  let termsFingerprint: Int64
  /// Logs a line for the administrator. A line contains no query.
  let log: @Sendable (LogLevel, String) -> Void
  /// See `Engine.onKeyStatusChange`.
  let onKeyStatusChange: @Sendable (_ provider: String, _ rejectedStartID: Int?) -> Void
  let photoCredits = PhotoCredits()
  private let state = Mutex(State())

  /// - Parameter earlierLimiter: the provider's limiter under its earlier settings; nil for a new provider.
  init(
    _ instance: ProviderInstance, limiter earlierLimiter: ConcurrencyLimiter?, gate: ProviderGate, time: any TimeSource,
    budgets: BudgetService?, cache: (any AnswerStore)?, log: @escaping @Sendable (LogLevel, String) -> Void,
    onKeyStatusChange: @escaping @Sendable (_ provider: String, _ rejectedStartID: Int?) -> Void
  ) {
    self.log = log
    self.onKeyStatusChange = onKeyStatusChange
    self.instance = instance
    self.gate = gate
    rateQueue = RateQueue(gate, of: instance.id)
    self.time = time
    self.budgets = budgets
    self.cache = cache
    termsFingerprint = instance.manifest.terms.fingerprint
    autocompletePrice = instance.manifest.prices.priceClass(of: .autocomplete)?.micros ?? 0
    limiter = earlierLimiter ?? ConcurrencyLimiter(instance.manifest.rate)
    // An earlier limiter has the rate of the earlier settings.
    limiter.setRate(instance.manifest.rate)
  }

  var id: String { instance.id }
  var service: any PlaceService { instance.service }
  /// The current time in monotonic seconds.
  var now: Double { time.monotonic() }

  /// Answers a request. Returns soon after the waiting task is cancelled.
  func answer(_ request: ProviderRequest) async -> ProviderOutcome {
    let start = now
    var outcome = await unfilteredOutcome(of: request)
    if let answer = outcome.answer {
      let filtered = request.plan.filter.applied(to: answer, now: time.wall())
      outcome.answer = filtered
      outcome.status = filtered.count == 0 ? .empty : .ok
    }
    outcome.latency = now - start
    return outcome
  }

  /// The outcome before the daemon's filters: from the cache, the session, or a call, in this order.
  private func unfilteredOutcome(of request: ProviderRequest) async -> ProviderOutcome {
    let key = SharedCall.Key(call: request.plan.call, partition: request.partition(for: instance))
    let cached = await cached(key, request)
    if let cached, !cached.isFallback { return cached.outcome }
    let fallback = cached?.outcome
    // The caller may have left while the cache on disk was read.
    if Task.isCancelled { return fallback ?? (now >= request.deadline ? .timeout() : .cancelled) }
    if request.cache == .only { return fallback ?? .skipped(Skip(Skip.notCached, "\(id) has nothing in the cache for this request")) }
    if request.cache == .standard, let derivedOutcome = request.session?.derivedAnswer(to: request.plan.call, from: self) {
      // This answer is derived from the answer to a shorter text, which the session stores.
      recordAvoidedCall(micros: tablePrice(of: key.call), user: request.user, by: .cache)
      return derivedOutcome
    }
    // If the provider is suspended, the fallback is returned immediately, because no fresh answer can come.
    if let suspension = gate.suspension(at: now) { return fallback ?? .suspended(suspension, now: now) }
    let outcome = await instance.answersImmediately ? answerDirectly(key, request) : answerWithSharedCall(key, request, fallback: fallback)
    return outcome.isAnswer ? outcome : fallback ?? outcome
  }

  /// Calls a service that answers immediately, in the request's own task, without a queue, sharing or a timer.
  private func answerDirectly(_ key: SharedCall.Key, _ request: ProviderRequest) async -> ProviderOutcome {
    let (start, purgeCount) = (now, cache?.purgeCount ?? 0)
    let pass: ProviderGate.Pass
    switch gate.admit(at: start) {
    case .admitted(let admittedPass): pass = admittedPass
    case .suspended(let suspension): return .suspended(suspension, now: start)
    case .wait(let moment): return .rateLimited(id, retryAfter: moment - start)
    }
    let outcome: ProviderOutcome
    // The service computes in this task, and returns by the deadline.
    switch await CallDeadline.$current.withValue(request.deadline, operation: { await request.plan.call.send(to: service) }) {
    case .success(let answer):
      outcome = self.outcome(of: answer)
      finish(pass, .success)
    case .failure(let error):
      outcome = .failed(error)
      // The service stops work at the deadline, so an error after it does not count as a failure.
      let isAbandoned = error.cause == .cancelled || now >= request.deadline
      finish(pass, isAbandoned ? .abandoned : .failure(error))
    }
    let seconds = now - start
    limiter.statistics.withLock { $0.add(outcome, seconds: seconds, wasSent: true) }
    store(outcome, key, unlessPurgedSince: purgeCount)
    return outcome
  }

  /// Waits for a call that equal requests share. If there is a fallback answer and no fresh answer arrives in time, the fallback is
  /// returned, and the call continues so that its answer is cached.
  private func answerWithSharedCall(_ key: SharedCall.Key, _ request: ProviderRequest, fallback: ProviderOutcome?) async -> ProviderOutcome
  {
    let call = join(key, request)
    defer { call.leave(isLate: now >= request.deadline) }
    if let fallback {
      let fresh = await withDeadline(min(request.deadline, now + request.staleWait), clock: time, task: "\(id): fresh answer") {
        await call.outcome.value()
      }
      if fresh == nil, !Task.isCancelled { call.state.withLock { $0.isDetached = true } }
      return fresh ?? fallback
    }
    let outcome = await call.outcome.value()
    if let outcome { request.session?.remember(outcome, of: request.plan.call, from: self) }
    return outcome ?? (now >= request.deadline ? .timeout() : .cancelled)
  }

  // MARK: Shared calls

  /// Adds the caller to the call in progress for this request, or to a new one. If an equal call has just ended, or too many calls wait or
  /// have not returned, the result is a call that has already ended.
  private func join(_ key: SharedCall.Key, _ request: ProviderRequest) -> SharedCall {
    let newCall = SharedCall(key, for: request, on: self)
    let call = state.withLock { state in
      if key.partition != nil, let call = state.calls[key], call.join(deadline: request.deadline) { return call }
      if request.cache == .standard, let outcome = freshInMemory(key), !callLowersSessionPrice(request) {
        // An answer is stored before its call is removed. If a call ended since the cache was read, its answer is found here.
        newCall.outcome.fulfil(outcome)
      } else if state.lateCallCount >= ProviderClient.maxLateCalls {
        newCall.outcome.fulfil(.queueFull(id, retryAfter: 1))
      } else if key.partition != nil {
        state.calls[key] = newCall
      }
      return newCall
    }
    if call !== newCall {
      recordAvoidedCall(micros: tablePrice(of: key.call), user: request.user, by: .coalescing)
    } else if call.outcome.current == nil, let retryAfter = limiter.submit(call, timeLeft: request.deadline - now) {
      drop(call, retryAfter: retryAfter)
    }
    return call
  }

  /// Ends a call without sending it, because the queue is full, or because the call's deadline is too near.
  func drop(_ call: SharedCall, retryAfter: Double) {
    call.outcome.fulfil(.queueFull(id, retryAfter: retryAfter))
    remove(call)
  }

  /// Removes a call that has ended, and starts the next one.
  /// - Parameter returnedInTime: false if the service has not returned yet; `lateCallReturned` is called when it does.
  func endCall(_ call: SharedCall, returnedInTime: Bool) {
    remove(call)
    if !returnedInTime { state.withLock { $0.lateCallCount += 1 } }
    limiter.release(call.user, at: now)
  }

  /// Records that the service has returned from a call that had not returned in time.
  func lateCallReturned() { state.withLock { $0.lateCallCount -= 1 } }

  private func remove(_ call: SharedCall) {
    state.withLock { state in
      guard let index = state.calls.index(forKey: call.key), state.calls[index].value === call else { return }
      state.calls.remove(at: index)
    }
  }

  /// The outcome of a call that was just answered. Rows without an id are dropped and counted, and ids of photos are prefixed with the
  /// provider's id.
  func outcome(of answer: ProviderAnswer) -> ProviderOutcome {
    var answer = answer
    let droppedCount = answer.dropRowsWithoutID()
    if droppedCount > 0 { limiter.statistics.withLock { $0.counters.dropped = ($0.counters.dropped ?? 0) + droppedCount } }
    if instance.manifest.offers(.photo) { photoCredits.prefixPhotoIDs(in: &answer, of: id) }
    return .answered(answer, served: .live, fetchedAt: cache?.now ?? time.wall())
  }

  // MARK: The gate

  /// Reports the outcome of an admitted call to the gate, and logs changes of the provider's state.
  /// - Parameters:
  ///   - wasSent: true if a part of the call was sent to the service.
  ///   - status: the HTTP status of the service's last answer; nil if it is not known.
  ///   - message: the error message of that answer, from which anything that may repeat the request was removed; nil if it is not logged.
  func finish(
    _ pass: ProviderGate.Pass, _ outcome: CircuitBreaker.Outcome, wasSent: Bool = true, status: Int? = nil, message: String? = nil
  ) {
    var outcome = outcome
    var lacksKey = false
    let quotation = message.map { "; the service says: \($0)" } ?? ""
    if case .failure(let error) = outcome {
      var classified = instance.classified(error)
      classified.message += quotation
      outcome = .failure(classified)
      lacksKey = instance.isRefusalForMissingKey(error)
    }
    for event in gate.finish(pass, outcome, wasSent: wasSent, at: now, wall: time.wall()) {
      switch event {
      // A provider on this machine has no service that refuses requests: the client's request was wrong.
      case .failed(.badRequest) where !instance.manifest.leavesMachine: break
      case .failed(let cause):
        // `error.message` is not logged, because it may repeat a query; `quotation` was cleaned by the caller.
        let sentence = lacksKey ? "its service refuses access, and \(instance.keylessAdvice)" : cause.sentence
        let statusNote = status.flatMap { (200..<300).contains($0) ? nil : " (HTTP \($0))" } ?? ""
        log(.warning, "provider \(id): a call failed: \(sentence)\(statusNote)\(quotation)")
      case .suspended(let suspension):
        let until = suspension.until.map { ", until \(Timestamp.rfc3339(time.wall() + $0 - now))" } ?? ""
        log(.warning, "provider \(id): \(suspension.cause.sentence)\(until)\(quotation)")
      case .recovered: log(.notice, "provider \(id) answers again")
      }
    }
    if case .failure(let error) = outcome, error.cause == .credentials, gate.suspension(at: now)?.cause == .credentials {
      onKeyStatusChange(id, instance.startID)
    }
  }
}
