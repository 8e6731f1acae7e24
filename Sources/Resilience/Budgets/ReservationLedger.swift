import PlacesKit

/// The permission of the budget for one request, which may be sent once and is settled once. A reservation that is never settled counts as
/// sent.
public struct Reservation: Sendable, Hashable {
  /// 0 for a free request that no budget counts.
  let id: UInt64
  public let key: LedgerKey
  /// The cost by the price table, in millionths of the currency's unit.
  public let micros: Int
}

/// The state of all budgets, as a value: the totals, and the changes that the ledger does not contain yet. A request is sent only after the
/// ledger contains its reservation. Therefore limit ≥ recorded calls ≥ sent requests at all times.
struct ReservationLedger: Sendable {
  var totals = SpendingTotals()
  /// The limits of each provider, by its id.
  var limits: [String: BudgetLimits] = [:]
  var userLimits = UserLimits()
  /// The amounts that the next write adds to the ledger.
  private var pendingAmounts = LedgerAmounts()
  /// The savings that the current write adds, each with the total that the ledger has after the write. If the write fails, the savings are
  /// kept until the ledger's contents show whether the write took effect.
  private var savingsInDoubt: [SavingKey: (added: Spending, total: Spending)] = [:]
  /// The ids of reservations that have not been settled.
  private var unsettledIDs: Set<UInt64> = []
  private var latestID: UInt64 = 0

  init(limits: [String: BudgetLimits] = [:], userLimits: UserLimits = UserLimits()) {
    self.limits = limits
    self.userLimits = userLimits
  }

  /// True if the ledger contains all changes.
  var isWritten: Bool { pendingAmounts.isEmpty }

  /// Drops the changes that are not written, except savings. Earlier reservations can no longer be settled.
  /// - Parameter newTotals: the contents of the ledger, which replace the totals; nil to keep the totals.
  mutating func reset(to newTotals: SpendingTotals? = nil) {
    if let newTotals {
      for (key, saving) in savingsInDoubt where newTotals.savings[key] != saving.total {
        pendingAmounts.savings[key, default: .zero] += saving.added
      }
      savingsInDoubt = [:]
      totals = newTotals
      totals.savings.merge(pendingAmounts.savings) { $0 + $1 }
    }
    pendingAmounts = LedgerAmounts(savings: pendingAmounts.savings)
    unsettledIDs = []
  }

  /// Reserves a request if the limits allow it. The request may be sent after the next write.
  mutating func reserve(provider: String, price: PriceClass, user: UInt32, wall: Double) throws(BudgetRefusal) -> Reservation {
    totals.advance(to: wall)
    if let refusal = totals.refusal(
      of: price, provider: provider, user: user, limits: limits[provider] ?? BudgetLimits(), userLimits: userLimits)
    {
      throw refusal
    }
    latestID += 1
    let reservation = Reservation(
      id: latestID, key: LedgerKey(provider: provider, user: user, priceClass: price.name, day: totals.day),
      micros: totals.remainingFreeCalls(of: price, provider: provider) > 0 ? 0 : price.micros)
    unsettledIDs.insert(latestID)
    record(LedgerChange(reserved: Spending(calls: 1, micros: reservation.micros)), for: reservation.key)
    return reservation
  }

  /// Settles a request: moves its cost from the reserved to the spent amounts or, if it was not sent, returns it to the budget.
  mutating func settle(_ reservation: Reservation, wasSent: Bool) {
    guard unsettledIDs.remove(reservation.id) != nil else { return }
    let amount = Spending(calls: 1, micros: reservation.micros)
    record(LedgerChange(reserved: -amount, spent: wasSent ? amount : .zero), for: reservation.key)
  }

  /// Settles the autocomplete calls of an ended session. All of them were sent, but the service bills only `billedMicros` for all of them
  /// together. The difference is subtracted from the latest calls first.
  mutating func settle(session reservations: [Reservation], billedMicros: Int) {
    let settledReservations = reservations.filter { $0.id != 0 && !unsettledIDs.contains($0.id) }
    var unbilledMicros = settledReservations.reduce(0) { $0.saturatingAdding($1.micros) }.saturatingAdding(-max(0, billedMicros))
    for reservation in settledReservations.reversed() where unbilledMicros > 0 && reservation.micros > 0 {
      let (key, amount) = (reservation.key, Spending(micros: min(unbilledMicros, reservation.micros)))
      unbilledMicros -= amount.micros
      record(LedgerChange(spent: -amount), for: key)
      recordSaving(amount, SavingKey(provider: key.provider, user: key.user, day: key.day, cause: .sessions))
    }
  }

  mutating func recordSaving(_ amount: Spending, _ key: SavingKey) {
    totals.savings[key, default: .zero] += amount
    pendingAmounts.savings[key, default: .zero] += amount
  }

  /// Adds a change to the totals, and to the amounts that the next write adds to the ledger.
  mutating func record(_ change: LedgerChange, for key: LedgerKey) {
    totals.add(change, to: key)
    pendingAmounts.entries[key, default: LedgerChange()] += change
    if pendingAmounts.entries[key]?.isZero == true { pendingAmounts.entries[key] = nil }
  }

  /// Records that the last transaction was written.
  mutating func recordWrite() { savingsInDoubt = [:] }

  /// Removes and returns the changes that are to be written.
  mutating func takeTransaction(wall: Double, dayStart: Double) -> LedgerAmounts {
    defer { pendingAmounts = LedgerAmounts() }
    for (key, added) in pendingAmounts.savings { savingsInDoubt[key] = (added, totals.savings[key] ?? added) }
    return LedgerAmounts(entries: pendingAmounts.entries, savings: pendingAmounts.savings, latestTime: wall, dayStart: dayStart)
  }
}
