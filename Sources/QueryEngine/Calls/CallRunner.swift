import PlacesKit
import Resilience

/// Makes one call: performs the actions of `CallState`, and returns the gate's pass and the reservation of each attempt exactly once,
/// however the call ends.
struct CallRunner: Sendable {
  /// The seconds after which an abandoned call counts as a failure of the service: the default deadline of half a second, minus the time to
  /// merge and send the reply.
  private static let usualWait = 0.475

  private let call: SharedCall
  private let client: ProviderClient
  /// When the call must end, in monotonic seconds.
  private let limit: Double

  init(_ call: SharedCall, on client: ProviderClient) {
    self.call = call
    self.client = client
    limit = client.now + client.instance.timeout
  }

  /// Makes the call and reports its outcome to the callers in time, even if the service does not return; then waits for the service.
  func run() async {
    // The tasks start immediately. They have no names: an immediate task with a name forgets its executor in an unoptimised program (Swift
    // 6.3.1).
    let returnedInTime = await withTaskGroup(of: Bool.self) { group in
      group.addImmediateTask {
        if (try? await client.time.sleep(until: limit)) != nil { expire() }
        return false
      }
      group.addImmediateTask {
        await call.abandoned()
        if !Task.isCancelled { giveUp() }
        return false
      }
      let work: @Sendable () async -> Bool = {
        await makeCall()
        return true
      }
      // A local service does not start immediately: its computation would block this task, which must be able to end the call.
      if client.instance.manifest.leavesMachine { group.addImmediateTask(operation: work) } else { group.addTask(operation: work) }
      let returnedInTime = await group.next() ?? true
      group.cancelAll()
      client.end(call, returnedInTime: returnedInTime)
      await group.waitForAll()
      return returnedInTime
    }
    if !returnedInTime { client.countLateReturn() }
  }

  private func makeCall() async {
    var attempts = 0
    var action = start()
    while true {
      switch action {
      case .reserve:
        let reserved = await reserve()
        action = call.state.withLock { $0.reserved(reserved, wall: client.time.wall()) }
      case .waitForRate(let reservedCall): action = await admit(reservedCall)
      case .send(let attempt):
        let result = await attempt.reservedCall.call.send(to: client.service, meter: attempt.meter)
        attempts += 1
        action = await settle(result, of: attempt, attempts)
      case .release(let reservedCall, let pass, let outcome):
        if let pass { client.finish(pass, .abandoned, wasSent: false) }
        client.release(reservedCall)
        action = .finish(outcome)
      case .finish(let outcome):
        // The answer is stored before it is returned, so that the next request finds it.
        if outcome.isAnswer { client.store(outcome, call.key, unlessPurgedSince: call.purgeCount) }
        return call.finish(outcome)
      }
    }
  }

  private func start() -> CallState.Action { call.state.withLock { $0.start(at: client.now) } }

  private func reserve() async -> Result<ReservedCall, BudgetRefusal> {
    do throws(BudgetRefusal) { return .success(try await client.reserve(call)) } catch { return .failure(error) }
  }

  private func admit(_ reservedCall: ReservedCall) async -> CallState.Action {
    let due = { min(limit, call.state.withLock { $0.latestDeadline }) }
    switch await client.rateQueue.admit(call.user, due: due, time: client.time) {
    case .cancelled: return .release(reservedCall, nil, .cancelled)
    case .suspended(let suspension): return .release(reservedCall, nil, .suspended(suspension, now: client.now))
    case .late(let seconds): return .release(reservedCall, nil, .rateLimited(client.id, retryAfter: seconds))
    case .go(let pass):
      let isFree = client.isFree(reservedCall.call)
      return call.state.withLock { state in
        state.admitted(reservedCall, pass, isFree: isFree, at: client.now) {
          let reservedCall = client.withSessionToken(reservedCall, of: call)
          return CallState.Attempt(
            reservedCall: reservedCall, pass: pass, start: client.now, meter: client.meter(for: reservedCall, user: call.user))
        }
      }
    }
  }

  /// Settles an attempt that returned. If it may be retried, waits before the retry.
  private func settle(_ result: Result<ProviderAnswer, ProviderError>, of attempt: CallState.Attempt, _ attempts: Int) async
    -> CallState.Action
  {
    let error: ProviderError
    switch result {
    case .success(let answer): return .finish(end(.success, client.outcome(of: answer)) ?? .timeout())
    case .failure(let thrown): error = thrown
    }
    let failure = ProviderOutcome.failed(client.instance.classified(error))
    guard let outcome = end(error.cause == .cancelled ? .abandoned : .failure(error), failure) else { return .finish(.timeout()) }
    // A paid call may be billed although no answer came.
    let mayRepeat = outcome.costMicros == nil || client.isFree(attempt.reservedCall.call)
    let deadline = min(limit, call.state.withLock { $0.latestDeadline })
    guard mayRepeat, !attempt.meter.wouldFailAgain,
      let delay = client.gate.retryDelay(after: error, attempt: attempts, at: client.now, deadline: deadline),
      (try? await client.time.sleep(until: client.now + delay)) != nil
    else { return .finish(outcome) }
    return start()
  }

  /// Ends a call that the service did not answer in time. It counts as a failure, even if the service answers later.
  private func expire() {
    let outcome = ProviderOutcome.timeout("no answer within the provider's time limit")
    let ended = end(.failure(ProviderError(.timeout, "\(client.id) did not answer within its time limit")), outcome)
    // If the call has not been sent, it will not be sent.
    call.state.withLock { $0.abandon() }
    call.finish(ended ?? outcome)
  }

  /// Ends a call for which no caller waits. It counts as a failure of the service if it was sent at least `usualWait` seconds ago and the
  /// callers' deadlines have passed.
  private func giveUp() {
    let hadTime = call.state.withLock { state in
      guard case .abandoned(let attempt?) = state.phase else { return false }
      return client.now >= max(state.latestDeadline, attempt.start + CallRunner.usualWait)
    }
    if hadTime { return expire() }
    end(.abandoned, .cancelled)
    call.finish(.cancelled)
  }

  /// Closes the attempt in progress: reports it to the gate, the budget and the statistics. Returns its outcome with what it cost; nil if
  /// there is no attempt or it was closed before.
  @discardableResult private func end(_ verdict: CircuitBreaker.Outcome, _ outcome: ProviderOutcome) -> ProviderOutcome? {
    guard let attempt = call.state.withLock({ $0.takeAttempt() }) else { return nil }
    let bill = attempt.meter.close()
    var (verdict, outcome) = (verdict, outcome)
    if let refusal = bill.refusal, CallRunner.mayResultFromRefusal(verdict) {
      (verdict, outcome) = (.abandoned, .overBudget(refusal, wall: client.time.wall()))
    }
    let isPhoto = attempt.reservedCall.call.kind == .photo
    if isPhoto, !concernsAllCalls(verdict) { verdict = .abandoned }
    // A provider that works only on this machine sends no requests.
    let isLocal = !client.instance.manifest.leavesMachine
    let wasSent = bill.wasSent || isLocal
    var loggable: String?
    if case .failure(let error) = verdict, let message = bill.message() {
      outcome.serviceMessage = message
      // Messages about other errors may be about the query, in a spelling that the filter does not recognise.
      if [.credentials, .quota, .rateLimit].contains(error.cause) {
        loggable = LoggableMessage.text(message, about: attempt.reservedCall.call)
      }
    }
    client.finish(attempt.pass, verdict, wasSent: wasSent, status: bill.status, message: loggable)
    if wasSent {
      // Photos take longer than other calls and are left out of the mean.
      if !isPhoto { client.limiter.recordService(client.now - attempt.start, isComplete: verdict != .abandoned) }
    }
    // A paid call that sent nothing with the key costs nothing.
    if !bill.sent.isEmpty || isLocal {
      outcome.costMicros = client.settle(attempt.reservedCall, bill, isAnswered: outcome.isAnswer)
    } else {
      client.release(attempt.reservedCall, bill)
    }
    client.record(outcome, since: attempt.start, wasSent: wasSent)
    return outcome
  }

  /// True if the outcome of a photo call is relevant to the provider's other calls. Images often come from a different server.
  private func concernsAllCalls(_ verdict: CircuitBreaker.Outcome) -> Bool {
    guard case .failure(let error) = verdict else { return false }
    return [.credentials, .quota, .rateLimit].contains(client.instance.classified(error).cause)
  }

  /// True if the budget's refusal of a further request may have caused this outcome. A refusal cannot cause an answer, an error or a
  /// timeout that came from the service itself.
  private static func mayResultFromRefusal(_ verdict: CircuitBreaker.Outcome) -> Bool {
    switch verdict {
    case .success: false
    case .failure(let error): error.cause == .plugin
    case .abandoned: true
    }
  }
}
