import PlacesKit
import Synchronization

/// Pays for calls out of the providers' budgets. A call is reserved in the durable ledger before it is sent, in blocks, so that
/// most calls are paid from memory; one task, `run`, does all the writing.
public final class BudgetService: Sendable {
  enum Health {
    /// Nothing is known yet; callers wait. It may have failed before.
    case loading(after: LedgerError?)
    case ready
    case failed(LedgerError)
    case ended

    /// What is or was wrong with the ledger; nil where nothing is known to be.
    var fault: LedgerError? {
      switch self {
      case .failed(let error): error
      case .loading(let error): error
      case .ready, .ended: nil
      }
    }
  }

  struct State {
    var reservations: ReservationLedger
    /// What was known before the ledger failed, for reports alone: new calls begin with the ledger's own account.
    var lastKnown: ReservationLedger?
    /// Nil once they are in the ledger.
    var unwritten: PendingLedgerWrites?
    /// Charges of such calls that have not ended.
    var openUnwritten: Set<UInt64> = []
    var health = Health.loading(after: nil)
    var limits: [String: BudgetLimits]
    var userLimits: UserLimits
    /// How often the limits changed.
    var changesOfLimits = 0
    var waiting = WaitingCallers()
    /// Those who wait until there is something to report.
    var readers: [UInt64: CheckedContinuation<Void, Never>] = [:]
    var nextID: UInt64 = 1

    var isReady: Bool { if case .ready = health { true } else { false } }
  }

  private let ledger: any SpendingLedger
  let time: any TimeSource
  private let block: Int
  private let log: @Sendable (LogLevel, String) -> Void
  private let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation
  let state: Mutex<State>

  /// Seconds between looks at idle purses, settlements and a failed ledger.
  static let tick = 5.0
  /// The same where nothing is under way: an idle daemon wakes nobody.
  static let quietTick = 30.0
  static let idleSeconds = 600.0
  /// Seconds that whoever wants a report waits for the ledger.
  public static let patience = 5.0

  /// `limits` by provider id; a provider without limits may cost what it likes, and is counted all the same. `block` calls are
  /// reserved at once for each user, provider and price class.
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
        reservations: ReservationLedger(LedgerHistory(), block: block, idleSeconds: BudgetService.idleSeconds), limits: limits,
        userLimits: userLimits))
  }

  /// Takes new limits at once; what was spent stays spent, and what was set aside for later calls is given back.
  public func configure(limits: [String: BudgetLimits], userLimits: UserLimits) {
    let isOther = state.withLock { state in
      guard (state.limits, state.userLimits) != (limits, userLimits) else { return false }
      state.limits = limits
      state.userLimits = userLimits
      state.changesOfLimits += 1
      state.reservations.giveBack()
      return true
    }
    if isOther { signal.yield() }
  }

  // MARK: Calls

  /// Pays for one call of a price class (nil for a free one). Returns at once where the user's purse holds calls; waits for one
  /// write of the ledger where it does not. A free call of a provider without a limit of calls is not counted; one of a provider with a
  /// limit is counted in memory while the ledger fails, and goes into the ledger when that is back: a daemon that starts meanwhile knows of
  /// nothing before it.
  public func reserve(provider: String, price: PriceClass?, user: UInt32) async throws(BudgetRefusal) -> Reservation {
    let key = ReservationLedger.PrepaidBlockKey(provider: provider, user: user, priceClass: price?.name ?? "")
    let price = price ?? PriceClass("", micros: 0)
    let (known, id) = state.withLock { state -> (Result<Reservation, BudgetRefusal>?, UInt64) in
      state.nextID += 1
      return (draw(key, price, &state), state.nextID)
    }
    if let known { return try known.get() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let caller = WaitingCallers.Caller(id: id, price: price, continuation: continuation)
        if let answer = state.withLock({ queue(caller, key, &$0) }) { continuation.resume(returning: answer) }
        signal.yield()
      }
    } onCancel: {
      state.withLock { $0.waiting.cancel(id, key) }?.continuation.resume(returning: .failure(.cancelled))
    }
    state.withLock { _ = $0.waiting.wasCancelled(id) }
    return try result.get()
  }

  /// Fills a user's prepaid block ahead of the first call, such as when a session begins; never waits.
  public func reserveAhead(provider: String, price: PriceClass, user: UInt32) {
    let key = ReservationLedger.PrepaidBlockKey(provider: provider, user: user, priceClass: price.name)
    let isWanted = state.withLock { state in
      guard case .ready = state.health else { return false }
      return state.reservations.reserveAhead(key, price: price, now: time.monotonic(), wall: time.wall())
    }
    if isWanted { signal.yield() }
  }

  /// Says whether the request was sent that a reservation was for; a second time changes nothing.
  public func settle(_ reservation: Reservation, _ outcome: Reservation.Outcome) {
    state.withLock { state in
      guard state.openUnwritten.remove(reservation.id) != nil else { return state.reservations.settle(reservation, outcome) }
      guard outcome == .unsent else { return }
      // A free request that was counted in memory was not sent: the ledger may hold it by now, or have failed again since.
      if !state.isReady, state.unwritten == nil { state.unwritten = PendingLedgerWrites((state.lastKnown ?? state.reservations).accounts) }
      state.unwritten?.add(-1, to: reservation.key)
      if state.isReady { state.reservations.note(LedgerChange(spent: Spending(calls: -1)), for: reservation.key) }
    }
  }

  /// Says that the calls of one session, all sent, cost only `billedMicros` because of how it ended; the rest counts as saved.
  public func settle(session reservations: [Reservation], billedMicros: Int) {
    state.withLock { $0.reservations.settle(session: reservations, billedMicros: billedMicros) }
  }

  /// Counts calls that were not made thanks to the cache or because several callers shared one.
  public func recordSaving(_ amount: Spending, provider: String, user: UInt32, by cause: SavingKey.Cause) {
    state.withLock { state in
      state.reservations.recordSaving(amount, SavingKey(provider: provider, user: user, day: Day(wall: time.wall()), cause: cause))
    }
  }

  /// Reads the ledger anew, such as after `budget.confirm`; calls under way count as spent.
  public func reload() {
    state.withLock { state in
      if case .ended = state.health { return }
      state.health = .loading(after: state.health.fault)
    }
    signal.yield()
  }

  private func draw(_ key: ReservationLedger.PrepaidBlockKey, _ price: PriceClass, _ state: inout State) -> Result<
    Reservation, BudgetRefusal
  >? {
    if price.name.isEmpty, state.limits[key.provider]?.limitsCalls != true {
      return .success(.uncounted(LedgerKey(provider: key.provider, user: key.user, priceClass: "", day: Day(wall: time.wall()))))
    }
    switch state.health {
    case .failed(let error): return price.name.isEmpty ? countFree(key, &state) : .failure(BudgetRefusal(error))
    case .ended: return .failure(BudgetRefusal(.ledger, "the daemon is shutting down"))
    case .loading: return nil
    case .ready:
      // Those who came first are served first.
      guard !state.waiting.isWaited(for: key),
        let (charge, wantsMore) = state.reservations.draw(key, price: price, now: time.monotonic(), wall: time.wall())
      else { return nil }
      if wantsMore { signal.yield() }
      return .success(charge)
    }
  }

  /// Counts a free call in memory: no money hangs on it, and whoever set its limit wants it kept and not the provider off.
  private func countFree(_ key: ReservationLedger.PrepaidBlockKey, _ state: inout State) -> Result<Reservation, BudgetRefusal> {
    var unwritten = state.unwritten ?? PendingLedgerWrites((state.lastKnown ?? state.reservations).accounts)
    // Both must not hold on to what is changed here.
    state.unwritten = nil
    defer { state.unwritten = unwritten }
    unwritten.advance(to: time.wall())
    let allowance = unwritten.accounts.allowance(
      1, of: PriceClass("", micros: 0), provider: key.provider, user: key.user, limits: state.limits[key.provider] ?? BudgetLimits(),
      userLimits: state.userLimits)
    if allowance.calls < 1, let refusal = allowance.refusal { return .failure(refusal) }
    let ledgerKey = LedgerKey(provider: key.provider, user: key.user, priceClass: "", day: unwritten.accounts.day)
    unwritten.add(1, to: ledgerKey)
    let charge = Reservation(id: state.reservations.newID(), key: ledgerKey, micros: 0)
    state.openUnwritten.insert(charge.id)
    return .success(charge)
  }

  private func queue(_ caller: WaitingCallers.Caller, _ key: ReservationLedger.PrepaidBlockKey, _ state: inout State) -> Result<
    Reservation, BudgetRefusal
  >? {
    if state.waiting.wasCancelled(caller.id) { return .failure(.cancelled) }
    if let answer = draw(key, caller.price, &state) { return answer }
    guard !state.waiting.isFull else { return .failure(BudgetRefusal(.busy, "too many calls wait for the spending ledger; try again")) }
    state.waiting.append(caller, key)
    return nil
  }

  // MARK: The ledger's task

  /// Reads the ledger, then writes it whenever something is to be written, until the task is cancelled; at the end purses give back
  /// what they hold. Runs once.
  public func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask(name: "treasury clock") { [time, signal] in
        while (try? await time.sleep(until: time.monotonic() + self.pause)) != nil { signal.yield() }
      }
      signal.yield()
      for await _ in signals { await turn() }
      group.cancelAll()
    }
    await close()
  }

  /// One look at the ledger: reads it where it is not known, writes what is to be written, serves those who wait.
  func turn() async {
    var begun: ReservationLedger.Turn?
    do throws(LedgerError) {
      if !isReady { try await load() }
      let (turn, changes) = state.withLock { state in
        let limits = state.limits
        let turn = state.reservations.turn(
          state.waiting.demands, limits: { limits[$0] ?? BudgetLimits() }, userLimits: state.userLimits, now: time.monotonic(),
          wall: time.wall())
        return (turn, state.changesOfLimits)
      }
      begun = turn
      if !turn.page.isEmpty { try await ledger.write(turn.page) }
      for (caller, result) in state.withLock({ serve(turn, under: changes, &$0) }) { caller.continuation.resume(returning: result) }
    } catch {
      if let begun { state.withLock { $0.reservations.takeBack(begun) } }
      fail(error, await reportable(after: error))
    }
  }

  /// What an administrator's word would bring into force, so that he sees it before; nil where more is known already.
  private func reportable(after error: LedgerError) async -> LedgerHistory? {
    guard case .unconfirmed = error, state.withLock({ $0.lastKnown == nil && !$0.isReady }) else { return nil }
    return await ledger.awaitingConfirmation()
  }

  /// Seconds to the next look: few where there is something to give back, to settle or to mend.
  private var pause: Double {
    state.withLock { state in
      if case .ready = state.health, state.reservations.isQuiet, state.waiting.count == 0 { return BudgetService.quietTick }
      return BudgetService.tick
    }
  }

  private var isReady: Bool { state.withLock(\.isReady) }

  private func load() async throws(LedgerError) {
    let history = try await ledger.load()
    let (wasFailed, readers) = state.withLock { state in
      let wasFailed = state.health.fault != nil
      state.health = .ready
      state.lastKnown = nil
      state.reservations = ReservationLedger(
        history, block: block, idleSeconds: BudgetService.idleSeconds, firstID: state.reservations.nextID)
      for (key, calls) in state.unwritten?.calls ?? [:] { state.reservations.note(LedgerChange(spent: Spending(calls: calls)), for: key) }
      return (wasFailed, takeReaders(&state))
    }
    for reader in readers { reader.resume() }
    if wasFailed { log(.notice, "the spending ledger is back; paid calls are possible again") }
  }

  /// Gives the written blocks to those who waited when the turn began, and refusals to those for whom they do not suffice.
  private func serve(
    _ turn: ReservationLedger.Turn, under changesOfLimits: Int, _ state: inout State
  ) -> [(WaitingCallers.Caller, Result<Reservation, BudgetRefusal>)] {
    state.reservations.complete(turn)
    state.unwritten = nil
    guard changesOfLimits == state.changesOfLimits else {
      // The limits changed while the blocks were written: what they allow is for the next turn to say.
      state.reservations.giveBack()
      signal.yield()
      return []
    }
    return turn.waiting.flatMap { key, waiting in
      var meant = waiting
      return state.waiting.serve(key) { caller in
        defer { meant -= 1 }
        if let (charge, _) = state.reservations.draw(key, price: caller.price, now: time.monotonic(), wall: time.wall()) {
          return .success(charge)
        }
        if let refusal = turn.blocks[key]?.refusal, meant > 0 { return .failure(refusal) }
        // He came while the ledger was written, or the day ended: the next turn is his.
        signal.yield()
        return nil
      }
    }
  }

  /// The ledger failed: nobody knows what is in it, so that all is read anew before the next paid call, and what was reserved counts
  /// as spent.
  /// - Parameter reportable: what is in it all the same, for reports alone.
  private func fail(_ error: LedgerError, _ reportable: LedgerHistory?) {
    let (answers, readers, isNew) = state.withLock { state in
      let isNew = state.health.fault != error
      if state.isReady { state.lastKnown = state.reservations }
      if let reportable { state.lastKnown = ReservationLedger(reportable, block: block, idleSeconds: BudgetService.idleSeconds) }
      if reportable != nil, let accounts = state.lastKnown?.accounts { state.unwritten = state.unwritten?.moved(onto: accounts) }
      state.health = .failed(error)
      state.reservations = ReservationLedger(
        LedgerHistory(latest: time.wall()), block: block, idleSeconds: BudgetService.idleSeconds, firstID: state.reservations.nextID)
      let answers = state.waiting.takeAll().map { key, caller in
        (caller, caller.price.name.isEmpty ? countFree(key, &state) : .failure(BudgetRefusal(error)))
      }
      return (answers, takeReaders(&state), isNew)
    }
    for reader in readers { reader.resume() }
    if isNew { log(.error, "paid calls are off: \(error.message)") }
    for (caller, answer) in answers { caller.continuation.resume(returning: answer) }
  }

  private func close() async {
    let (page, callers, readers, wasReady) = state.withLock { state in
      let page = state.reservations.closing(wall: time.wall())
      let wasReady = state.isReady
      state.health = .ended
      return (page, state.waiting.takeAll(), takeReaders(&state), wasReady)
    }
    for reader in readers { reader.resume() }
    for (_, caller) in callers { caller.continuation.resume(returning: .failure(BudgetRefusal(.ledger, "the daemon is shutting down"))) }
    guard wasReady, !page.isEmpty else { return }
    do throws(LedgerError) { try await ledger.write(page) } catch {
      log(.warning, "reserved calls count as spent, since the ledger could not be closed: \(error.message)")
    }
  }

  private func takeReaders(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
    defer { state.readers = [:] }
    return Array(state.readers.values)
  }
}

extension BudgetRefusal {
  static let cancelled = BudgetRefusal(.cancelled, "the caller does not want the answer any more")

  init(_ error: LedgerError) {
    switch error {
    case .unavailable(let message): self.init(.ledger, "paid calls are off: \(message)")
    case .unconfirmed(let message): self.init(.unconfirmed, "paid calls are off: \(message)")
    }
  }
}
