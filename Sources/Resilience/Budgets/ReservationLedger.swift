import PlacesKit

/// The accounts of all budgets, as a value: blocks of prepaid calls, and pending changes of the ledger. Each reservation takes a call from
/// a block, and a block contains only calls that the ledger has recorded. Therefore always limit ≥ recorded calls ≥ reservations.
struct ReservationLedger: Sendable {
  struct BlockKey: Sendable, Hashable {
    var provider: String
    var user: UInt32
    var priceClass: String
  }

  /// Calls that are reserved in the ledger and that no request has used yet.
  private struct PrepaidBlock: Sendable {
    var day: Day
    var price: PriceClass
    var freeCalls = 0
    var paidCalls = 0
    /// When a call was taken last, in monotonic seconds.
    var lastUsed: Double
    /// The price class of the calls that the next write should add; nil if the block contains enough calls.
    var refillPrice: PriceClass?
    var remainingCalls: Int { freeCalls + paidCalls }
  }

  /// A block that needs calls: for requests that wait, or, if none waits, for later ones.
  struct Demand: Sendable {
    var price: PriceClass
    /// The number of requests that wait for a call of the block.
    var waitingCount: Int
  }

  /// A write of the ledger, and the calls that it adds to blocks once it is done.
  struct PendingWrite: Sendable {
    var transaction: LedgerAmounts
    /// The calls to add to each block, and the refusal of further calls.
    var newCalls: [BlockKey: SpendingTotals.Allowance]
    /// The number of requests that waited when the write began.
    var waitingCount: Int
  }

  var totals: SpendingTotals
  private var blocks: [BlockKey: PrepaidBlock] = [:]
  /// The amounts that the next write adds to the ledger.
  private var pending = LedgerAmounts()
  /// The ids of reservations that have not been settled.
  private var unsettledIDs: Set<UInt64> = []
  /// The id of the next reservation. When the ledger is read again, the numbers continue, so that no id is reused.
  private(set) var nextID: UInt64
  /// The id of the first reservation under the current limits.
  private var firstIDUnderLimits: UInt64 = 0
  /// The number of calls in a full block.
  let blockSize: Int
  /// A block gets at most 1/`blockDivisor` of the remaining calls.
  static let blockDivisor = 16
  /// Seconds after which an unused block is returned.
  static let idleSeconds = 600.0

  init(_ totals: SpendingTotals, blockSize: Int, firstID: UInt64 = 1) {
    self.totals = totals
    nextID = firstID
    self.blockSize = max(1, blockSize)
  }

  var isQuiet: Bool { blocks.isEmpty && pending.isEmpty }

  // MARK: Reserving and settling

  /// Takes one call from its block; nil if the block is empty. `needsRefill` is true if fewer than half of the block's calls remain. Then
  /// the block should be refilled in the background.
  mutating func reserve(_ key: BlockKey, price: PriceClass, now: Double, wall: Double) -> (reservation: Reservation, needsRefill: Bool)? {
    totals.advance(to: wall)
    guard var block = blocks[key], block.day == totals.day, block.price == price, block.remainingCalls > 0 else { return nil }
    let isFree = block.freeCalls > 0
    if isFree { block.freeCalls -= 1 } else { block.paidCalls -= 1 }
    block.lastUsed = now
    block.refillPrice = block.remainingCalls < (blockSize + 1) / 2 ? price : nil
    blocks[key] = block
    let reservation = Reservation(id: newID(), key: ledgerKey(key, block.day), micros: isFree ? 0 : price.micros)
    unsettledIDs.insert(reservation.id)
    return (reservation, block.refillPrice != nil)
  }

  /// Marks a block for filling before its first call. Returns true if a write must fill it; false if a block of today exists already.
  mutating func reserveAhead(_ key: BlockKey, price: PriceClass, now: Double, wall: Double) -> Bool {
    totals.advance(to: wall)
    if let block = blocks[key], block.day == totals.day, block.price == price { return false }
    // The write that fills the new block returns the calls of the old one.
    if blocks[key] == nil { blocks[key] = PrepaidBlock(day: totals.day, price: price, lastUsed: now) }
    blocks[key]?.refillPrice = price
    return true
  }

  /// Returns an id for a reservation that is counted elsewhere.
  mutating func newID() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }

  /// Settles a request. If it was not sent, its call is returned to its block. If the block is of another day, or was filled
  /// under other limits, the call is removed from the ledger instead.
  mutating func settle(_ reservation: Reservation, wasSent: Bool) {
    guard unsettledIDs.remove(reservation.id) != nil else { return }
    let amount = Spending(calls: 1, micros: reservation.micros)
    guard !wasSent else { return record(LedgerChange(reserved: -amount, spent: amount), for: reservation.key) }
    let key = BlockKey(provider: reservation.key.provider, user: reservation.key.user, priceClass: reservation.key.priceClass)
    guard let block = blocks[key], block.day == reservation.key.day, reservation.id >= firstIDUnderLimits,
      reservation.micros == 0 || reservation.micros == block.price.micros
    else { return record(LedgerChange(reserved: -amount), for: reservation.key) }
    if reservation.micros == 0 { blocks[key]?.freeCalls += 1 } else { blocks[key]?.paidCalls += 1 }
  }

  /// Settles the calls of an ended session. All of them were sent, but they cost only `billedMicros` in total. The difference is subtracted
  /// from the latest calls first.
  mutating func settle(session reservations: [Reservation], billedMicros: Int) {
    let settled = reservations.filter { $0.id != 0 && !unsettledIDs.contains($0.id) }
    var unbilledMicros = settled.reduce(0) { $0.saturatingAdding($1.micros) }.saturatingSubtracting(max(0, billedMicros))
    for reservation in settled.reversed() where unbilledMicros > 0 && reservation.micros > 0 {
      let (key, amount) = (reservation.key, Spending(micros: min(unbilledMicros, reservation.micros)))
      unbilledMicros -= amount.micros
      record(LedgerChange(spent: -amount), for: key)
      recordSaving(amount, SavingKey(provider: key.provider, user: key.user, day: key.day, cause: .sessions))
    }
  }

  mutating func recordSaving(_ amount: Spending, _ key: SavingKey) {
    totals.savings[key, default: .zero] += amount
    pending.savings[key, default: .zero] += amount
  }

  mutating func record(_ change: LedgerChange, for key: LedgerKey) {
    totals.add(change, to: key)
    pending.entries[key, default: LedgerChange()] += change
    if pending.entries[key]?.isZero == true { pending.entries[key] = nil }
  }

  private func ledgerKey(_ key: BlockKey, _ day: Day) -> LedgerKey {
    LedgerKey(provider: key.provider, user: key.user, priceClass: key.priceClass, day: day)
  }

  // MARK: Writing

  /// Begins a write of all pending changes: settlements, calls returned from idle blocks, and new calls for waiting requests and for blocks
  /// that are nearly empty. The totals include the new calls from now on.
  mutating func beginWrite(
    _ waitingDemands: [BlockKey: Demand], limits: (String) -> BudgetLimits, userLimits: UserLimits, now: Double, wall: Double
  ) -> PendingWrite {
    totals.advance(to: wall)
    let today = totals.day
    var demands = waitingDemands
    for (key, block) in blocks where demands[key] == nil {
      demands[key] = block.refillPrice.map { Demand(price: $0, waitingCount: 0) }
    }
    returnBlocks { key, block in
      block.day != today || now - block.lastUsed >= Self.idleSeconds || demands[key].map { $0.price != block.price } ?? false
    }
    func allowance(_ count: Int, _ key: BlockKey, _ demand: Demand) -> SpendingTotals.Allowance {
      totals.allowance(
        count, of: demand.price, provider: key.provider, user: key.user, limits: limits(key.provider), userLimits: userLimits)
    }
    var newCalls: [BlockKey: SpendingTotals.Allowance] = [:]
    // Waiting requests get their calls first. Then blocks are filled, but only with a small share of the remaining calls, because prepaid
    // calls count as spent after a crash.
    for isPrepaying in [false, true] {
      for (key, demand) in demands {
        let refill = isPrepaying ? allowance(blockSize * Self.blockDivisor, key, demand).calls / Self.blockDivisor : 0
        let count = demand.waitingCount + refill - (blocks[key]?.remainingCalls ?? 0) - (newCalls[key]?.calls ?? 0)
        guard count > 0 else { continue }
        var allowed = allowance(count, key, demand)
        if allowed.calls < count, !isPrepaying {
          // Before a request is refused, the blocks for which no request waits are returned.
          returnBlocks { other, _ in demands[other].map { $0.waitingCount == 0 } ?? true }
          allowed = allowance(count, key, demand)
        }
        newCalls[key, default: SpendingTotals.Allowance()].add(allowed)
        let amount = Spending(calls: allowed.calls, micros: allowed.paidCalls.saturatingMultiplied(by: demand.price.micros))
        if allowed.calls > 0 { record(LedgerChange(reserved: amount), for: ledgerKey(key, today)) }
      }
    }
    for (key, demand) in demands {
      blocks[key]?.refillPrice = nil
      if blocks[key].map({ $0.remainingCalls == 0 }) ?? true { blocks[key] = PrepaidBlock(day: today, price: demand.price, lastUsed: now) }
    }
    return PendingWrite(
      transaction: takeTransaction(wall), newCalls: newCalls, waitingCount: waitingDemands.values.reduce(0) { $0 + $1.waitingCount })
  }

  private mutating func takeTransaction(_ wall: Double, dayStart: Double? = nil) -> LedgerAmounts {
    defer { pending = LedgerAmounts() }
    return LedgerAmounts(entries: pending.entries, savings: pending.savings, latestTime: wall, dayStart: dayStart)
  }

  /// Completes a write, so that its calls may be reserved. Removes empty blocks.
  mutating func complete(_ write: PendingWrite) {
    for (key, allowance) in write.newCalls {
      blocks[key]?.freeCalls += allowance.freeCalls
      blocks[key]?.paidCalls += allowance.paidCalls
    }
    blocks = blocks.filter { $0.value.remainingCalls > 0 || $0.value.refillPrice != nil }
  }

  /// Cancels a write that failed, and subtracts its calls from the totals.
  mutating func cancel(_ write: PendingWrite) {
    for (key, allowance) in write.newCalls where allowance.calls > 0 {
      let micros = allowance.paidCalls.saturatingMultiplied(by: blocks[key]?.price.micros ?? 0)
      record(LedgerChange(reserved: -Spending(calls: allowance.calls, micros: micros)), for: ledgerKey(key, totals.day))
    }
  }

  /// Applies changed limits. All calls in blocks were reserved under the old limits, so the next write returns them to the budget.
  mutating func applyNewLimits() {
    firstIDUnderLimits = nextID
    returnBlocks { _, _ in true }
  }

  /// The last transaction, which returns the calls of every block.
  mutating func lastTransaction(wall: Double, dayStart: Double) -> LedgerAmounts {
    returnBlocks { _, _ in true }
    return takeTransaction(wall, dayStart: dayStart)
  }

  /// The reason why no user can make a call of any of these classes; nil if a call is possible or prepaid.
  func exhaustion(of provider: String, _ prices: [PriceClass], limits: BudgetLimits) -> BudgetRefusal? {
    guard !blocks.contains(where: { $0.key.provider == provider && $0.value.day == totals.day && $0.value.remainingCalls > 0 }) else {
      return nil
    }
    var withoutShares = limits
    withoutShares.userShare = 1
    var refusal: BudgetRefusal?
    for price in prices {
      let allowance = totals.allowance(1, of: price, provider: provider, user: 0, limits: withoutShares, userLimits: UserLimits())
      guard allowance.calls == 0, let reason = allowance.refusal else { return nil }
      refusal = refusal ?? reason
    }
    return refusal
  }

  /// Empties blocks. The next write returns their calls to the budget, and `complete` removes the empty blocks. They remain until then,
  /// because a write in progress may fill them.
  private mutating func returnBlocks(where mustReturn: (BlockKey, PrepaidBlock) -> Bool) {
    for (key, block) in blocks where block.remainingCalls > 0 && mustReturn(key, block) {
      let amount = Spending(calls: block.remainingCalls, micros: block.paidCalls.saturatingMultiplied(by: block.price.micros))
      record(LedgerChange(reserved: -amount), for: ledgerKey(key, block.day))
      blocks[key]?.freeCalls = 0
      blocks[key]?.paidCalls = 0
    }
  }
}
