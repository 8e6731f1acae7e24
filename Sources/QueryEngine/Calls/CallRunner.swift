import PlacesKit
import Resilience

/// Makes one call. However the call ends, each attempt returns its pass to the gate and its reservation to the budget exactly once.
struct CallRunner: Sendable {
  /// If the service has had this many seconds to answer, an abandoned call counts as a failure of the service, see `giveUp`. A caller with
  /// a deadline of 0.5 s waits about this long; the remaining time is for merging and sending the reply.
  private static let minWaitForFailure = 0.475

  private let call: SharedCall
  private let client: ProviderClient
  /// When the provider's time limit for the call ends, in monotonic seconds.
  private let expiresAt: Double

  init(_ call: SharedCall) {
    self.call = call
    client = call.client
    expiresAt = client.now + client.instance.timeout
  }

  /// Makes the call and reports its outcome to the callers in time, even if the service does not return. Then waits until the service
  /// returns. One task makes the call, one ends the call at the time limit, and one ends the call when no caller needs it any longer. The
  /// first task that finishes determines the outcome.
  func run() async {
    // The tasks have no names, because an immediate task with a name forgets its executor in an unoptimised program (Swift 6.3.1).
    let returnedInTime = await withTaskGroup(of: Bool.self) { group in
      group.addImmediateTask {
        if (try? await client.time.sleep(until: expiresAt)) != nil { expire() }
        return false
      }
      group.addImmediateTask {
        if await call.abandonment.value() != nil, !Task.isCancelled { giveUp() }
        return false
      }
      let work: @Sendable () async -> Bool = {
        await makeCall()
        return true
      }
      // A local service computes in the thread that calls it. An immediate task would therefore block this task, which must be able to end
      // the call.
      if client.instance.manifest.leavesMachine { group.addImmediateTask(operation: work) } else { group.addTask(operation: work) }
      let returnedInTime = await group.next() ?? true
      group.cancelAll()
      client.endCall(call, returnedInTime: returnedInTime)
      await group.waitForAll()
      return returnedInTime
    }
    if !returnedInTime { client.lateCallReturned() }
  }

  private func makeCall() async {
    let outcome = await makeAttempts()
    // The answer is stored before it is returned, so that the next request finds it.
    if outcome.isAnswer { client.store(outcome, call.key, unlessPurgedSince: call.purgeCount) }
    call.outcome.fulfil(outcome)
  }

  /// Makes an attempt and, after a failure that may be retried, further ones. Returns the outcome of the last attempt.
  private func makeAttempts() async -> ProviderOutcome {
    var attemptCount = 0
    while call.state.withLock({ $0.continueIfWanted(at: client.now) }) {
      let reservedCall: ReservedCall
      do throws(BudgetRefusal) { reservedCall = try await client.reserve(call) } catch {
        return .overBudget(error, wall: client.time.wall())
      }
      let pass: ProviderGate.Pass
      switch await client.rateQueue.admit(call.user, answerDueTime: { answerDueTime }, time: client.time) {
      case .admitted(let admittedPass): pass = admittedPass
      case .refused(let outcome):
        client.release(reservedCall)
        return outcome
      }
      guard let attempt = beginAttempt(reservedCall, pass) else {
        client.finish(pass, .abandoned, wasSent: false)
        client.release(reservedCall)
        return .cancelled
      }
      let result = await attempt.reservedCall.call.send(to: client.service.metered(by: attempt.meter))
      attemptCount += 1
      let error: ProviderError
      switch result {
      case .success(let answer): return endAttempt(.success, client.outcome(of: answer)) ?? .timeout()
      case .failure(let thrown): error = thrown
      }
      let failure = ProviderOutcome.failed(client.instance.classified(error))
      guard let outcome = endAttempt(error.cause == .cancelled ? .abandoned : .failure(error), failure) else { return .timeout() }
      // A paid call that was sent is not repeated, because the service may bill it although it did not answer.
      let mayRepeat = outcome.costMicros == nil || attempt.meter.isFree
      guard mayRepeat, !attempt.meter.wouldFailAgain,
        let delay = client.gate.retryDelay(after: error, attempt: attemptCount, at: client.now, deadline: answerDueTime),
        (try? await client.time.sleep(until: client.now + delay)) != nil
      else { return outcome }
    }
    return .cancelled
  }

  /// When an answer is due, in monotonic seconds: at the latest deadline of the callers or at the provider's time limit, whichever is
  /// earlier.
  private var answerDueTime: Double { min(expiresAt, call.state.withLock { $0.latestDeadline }) }

  /// Begins an attempt that the gate has admitted. Returns nil if the answer is no longer wanted.
  private func beginAttempt(_ reservedCall: ReservedCall, _ pass: ProviderGate.Pass) -> CallState.Attempt? {
    call.state.withLock { state in
      guard state.continueIfWanted(at: client.now) else { return nil }
      let reservedCall = client.withSessionToken(reservedCall, of: call)
      let meter = client.meter(for: reservedCall, user: call.user)
      let attempt = CallState.Attempt(reservedCall: reservedCall, pass: pass, start: client.now, meter: meter)
      state.begin(attempt)
      return attempt
    }
  }

  /// Ends a call that the service did not answer in time. The call counts as a failure, even if the service answers later.
  private func expire() {
    let outcome = ProviderOutcome.timeout("no answer within the provider's time limit")
    let endedOutcome = endAttempt(.failure(ProviderError(.timeout, "\(client.id) did not answer within its time limit")), outcome)
    // If the call has not been sent yet, this prevents it from being sent later.
    call.state.withLock { $0.abandon() }
    call.outcome.fulfil(endedOutcome ?? outcome)
  }

  /// Ends a call for which no caller waits. The call counts as a failure of the service if its attempt began at least `minWaitForFailure`
  /// seconds ago and the callers' deadlines have passed.
  private func giveUp() {
    let isFailure = call.state.withLock { state in
      guard state.isAbandoned, let attempt = state.attempt else { return false }
      return client.now >= max(state.latestDeadline, attempt.start + CallRunner.minWaitForFailure)
    }
    if isFailure { return expire() }
    endAttempt(.abandoned, .cancelled)
    call.outcome.fulfil(.cancelled)
  }

  /// Closes the attempt in progress, and reports it to the gate, the budget and the statistics. Returns the outcome for the callers with
  /// the cost of the attempt; nil if no attempt was in progress.
  /// - Parameter verdict: the outcome for the circuit breaker.
  @discardableResult private func endAttempt(_ verdict: CircuitBreaker.Outcome, _ outcome: ProviderOutcome) -> ProviderOutcome? {
    guard let attempt = call.state.withLock({ $0.takeAttempt() }) else { return nil }
    let bill = attempt.meter.close()
    var (verdict, outcome) = (verdict, outcome)
    let error: ProviderError? = if case .failure(let error) = verdict { error } else { nil }
    // If the budget refuses a further request, the provider receives `cancelled`, and ends the call with it or with a `plugin` error. Then
    // the refusal is the outcome. If the call ended with an answer, a timeout or an error of the service, the refusal did not end it.
    if let refusal = bill.refusal, verdict == .abandoned || error?.cause == .plugin {
      (verdict, outcome) = (.abandoned, .overBudget(refusal, wall: client.time.wall()))
    }
    let isPhoto = attempt.reservedCall.call.kind == .photo
    // Most outcomes of photo calls say nothing about other calls, because images often come from a different server.
    if isPhoto, !CallRunner.concernsAllCalls(error.map(client.instance.classified)) { verdict = .abandoned }
    // A provider that works only on this machine sends no requests, so its attempts count as sent.
    let isLocal = !client.instance.manifest.leavesMachine
    let wasSent = bill.wasSent || isLocal
    var loggableMessage: String?
    if case .failure = verdict, let message = bill.message() {
      outcome.serviceMessage = message
      // Messages about other errors are not logged: they may contain the query in a spelling that `LoggableMessage` does not recognise.
      if CallRunner.concernsAllCalls(error) {
        loggableMessage = LoggableMessage.text(message, about: attempt.reservedCall.call)
      }
    }
    client.finish(attempt.pass, verdict, wasSent: wasSent, status: bill.status, message: loggableMessage)
    // The mean duration excludes photos, which take longer than other calls.
    let seconds = client.now - attempt.start
    if wasSent, !isPhoto { client.limiter.recordDuration(seconds, isComplete: verdict != .abandoned) }
    // A call without a charged reservation costs nothing: it sent nothing, or it has a price and sent only requests without the key.
    if !bill.chargedReservations.isEmpty || isLocal {
      outcome.costMicros = client.settle(attempt.reservedCall, bill, isAnswered: outcome.isAnswer)
    } else {
      client.release(attempt.reservedCall, bill)
    }
    client.limiter.statistics.withLock { $0.add(outcome, seconds: seconds, wasSent: wasSent) }
    return outcome
  }

  /// True if an error concerns all calls to the provider.
  private static func concernsAllCalls(_ error: ProviderError?) -> Bool {
    error.map { [.credentials, .quota, .rateLimit].contains($0.cause) } ?? false
  }
}
