import PlacesKit
import Synchronization

/// Reserves what provider calls cost, in the durable ledger before a request is sent, and settles it after. Calls are reserved in blocks, so that
/// most reservations come from memory; one task, `run`, does all the writing.
public final class BudgetService: Sendable {
  enum LedgerState {
    /// Nothing is known yet; requests wait. It may have failed before.
    case loading(after: LedgerError?)
    case ready
    case failed(LedgerError)
    case ended

    /// What is or was wrong with the ledger; nil if nothing is known to be.
    var fault: LedgerError? {
      switch self {
      case .failed(let error): error
      case .loading(let error): error
      case .ready, .ended: nil
      }
    }
  }

  struct State {
    var clock: BudgetClock
    var reservations: ReservationLedger
    /// What was known before the ledger failed, for reports alone: new calls begin with the ledger's own totals.
    var lastKnown: ReservationLedger?
    /// Free calls that were counted while the ledger failed; nil once they are in the ledger.
    var unrecorded: UnrecordedCalls?
    /// The reservations of such calls that have not been settled.
    var openUnrecorded: Set<UInt64> = []
    var ledger = LedgerState.loading(after: nil)
    /// Fulfilled when the ledger has been read or has failed.
    var loaded = Promise<Void>()
    var limits: [String: BudgetLimits]
    var userLimits: UserLimits
    /// How often the limits changed.
    var limitsVersion = 0
    var waiting = WaitingRequests()

    var isReady: Bool { if case .ready = ledger { true } else { false } }
  }

  private let ledger: any SpendingLedger
  let time: any TimeSource
  private let block: Int
  private let log: @Sendable (LogLevel, String) -> Void
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  let state: Mutex<State>

  /// Seconds between two looks for idle blocks, settlements and a failed ledger.
  static let interval = 5.0
  /// The same if nothing is under way, so that an idle daemon sleeps.
  static let quietInterval = 30.0
  /// Seconds that a report waits for the ledger.
  public static let loadTimeout = 5.0

  /// `limits` by provider id; a provider without limits may cost any amount, and is counted all the same. `block` calls are reserved at once for
  /// each user, provider and price class.
  public init(
    ledger: any SpendingLedger, limits: [String: BudgetLimits] = [:], userLimits: UserLimits = UserLimits(), block: Int = 8,
    time: any TimeSource, log: @escaping @Sendable (LogLevel, String) -> Void
  ) {
    self.ledger = ledger
    self.time = time
    self.block = block
    self.log = log
    (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    state = Mutex(
      State(
        clock: BudgetClock(wall: time.wall(), monotonic: time.monotonic()),
        reservations: ReservationLedger(LedgerHistory(), block: block), limits: limits, userLimits: userLimits))
  }

  /// The time by which budgets count days, in seconds since 1970.
  func budgetTime(_ state: inout State) -> Double { state.clock.time(wall: time.wall(), monotonic: time.monotonic()) }

  // MARK: Reserving and settling

  /// Reserves one request of a price class (nil for a free one). Returns at once if the user's block holds calls; waits for one write of the ledger
  /// if it does not. A free call is counted only if the provider has a limit of calls; while the ledger fails it is counted in memory, and goes
  /// into the ledger when that is available again: a daemon that starts meanwhile does not know of it.
  public func reserve(provider: String, price: PriceClass?, user: UInt32) async throws(BudgetRefusal) -> Reservation {
    let key = ReservationLedger.BlockKey(provider: provider, user: user, priceClass: price?.name ?? "")
    let waiting = WaitingRequest(price ?? PriceClass("", micros: 0))
    let known = state.withLock { state -> WaitingRequest.Answer? in
      if let answer = reserveNow(key, waiting.price, &state) { return answer }
      guard !state.waiting.isFull else { return .failure(BudgetRefusal(.busy, "too many calls wait for the spending ledger; try again")) }
      state.waiting.append(waiting, key)
      return nil
    }
    if let known { return try known.get() }
    signal.yield()
    if let answer = await waiting.answer.value() { return try answer.get() }
    state.withLock { $0.waiting.remove(waiting, key) }
    // An answer may have come at the last moment.
    waiting.answer.fulfil(.failure(.cancelled))
    return try (waiting.answer.current ?? .failure(.cancelled)).get()
  }

  /// Fills a user's block ahead of the first call, such as when a session begins; never waits.
  public func reserveAhead(provider: String, price: PriceClass, user: UInt32) {
    let key = ReservationLedger.BlockKey(provider: provider, user: user, priceClass: price.name)
    let isWanted = state.withLock { state in
      let wall = budgetTime(&state)
      return state.isReady && !state.clock.hasGoneBackwards
        && state.reservations.reserveAhead(key, price: price, now: time.monotonic(), wall: wall)
    }
    if isWanted { signal.yield() }
  }

  /// Says whether the request was sent that a reservation was for; a second time changes nothing.
  public func settle(_ reservation: Reservation, _ outcome: Reservation.Outcome) {
    state.withLock { state in
      guard state.openUnrecorded.remove(reservation.id) != nil else { return state.reservations.settle(reservation, outcome) }
      guard outcome == .unsent else { return }
      // The ledger may hold the call by now, and may have failed again since.
      if !state.isReady, state.unrecorded == nil { state.unrecorded = UnrecordedCalls((state.lastKnown ?? state.reservations).totals) }
      state.unrecorded?.add(-1, to: reservation.key)
      if state.isReady { state.reservations.note(LedgerChange(spent: Spending(calls: -1)), for: reservation.key) }
    }
  }

  /// Says that the calls of one session, all sent, cost only `billedMicros` because of how it ended; the rest counts as saved.
  public func settle(session reservations: [Reservation], billedMicros: Int) {
    state.withLock { $0.reservations.settle(session: reservations, billedMicros: billedMicros) }
  }

  /// Counts a call that was not made thanks to the cache or because several callers shared one.
  public func recordSaving(_ amount: Spending, provider: String, user: UInt32, by cause: SavingKey.Cause) {
    state.withLock { state in
      let day = Day(wall: budgetTime(&state))
      state.reservations.recordSaving(amount, SavingKey(provider: provider, user: user, day: day, cause: cause))
    }
  }

  /// A reservation or a refusal; nil if the ledger must be read or written first.
  private func reserveNow(_ key: ReservationLedger.BlockKey, _ price: PriceClass, _ state: inout State) -> WaitingRequest.Answer? {
    let wall = budgetTime(&state)
    if price.name.isEmpty, state.limits[key.provider]?.limitsCalls != true {
      return .success(.uncounted(LedgerKey(provider: key.provider, user: key.user, priceClass: "", day: Day(wall: wall))))
    }
    switch state.ledger {
    case .failed(let error): return price.name.isEmpty ? countFree(key, &state) : .failure(BudgetRefusal(error))
    case .ended: return .failure(BudgetRefusal(.ledger, "the daemon is shutting down"))
    case .loading: return nil
    case .ready:
      // New requests queue behind existing waiters.
      guard !state.waiting.hasQueue(key), !state.clock.hasGoneBackwards,
        let (reservation, wantsMore) = state.reservations.reserve(key, price: price, now: time.monotonic(), wall: wall)
      else { return nil }
      if wantsMore { signal.yield() }
      return .success(reservation)
    }
  }

  /// Counts a free call in memory: it costs nothing, and its limit is to be kept without the provider being off.
  private func countFree(_ key: ReservationLedger.BlockKey, _ state: inout State) -> WaitingRequest.Answer {
    var unrecorded = state.unrecorded ?? UnrecordedCalls((state.lastKnown ?? state.reservations).totals)
    // Its storage must have one owner while it is changed.
    state.unrecorded = nil
    defer { state.unrecorded = unrecorded }
    unrecorded.totals.advance(to: budgetTime(&state))
    let allowance = unrecorded.totals.allowance(
      1, of: PriceClass("", micros: 0), provider: key.provider, user: key.user, limits: state.limits[key.provider] ?? BudgetLimits(),
      userLimits: state.userLimits)
    if allowance.calls < 1, let refusal = allowance.refusal { return .failure(refusal) }
    let ledgerKey = LedgerKey(provider: key.provider, user: key.user, priceClass: "", day: unrecorded.totals.day)
    unrecorded.add(1, to: ledgerKey)
    let reservation = Reservation(id: state.reservations.newID(), key: ledgerKey, micros: 0)
    state.openUnrecorded.insert(reservation.id)
    return .success(reservation)
  }

  // MARK: Administration

  /// Takes new limits at once; what was spent stays spent, and what was set aside for later calls is returned.
  public func configure(limits: [String: BudgetLimits], userLimits: UserLimits) {
    let isChanged = state.withLock { state in
      guard (state.limits, state.userLimits) != (limits, userLimits) else { return false }
      (state.limits, state.userLimits) = (limits, userLimits)
      state.limitsVersion += 1
      state.reservations.applyNewLimits()
      return true
    }
    if isChanged { signal.yield() }
  }

  /// Reads the ledger anew, such as after `budget.confirm`; calls under way count as spent.
  public func reload() {
    state.withLock { state in
      if case .ended = state.ledger { return }
      state.ledger = .loading(after: state.ledger.fault)
      if state.loaded.current != nil { state.loaded = Promise() }
    }
    signal.yield()
  }

  // MARK: The ledger's task

  /// Reads the ledger, then writes it whenever something is to be written, until the task is cancelled; at the end blocks are returned. Runs
  /// once.
  public func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask(name: "budget clock") { [time, signal] in
        while (try? await time.sleep(until: time.monotonic() + self.pause)) != nil { signal.yield() }
      }
      signal.yield()
      for await _ in signals { await update() }
      group.cancelAll()
    }
    await close()
  }

  /// Seconds to the next look.
  private var pause: Double {
    state.withLock { $0.isReady && $0.reservations.isQuiet && $0.waiting.count == 0 ? Self.quietInterval : Self.interval }
  }

  /// Reads the ledger if it is not known, writes what is to be written, and answers the requests that wait.
  func update() async {
    var begun: ReservationLedger.PendingWrite?
    do throws(LedgerError) {
      try await writeIfClockWentBackwards()
      if state.withLock({ !$0.isReady }) { try await load() }
      let (write, limitsVersion) = state.withLock { state in
        let (limits, wall) = (state.limits, budgetTime(&state))
        var write = state.reservations.beginWrite(
          state.waiting.demands, limits: { limits[$0] ?? BudgetLimits() }, userLimits: state.userLimits, now: time.monotonic(),
          wall: wall)
        write.transaction.clock = state.clock.record
        return (write, state.limitsVersion)
      }
      begun = write
      if !write.transaction.isEmpty { try await ledger.write(write.transaction) }
      answer(state.withLock { complete(write, under: limitsVersion, &$0) })
    } catch {
      if let begun { state.withLock { $0.reservations.cancel(begun) } }
      fail(error, await reportable(after: error))
    }
  }

  /// If the budget day has become an earlier one, writes what is left to be written, so that the ledger is read again with that day.
  private func writeIfClockWentBackwards() async throws(LedgerError) {
    let transaction = state.withLock { state -> LedgerTransaction? in
      let wall = budgetTime(&state)
      guard state.isReady, state.clock.hasGoneBackwards else { return nil }
      var transaction = state.reservations.lastTransaction(wall: wall)
      transaction.clock = state.clock.record
      state.ledger = .loading(after: nil)
      return transaction
    }
    guard let transaction else { return }
    let date = Day(wall: transaction.latest).civil
    log(.warning, "the machine's clock was set back; calls still count towards the budgets of \(date.year)-\(date.month)-\(date.day)")
    try await ledger.write(transaction)
  }

  private func answer(_ answers: [(request: WaitingRequest, answer: WaitingRequest.Answer)]) {
    for (request, answer) in answers where !request.answer.fulfil(answer) {
      // The request was cancelled meanwhile.
      if case .success(let reservation) = answer { settle(reservation, .unsent) }
    }
  }

  /// What a confirmation would bring into force, so that the administrator sees it before; nil if more is known already.
  private func reportable(after error: LedgerError) async -> LedgerHistory? {
    guard case .unconfirmed = error, state.withLock({ $0.lastKnown == nil && !$0.isReady }) else { return nil }
    return await ledger.awaitingConfirmation()
  }

  private func load() async throws(LedgerError) {
    let history = try await ledger.load()
    let (wasFailed, loaded) = state.withLock { state in
      let wasFailed = state.ledger.fault != nil
      state.ledger = .ready
      state.lastKnown = nil
      state.clock = BudgetClock(after: history, wall: time.wall(), monotonic: time.monotonic())
      state.reservations = ReservationLedger(history, block: block, firstID: state.reservations.nextID)
      for (key, calls) in state.unrecorded?.calls ?? [:] {
        state.reservations.note(LedgerChange(spent: Spending(calls: calls)), for: key)
      }
      return (wasFailed, state.loaded)
    }
    loaded.fulfil(())
    if wasFailed { log(.notice, "the spending ledger is available again; paid calls are on") }
  }

  /// The write is done: its calls go to the requests that waited when it began, and refusals to those for which they do not suffice.
  private func complete(
    _ write: ReservationLedger.PendingWrite, under limitsVersion: Int, _ state: inout State
  ) -> [(request: WaitingRequest, answer: WaitingRequest.Answer)] {
    state.reservations.complete(write)
    state.unrecorded = nil
    guard limitsVersion == state.limitsVersion else {
      // The limits changed during the write: the next one applies them.
      state.reservations.applyNewLimits()
      signal.yield()
      return []
    }
    return write.waiting.flatMap { key, waiting in
      var meant = waiting
      let wall = budgetTime(&state)
      return state.waiting.take(key) { request in
        defer { meant -= 1 }
        if let (reservation, _) = state.reservations.reserve(key, price: request.price, now: time.monotonic(), wall: wall) {
          return .success(reservation)
        }
        if let refusal = write.blocks[key]?.refusal, meant > 0 { return .failure(refusal) }
        // The request came during the write, or the day ended: the next write answers it.
        signal.yield()
        return nil
      }
    }
  }

  /// The ledger failed, and what it holds is unknown: it is read anew before the next paid call, and what was reserved counts as spent.
  /// - Parameter reportable: what it holds all the same, for reports alone.
  private func fail(_ error: LedgerError, _ reportable: LedgerHistory?) {
    let (answers, loaded, isNew) = state.withLock { state in
      let isNew = state.ledger.fault != error
      if state.isReady { state.lastKnown = state.reservations }
      if let reportable {
        let known = ReservationLedger(reportable, block: block)
        state.lastKnown = known
        state.unrecorded = state.unrecorded?.moved(onto: known.totals)
      }
      state.ledger = .failed(error)
      state.reservations = ReservationLedger(
        LedgerHistory(latest: budgetTime(&state)), block: block, firstID: state.reservations.nextID)
      let answers = state.waiting.takeAll().map { key, request in
        (request, request.price.name.isEmpty ? countFree(key, &state) : .failure(BudgetRefusal(error)))
      }
      return (answers, state.loaded, isNew)
    }
    loaded.fulfil(())
    if isNew { log(.error, "paid calls are off: \(error.message)") }
    answer(answers)
  }

  private func close() async {
    let (transaction, requests, loaded, wasReady) = state.withLock { state in
      let wasReady = state.isReady
      state.ledger = .ended
      var transaction = state.reservations.lastTransaction(wall: budgetTime(&state))
      transaction.clock = state.clock.record
      return (transaction, state.waiting.takeAll(), state.loaded, wasReady)
    }
    loaded.fulfil(())
    answer(requests.map { ($0.request, .failure(BudgetRefusal(.ledger, "the daemon is shutting down"))) })
    guard wasReady, !transaction.isEmpty else { return }
    do throws(LedgerError) { try await ledger.write(transaction) } catch {
      log(.warning, "reserved calls count as spent, since the ledger could not be closed: \(error.message)")
    }
  }
}

extension BudgetRefusal {
  static let cancelled = BudgetRefusal(.cancelled, "no caller waits for the answer")

  init(_ error: LedgerError) {
    switch error {
    case .unavailable(let message): self.init(.ledger, "paid calls are off: \(message)")
    case .unconfirmed(let message): self.init(.unconfirmed, "paid calls are off: \(message)")
    }
  }
}
