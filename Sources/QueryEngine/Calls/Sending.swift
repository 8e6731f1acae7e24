import Resilience
import PlacesKit
import Synchronization

/// A flight on its way to the service: reserves what the call costs, waits for the provider's rate, sends, repeats what may be
/// repeated, and gives back exactly once what each attempt took, however it ends.
final class Sending: Sendable {
  /// Seconds after which no answer counts against the service, where its request's deadline has passed too: what a deadline of half a
  /// second leaves for waiting.
  private static let fairWait = 0.475
  /// When the call is over, in monotonic seconds.
  let limit: Double
  private let sharedCall: SharedCall
  private let client: ProviderClient
  /// One attempt to send the call.
  private struct Attempt {
    var paid: PaidCall
    var pass: ProviderGate.Pass
    var start: Double
    var meter: CallMeter
  }
  /// The attempt under way; whoever takes it out ends it.
  private let attempt = Mutex<Attempt?>(nil)

  init(_ sharedCall: SharedCall, on client: ProviderClient, limit: Double) {
    self.sharedCall = sharedCall
    self.client = client
    self.limit = limit
  }

  /// Sends the call, again after a failure that may pass, and gives what came of it.
  func run() async -> Outcome {
    var repeats = 0
    while true {
      if let refusal = await start() { return refusal }
      guard let (call, meter) = attempt.withLock({ $0.map { ($0.paid.call, $0.meter) } }) else { return .timeout() }
      let error: ProviderError
      switch await call.ask(client.service, meter: meter) {
      case .success(let answer):
        let outcome = Outcome.answered(answer, served: .live, fetchedAt: client.stamp)
        return end(.success, outcome) ?? .timeout()
      case .failure(let thrown): error = thrown
      }
      let outcome = Outcome.failed(client.instance.judged(error))
      guard let failed = end(error.cause == .cancelled ? .abandoned : .failure(error), outcome) else { return .timeout() }
      repeats += 1
      // A paid call may be billed although no answer came.
      guard failed.costMicros == nil || client.isFree(call), !meter.isInVain, let delay = delay(after: error, repeats),
        (try? await client.time.sleep(until: client.now + delay)) != nil
      else {
        return failed
      }
    }
  }

  /// The service did not answer in time: this counts against it, even if it answers later.
  func expire() {
    let outcome = Outcome.timeout("no answer within the provider's time limit")
    let ended = end(.failure(ProviderError(.timeout, "\(client.id) did not answer within its time limit")), outcome)
    sharedCall.finish(ended ?? outcome)
  }

  /// Nobody waits any more. This says nothing about the service, unless it had as long as people wait.
  func giveUp() {
    if let start = attempt.withLock({ $0?.start }), client.now >= max(sharedCall.latestDeadline, start + Sending.fairWait) {
      return expire()
    }
    end(.abandoned, .cancelled)
    sharedCall.finish(.cancelled)
  }

  /// Pays and waits until a call may be sent; gives an outcome where it may not.
  private func start() async -> Outcome? {
    guard client.isWanted(sharedCall, sending: sharedCall.key.call) else { return .cancelled }
    let paid: PaidCall
    do throws(BudgetRefusal) { paid = try await client.pay(for: sharedCall) } catch {
      return .overBudget(error, wall: client.time.wall())
    }
    let refusal = await pass(paid)
    if refusal != nil { client.takeBack(paid) }
    return refusal
  }

  private func pass(_ paid: PaidCall) async -> Outcome? {
    var place: RateQueue.Place?
    defer { if let place { client.leaveLine(place) } }
    while true {
      guard !Task.isCancelled else { return .cancelled }
      // Who comes does not pass those who wait.
      switch place == nil && !client.isLineEmpty ? .wait(until: client.now) : client.gate.admit(at: client.now) {
      case .suspended(let suspension): return .suspended(suspension, now: client.now)
      case .wait(let moment):
        let due = min(limit, sharedCall.latestDeadline)
        if place != nil {
          guard moment < due else { return .rateLimited(client.id, retryAfter: moment - client.now) }
          guard (try? await client.time.sleep(until: moment)) != nil else { return .cancelled }
          continue
        }
        let joined = RateQueue.Place(of: sharedCall.user)
        place = joined
        let before = client.joinLine(joined)
        // Who cannot have his turn before his answer is due is told so at once, and the turn goes to somebody it helps.
        let turn = client.gate.nextStart(at: client.now, behind: before)
        guard turn < due else { return .rateLimited(client.id, retryAfter: turn - client.now) }
        guard await joined.isFirst.value() != nil else { return .cancelled }
      case .go(let pass):
        // Money that is on its way is not thrown after: a paid call that somebody waits for runs to its own limit.
        guard client.isWanted(sharedCall, sending: paid.call), client.isFree(paid.call) || sharedCall.keep() else {
          client.finish(pass, .abandoned, hasLeft: false)
          return .cancelled
        }
        let leaving = client.departing(paid, of: sharedCall)
        let meter = CallMeter(
          first: leaving.charge, isFree: client.isFree(leaving.call),
          reserve: { [client, user = sharedCall.user] () async throws(BudgetRefusal) in try await client.reserve(leaving.call, for: user) },
          release: { [client] in client.budgets?.settle($0, .unsent) })
        attempt.withLock { $0 = Attempt(paid: leaving, pass: pass, start: client.now, meter: meter) }
        return nil
      }
    }
  }

  /// Gives the outcome with what the attempt cost; nil when it had been ended by somebody else.
  @discardableResult private func end(_ verdict: CircuitBreaker.Outcome, _ outcome: Outcome) -> Outcome? {
    guard let ended = attempt.withLock({ $0.take() }) else { return nil }
    let bill = ended.meter.close()
    var (verdict, outcome) = (verdict, outcome)
    if let refusal = bill.refusal, Sending.mayComeOfRefusal(verdict) {
      (verdict, outcome) = (.abandoned, .overBudget(refusal, wall: client.time.wall()))
    }
    // What a provider does on this machine alone needs no request.
    let hasLeft = !bill.sent.isEmpty || !client.instance.manifest.leavesMachine
    client.finish(ended.pass, verdict, hasLeft: hasLeft, status: bill.status)
    if hasLeft {
      client.settle(ended.paid, bill, isAnswered: outcome.isAnswer)
    } else {
      client.takeBack(ended.paid)
    }
    client.record(outcome, since: ended.start, isSent: hasLeft)
    if hasLeft { outcome.costMicros = cost(of: ended.paid, bill) }
    return outcome
  }

  /// Whether an attempt may have ended so because the budget did not reach for another request: what the service itself said, or failed to
  /// say in time, is its own.
  private static func mayComeOfRefusal(_ verdict: CircuitBreaker.Outcome) -> Bool {
    switch verdict {
    case .success: false
    case .failure(let error): error.cause == .plugin
    case .abandoned: true
    }
  }

  /// What the requests cost, in millionths; by the price list if no budget counts.
  private func cost(of paid: PaidCall, _ bill: CallMeter.Bill) -> Int {
    let price = client.price(of: paid.call)?.micros ?? 0
    return bill.sent.reduce(Spending()) { $0 + Spending(micros: $1?.micros ?? price) }.micros
  }

  private func delay(after error: ProviderError, _ repeats: Int) -> Double? {
    client.gate.retryDelay(after: error, attempt: repeats, at: client.now, deadline: min(limit, sharedCall.latestDeadline))
  }
}
