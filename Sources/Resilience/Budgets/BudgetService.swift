import PlacesKit
import Synchronization

/// Reserves the cost of a provider call in the durable ledger before the request is sent, and settles it afterwards. One task, `run`, does
/// all writes. A write contains all changes since the last one, so that concurrent calls share it.
public final class BudgetService: Sendable {
  /// The state of the ledger, which determines whether calls can be reserved.
  enum LedgerState {
    /// The ledger is not loaded yet, and requests wait. The error is the reason why it failed before; nil if it did not.
    case loading(after: LedgerError?)
    /// The ledger is loaded and can be written.
    case ready
    /// The ledger could not be read or written, or is not confirmed.
    case failed(LedgerError)
    /// `run` was cancelled, and no more calls are reserved.
    case ended

    /// The reason why the ledger failed; nil if it did not fail or works again.
    var fault: LedgerError? {
      switch self {
      case .failed(let error): error
      case .loading(let error): error
      case .ready, .ended: nil
      }
    }
  }

  /// The state that `run` and the callers share.
  struct State {
    var clock: BudgetClock
    /// When the ledger fails, only the totals are kept. When the ledger is read again, its contents replace the totals.
    var reservations: ReservationLedger
    /// True if the totals come from the ledger, or from the contents that a confirmation would restore.
    var knowsTotals = false
    /// The numbers of free calls that were counted while the ledger failed and that it does not contain yet. The totals include them.
    var unrecordedCalls: [LedgerKey: Int] = [:]
    /// The ids of reservations for unrecorded calls that have not been settled.
    var unsettledUnrecordedIDs: Set<UInt64> = []
    var ledger = LedgerState.loading(after: nil)
    /// Fulfilled when the ledger has been read or has failed. A new promise replaces it when the ledger is to be read again.
    var loadPromise = Promise<Void>()
    /// True if the limits have changed since the last write began.
    var hasNewLimits = false
    /// For each message that a provider's budget is used up, when the budget is available again, in seconds since 1970.
    var loggedRefusals: [String: Double] = [:]
    /// The requests that wait for the ledger's next write, in the order of arrival.
    var waitingRequests: [WaitingRequest] = []

    var isReady: Bool { if case .ready = ledger { true } else { false } }
  }

  /// A request for a reservation that waits for the ledger's next write.
  struct WaitingRequest: Sendable {
    typealias Answer = Result<Reservation, BudgetRefusal>
    /// A request and the answer that it will receive after the ledger's next write.
    typealias Answered = (request: WaitingRequest, answer: Answer)

    let provider: String
    /// The price class of the request; its name is empty for a free request.
    let price: PriceClass
    let user: UInt32
    let answer = Promise<Answer>()
  }

  private let ledger: any SpendingLedger
  let time: any TimeSource
  private let log: @Sendable (LogLevel, String) -> Void
  private let wakeUps: AsyncStream<Void>
  private let wakeUp: AsyncStream<Void>.Continuation
  let state: Mutex<State>

  /// Seconds between two checks. A check writes settlements, and reads the ledger again if it failed.
  static let checkInterval = 5.0
  /// Seconds between two checks if all changes are written. The longer interval lets an idle daemon sleep.
  static let quietCheckInterval = 30.0
  private static let maxWaitingRequests = 1_024
  /// The maximum number of seconds for which a report or a confirmation waits for the ledger.
  public static let ledgerTimeout = 5.0

  /// - Parameters:
  ///   - limits: the limits of each provider, by its id. The cost of a provider without limits is counted but not limited.
  public init(
    ledger: any SpendingLedger, limits: [String: BudgetLimits] = [:], userLimits: UserLimits = UserLimits(),
    time: any TimeSource, log: @escaping @Sendable (LogLevel, String) -> Void
  ) {
    self.ledger = ledger
    self.time = time
    self.log = log
    (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    state = Mutex(
      State(
        clock: BudgetClock(wall: time.wall(), monotonic: time.monotonic()),
        reservations: ReservationLedger(limits: limits, userLimits: userLimits)))
  }

  /// The budget clock's time, in seconds since 1970.
  func budgetTime(_ state: inout State) -> Double { state.clock.time(wall: time.wall(), monotonic: time.monotonic()) }

  // MARK: Reserving and settling

  /// Reserves one request. Returns when the ledger contains the reservation.
  ///
  /// Free calls are counted only if the provider has a limit of calls. While the ledger fails, they are counted in memory, and are written
  /// when the ledger is available again. A restart of the daemon before then loses them.
  /// - Parameter price: the price class of the request; nil if it is free.
  public func reserve(provider: String, price: PriceClass?, user: UInt32) async throws(BudgetRefusal) -> Reservation {
    let request = WaitingRequest(provider: provider, price: price ?? PriceClass("", micros: 0), user: user)
    let immediateAnswer = state.withLock { state -> WaitingRequest.Answer? in
      if request.price.name.isEmpty, state.reservations.limits[provider]?.limitsCalls != true {
        let uncounted = LedgerKey(provider: provider, user: user, priceClass: "", day: Day(wall: budgetTime(&state)))
        return .success(Reservation(id: 0, key: uncounted, micros: 0))
      }
      switch state.ledger {
      case .failed(let error): return answer(request, after: error, &state)
      case .ended: return .failure(.shuttingDown)
      case .loading, .ready:
        guard state.waitingRequests.count < Self.maxWaitingRequests else {
          return .failure(BudgetRefusal(.busy, "too many calls wait for the spending ledger; try again"))
        }
        state.waitingRequests.append(request)
        return nil
      }
    }
    if let immediateAnswer {
      logIfNew(immediateAnswer)
      return try immediateAnswer.get()
    }
    wakeUp.yield()
    if let answer = await request.answer.value() { return try answer.get() }
    state.withLock { $0.waitingRequests.removeAll { $0.answer === request.answer } }
    // The answer may have arrived before the cancellation.
    request.answer.fulfil(.failure(.cancelled))
    return try (request.answer.current ?? .failure(.cancelled)).get()
  }

  /// Records whether the reserved request was sent. Only the first call for a reservation has an effect.
  /// - Parameter wasSent: true if the request was sent, or may have been.
  public func settle(_ reservation: Reservation, wasSent: Bool) {
    state.withLock { state in
      guard state.unsettledUnrecordedIDs.remove(reservation.id) != nil else {
        return state.reservations.settle(reservation, wasSent: wasSent)
      }
      guard !wasSent else { return }
      state.reservations.record(LedgerChange(spent: Spending(calls: -1)), for: reservation.key)
      // When the ledger is read again, all changes that are not written are dropped, except `unrecordedCalls`. So the correction is added
      // there too, unless the ledger can be written and already contains the call.
      if !state.isReady || state.unrecordedCalls[reservation.key] != nil { state.unrecordedCalls[reservation.key, default: 0] -= 1 }
    }
  }

  /// Records that the service bills only `billedMicros` for the autocomplete calls of a session, because of the way in which the session
  /// ended. All of these calls were sent. The difference from their reserved cost counts as saved.
  public func settle(session reservations: [Reservation], billedMicros: Int) {
    state.withLock { $0.reservations.settle(session: reservations, billedMicros: billedMicros) }
  }

  /// Records the cost of a call that was avoided by the given cause.
  public func recordSaving(_ amount: Spending, provider: String, user: UInt32, by cause: SavingKey.Cause) {
    state.withLock { state in
      let day = Day(wall: budgetTime(&state))
      state.reservations.recordSaving(amount, SavingKey(provider: provider, user: user, day: day, cause: cause))
    }
  }

  /// Reserves a request if the limits allow it.
  private func reserve(_ request: WaitingRequest, _ state: inout State) -> WaitingRequest.Answer {
    let wall = budgetTime(&state)
    do throws(BudgetRefusal) {
      return .success(
        try state.reservations.reserve(provider: request.provider, price: request.price, user: request.user, wall: wall))
    } catch { return .failure(error) }
  }

  /// Answers a request while the ledger fails. A free call is counted in memory, so that its limit is enforced, and the provider remains
  /// usable.
  private func answer(_ request: WaitingRequest, after error: LedgerError, _ state: inout State) -> WaitingRequest.Answer {
    guard request.price.name.isEmpty else { return .failure(BudgetRefusal(error)) }
    let answer = reserve(request, &state)
    if case .success(let reservation) = answer {
      state.reservations.settle(reservation, wasSent: true)
      state.unrecordedCalls[reservation.key, default: 0] += 1
      state.unsettledUnrecordedIDs.insert(reservation.id)
    }
    return answer
  }

  // MARK: Configuration

  /// Applies new limits at once. Past spending still counts.
  public func configure(limits: [String: BudgetLimits], userLimits: UserLimits) {
    state.withLock { state in
      guard (state.reservations.limits, state.reservations.userLimits) != (limits, userLimits) else { return }
      (state.reservations.limits, state.reservations.userLimits) = (limits, userLimits)
      state.loggedRefusals = [:]
      state.hasNewLimits = true
    }
  }

  /// Starts to read the ledger again, for example after `budget.confirm`. Calls in progress count as spent.
  public func reload() {
    state.withLock { state in
      if case .ended = state.ledger { return }
      state.ledger = .loading(after: state.ledger.fault)
      if state.loadPromise.current != nil { state.loadPromise = Promise() }
    }
    wakeUp.yield()
  }

  // MARK: The ledger's task

  /// Reads the ledger, and writes changes until the task is cancelled. Must be called once.
  public func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask(name: "budget checks") { [time, wakeUp] in
        while (try? await time.sleep(until: time.monotonic() + self.secondsUntilCheck)) != nil { wakeUp.yield() }
      }
      wakeUp.yield()
      for await _ in wakeUps { await update() }
      group.cancelAll()
    }
    await close()
  }

  private var secondsUntilCheck: Double {
    state.withLock { $0.isReady && $0.reservations.isWritten ? Self.quietCheckInterval : Self.checkInterval }
  }

  /// Reads the ledger if it is not loaded, reserves the requests that wait, and writes all changes. If the budget day has moved to an
  /// earlier day, the requests wait until the ledger is read again, to get the totals of that day.
  func update() async {
    var answers: [WaitingRequest.Answered] = []
    do throws(LedgerError) {
      if state.withLock({ !$0.isReady }) { try await load() }
      let (transaction, hasGoneBackwards) = state.withLock { state in
        state.hasNewLimits = false
        let wall = budgetTime(&state)
        if !state.clock.hasGoneBackwards {
          answers = state.waitingRequests.map { ($0, reserve($0, &state)) }
          state.waitingRequests = []
        }
        return (state.reservations.takeTransaction(wall: wall, dayStart: state.clock.dayStart), state.clock.hasGoneBackwards)
      }
      if !transaction.isEmpty || hasGoneBackwards { try await ledger.write(transaction) }
      let isCurrent = state.withLock { state in
        state.unrecordedCalls = [:]
        state.reservations.recordWrite()
        if state.hasNewLimits { withdraw(answers, &state) }
        return !state.hasNewLimits && !hasGoneBackwards
      }
      // If the limits or the day changed, the requests are answered after the next write.
      if isCurrent { deliver(answers) } else { wakeUp.yield() }
      guard hasGoneBackwards else { return }
      let date = Day(wall: transaction.latestTime).civil
      log(.warning, "the machine's clock was set back; calls now count towards the budgets of \(date.year)-\(date.month)-\(date.day)")
      try await load()
    } catch {
      state.withLock { withdraw(answers, &$0) }
      await fail(error)
    }
  }

  /// Returns the reservations of these requests to the budget, and lets the requests wait again.
  private func withdraw(_ answers: [WaitingRequest.Answered], _ state: inout State) {
    for case (_, .success(let reservation)) in answers { state.reservations.settle(reservation, wasSent: false) }
    state.waitingRequests.insert(contentsOf: answers.map(\.request), at: 0)
  }

  /// Delivers the answers to the callers that wait for them.
  private func deliver(_ answers: [WaitingRequest.Answered]) {
    for (request, answer) in answers {
      logIfNew(answer)
      // A request may have been cancelled in the meantime.
      if !request.answer.fulfil(answer), case .success(let reservation) = answer { settle(reservation, wasSent: false) }
    }
  }

  /// Logs a refusal because a provider's budget is used up, once in each day or month. That a user's share or quota is used up is not
  /// logged, because it concerns only that user.
  private func logIfNew(_ answer: WaitingRequest.Answer) {
    guard case .failure(let refusal) = answer, [.calls, .money].contains(refusal.reason), let end = refusal.resumesAt else { return }
    let isNew = state.withLock { $0.loggedRefusals.updateValue(end, forKey: refusal.message) != end }
    if isNew { log(.warning, refusal.message) }
  }

  /// Reads the ledger, whose contents replace the totals. Adds the calls that were counted while the ledger failed.
  private func load() async throws(LedgerError) {
    let history = try await ledger.load()
    let (wasFailed, loadPromise) = state.withLock { state in
      let wasFailed = state.ledger.fault != nil
      state.ledger = .ready
      state.knowsTotals = true
      state.clock = BudgetClock(after: history, wall: time.wall(), monotonic: time.monotonic())
      state.reservations.reset(to: SpendingTotals(history))
      for (key, calls) in state.unrecordedCalls {
        state.reservations.record(LedgerChange(spent: Spending(calls: calls)), for: key)
      }
      return (wasFailed, state.loadPromise)
    }
    loadPromise.fulfil(())
    if wasFailed { log(.notice, "the spending ledger is available again; paid calls are on") }
  }

  /// Handles a failure of the ledger. Since its contents are then unknown, it is read again before the next paid call, and reserved calls
  /// count as spent.
  private func fail(_ error: LedgerError) async {
    // The contents that a confirmation would restore, which are reported to the administrator unless later totals are known.
    var contentsToConfirm: LedgerAmounts?
    if case .unconfirmed = error, state.withLock({ !$0.knowsTotals }) {
      contentsToConfirm = await ledger.historyAwaitingConfirmation()
    }
    let (answers, loadPromise, isNew) = state.withLock { state in
      let isNew = state.ledger.fault != error
      var totals: SpendingTotals?
      if let contentsToConfirm {
        var confirmedTotals = SpendingTotals(contentsToConfirm)
        for (key, calls) in state.unrecordedCalls { confirmedTotals.add(LedgerChange(spent: Spending(calls: calls)), to: key) }
        totals = confirmedTotals
        state.knowsTotals = true
      }
      state.ledger = .failed(error)
      state.reservations.reset(to: totals)
      let requests = state.waitingRequests
      state.waitingRequests = []
      let answers = requests.map { ($0, answer($0, after: error, &state)) }
      return (answers, state.loadPromise, isNew)
    }
    loadPromise.fulfil(())
    if isNew { log(.error, "paid calls are off: \(error.message)") }
    deliver(answers)
  }

  /// Ends the service: refuses the requests that wait and, if the ledger works, writes the last changes.
  private func close() async {
    let (transaction, requests, loadPromise, wasReady) = state.withLock { state in
      let wasReady = state.isReady
      state.ledger = .ended
      let wall = budgetTime(&state)
      let transaction = state.reservations.takeTransaction(wall: wall, dayStart: state.clock.dayStart)
      defer { state.waitingRequests = [] }
      return (transaction, state.waitingRequests, state.loadPromise, wasReady)
    }
    loadPromise.fulfil(())
    deliver(requests.map { ($0, .failure(.shuttingDown)) })
    guard wasReady, !transaction.isEmpty else { return }
    do throws(LedgerError) { try await ledger.write(transaction) } catch {
      log(.warning, "reserved calls count as spent, since the last changes could not be written: \(error.message)")
    }
  }
}

extension BudgetRefusal {
  static let cancelled = BudgetRefusal(.cancelled, "no caller waits for the answer")
  static let shuttingDown = BudgetRefusal(.ledger, "the daemon is shutting down")

  init(_ error: LedgerError) {
    let reason: Reason = if case .unconfirmed = error { .unconfirmed } else { .ledger }
    self.init(reason, "paid calls are off: \(error.message)")
  }
}
