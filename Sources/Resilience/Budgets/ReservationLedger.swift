import PlacesKit

/// The accounting of all budgets, as a value: blocks of prepaid calls, pending changes of the ledger, and the limits. A call is taken from
/// a block, and a block contains only calls that the ledger has recorded, so that always limit ≥ recorded calls ≥ reservations made.
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
    var free = 0
    var paid = 0
    /// In monotonic seconds.
    var lastUsed: Double
    /// The price class to refill it with; nil if it contains enough calls.
    var wanted: PriceClass?
    var left: Int { free + paid }
  }

  /// The calls that waiting requests need of one block.
  struct Demand: Sendable {
    var price: PriceClass
    var waiting: Int
  }

  /// A write of the ledger, and the calls that it adds to blocks once it is done.
  struct PendingWrite: Sendable {
    var transaction: LedgerTransaction
    var blocks: [BlockKey: SpendingTotals.Allowance]
    /// The requests that waited for each block when the write began.
    var waiting: [BlockKey: Int]
  }

  private(set) var totals: SpendingTotals
  private var blocks: [BlockKey: PrepaidBlock] = [:]
  private var changes: [LedgerKey: LedgerChange] = [:]
  private var savings: [SavingKey: Spending] = [:]
  /// Reservations that have not been settled.
  private var open: Set<UInt64> = []
  /// Continues when the ledger is read again, so that ids are never reused.
  private(set) var nextID: UInt64
  /// The id of the first reservation under the current limits.
  private var firstUnderLimits: UInt64 = 0
  let block: Int
  /// A block gets at most this fraction (1/n) of the remaining calls.
  static let reservedPart = 16
  /// Seconds after which an unused block is returned.
  static let idleSeconds = 600.0

  /// Blocks hold about `block` calls.
  init(_ history: LedgerHistory, block: Int, firstID: UInt64 = 1) {
    totals = SpendingTotals(history)
    nextID = firstID
    self.block = max(1, block)
  }

  /// True if there are no blocks and no pending changes.
  var isQuiet: Bool { blocks.isEmpty && changes.isEmpty && savings.isEmpty }

  mutating func advance(to wall: Double) { totals.advance(to: wall) }

  // MARK: Reserving and settling

  /// Takes one call from its block; nil if the block is empty. `wantsMore` is true if the block should be filled in the background.
  mutating func reserve(_ key: BlockKey, price: PriceClass, now: Double, wall: Double) -> (reservation: Reservation, wantsMore: Bool)? {
    totals.advance(to: wall)
    guard var prepaid = blocks[key], prepaid.day == totals.day, prepaid.price == price, prepaid.left > 0 else { return nil }
    let isFree = prepaid.free > 0
    if isFree { prepaid.free -= 1 } else { prepaid.paid -= 1 }
    prepaid.lastUsed = now
    prepaid.wanted = prepaid.left < (block + 1) / 2 ? price : nil
    blocks[key] = prepaid
    let reservation = Reservation(id: newID(), key: ledgerKey(key, prepaid.day), micros: isFree ? 0 : price.micros)
    open.insert(reservation.id)
    return (reservation, prepaid.wanted != nil)
  }

  /// Requests that a block is filled before its first call. Returns false if a block of today exists.
  mutating func reserveAhead(_ key: BlockKey, price: PriceClass, now: Double, wall: Double) -> Bool {
    totals.advance(to: wall)
    if let prepaid = blocks[key], prepaid.day == totals.day, prepaid.price == price { return false }
    // The write that fills the new block returns the calls of the old one.
    if blocks[key] == nil { blocks[key] = PrepaidBlock(day: totals.day, price: price, lastUsed: now) }
    blocks[key]?.wanted = price
    return true
  }

  /// Returns an id for a reservation that is counted elsewhere.
  mutating func newID() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }

  /// Settles a request. If it was not sent, its call is returned to its block, or removed from the ledger if the block is of another day.
  mutating func settle(_ reservation: Reservation, _ outcome: Reservation.Outcome) {
    guard open.remove(reservation.id) != nil else { return }
    let amount = Spending(calls: 1, micros: reservation.micros)
    switch outcome {
    case .sent: note(LedgerChange(reserved: -amount, spent: amount), for: reservation.key)
    case .unsent: if !returnToBlock(reservation) { note(LedgerChange(reserved: -amount), for: reservation.key) }
    }
  }

  /// Returns false if the block is of another day or was filled under other limits.
  private mutating func returnToBlock(_ reservation: Reservation) -> Bool {
    let key = BlockKey(provider: reservation.key.provider, user: reservation.key.user, priceClass: reservation.key.priceClass)
    guard var prepaid = blocks[key], prepaid.day == reservation.key.day, reservation.id >= firstUnderLimits,
      reservation.micros == 0 || reservation.micros == prepaid.price.micros
    else { return false }
    if reservation.micros == 0 { prepaid.free += 1 } else { prepaid.paid += 1 }
    blocks[key] = prepaid
    return true
  }

  /// Settles the calls of an ended session, which were all sent and cost only `billedMicros` in total. The difference is subtracted from
  /// the latest calls first.
  mutating func settle(session reservations: [Reservation], billedMicros: Int) {
    let settled = reservations.filter { $0.id != 0 && !open.contains($0.id) }
    var rest = settled.reduce(0) { $0.saturatingAdding($1.micros) }.saturatingSubtracting(max(0, billedMicros))
    for reservation in settled.reversed() where rest > 0 && reservation.micros > 0 {
      let (key, amount) = (reservation.key, Spending(micros: min(rest, reservation.micros)))
      rest -= amount.micros
      note(LedgerChange(spent: -amount), for: key)
      recordSaving(amount, SavingKey(provider: key.provider, user: key.user, day: key.day, cause: .sessions))
    }
  }

  mutating func recordSaving(_ amount: Spending, _ key: SavingKey) {
    totals.savings[key, default: .zero] += amount
    savings[key, default: .zero] += amount
  }

  mutating func note(_ change: LedgerChange, for key: LedgerKey) {
    totals.add(change, to: key)
    changes[key, default: LedgerChange()] += change
    if changes[key]?.isZero == true { changes[key] = nil }
  }

  private func ledgerKey(_ key: BlockKey, _ day: Day) -> LedgerKey {
    LedgerKey(provider: key.provider, user: key.user, priceClass: key.priceClass, day: day)
  }

  // MARK: Writing

  /// Begins a write of everything pending: settlements, calls returned from idle blocks, and new calls for waiting requests and for blocks
  /// that run low. The totals include the new calls from now on.
  mutating func beginWrite(
    _ demands: [BlockKey: Demand], limits: (String) -> BudgetLimits, userLimits: UserLimits, now: Double, wall: Double
  ) -> PendingWrite {
    totals.advance(to: wall)
    let today = totals.day
    var wanted = demands
    for (key, prepaid) in blocks where wanted[key] == nil { wanted[key] = prepaid.wanted.map { Demand(price: $0, waiting: 0) } }
    returnBlocks { key, prepaid in
      prepaid.day != today || now - prepaid.lastUsed >= Self.idleSeconds || wanted[key].map { $0.price != prepaid.price } ?? false
    }
    func allowance(_ count: Int, _ key: BlockKey, _ demand: Demand) -> SpendingTotals.Allowance {
      totals.allowance(
        count, of: demand.price, provider: key.provider, user: key.user, limits: limits(key.provider), userLimits: userLimits)
    }
    var new: [BlockKey: SpendingTotals.Allowance] = [:]
    // First the calls for waiting requests, then prepaid calls: only a small part of the rest, since prepaid calls count as spent after a
    // crash.
    for isAhead in [false, true] {
      for (key, demand) in wanted {
        let ahead = isAhead ? allowance(block * Self.reservedPart, key, demand).calls / Self.reservedPart : 0
        let count = demand.waiting + ahead - (blocks[key]?.left ?? 0) - (new[key]?.calls ?? 0)
        guard count > 0 else { continue }
        var allowed = allowance(count, key, demand)
        if allowed.calls < count, !isAhead {
          // Before a request is refused, idle blocks are returned.
          returnBlocks { other, _ in wanted[other].map { $0.waiting == 0 } ?? true }
          allowed = allowance(count, key, demand)
        }
        new[key] = (new[key] ?? SpendingTotals.Allowance()) + allowed
        let amount = Spending(calls: allowed.calls, micros: allowed.paid.saturatingMultiplied(by: demand.price.micros))
        if allowed.calls > 0 { note(LedgerChange(reserved: amount), for: ledgerKey(key, today)) }
      }
    }
    for (key, demand) in wanted {
      blocks[key]?.wanted = nil
      if blocks[key].map({ $0.left == 0 }) ?? true { blocks[key] = PrepaidBlock(day: today, price: demand.price, lastUsed: now) }
    }
    return PendingWrite(transaction: takeTransaction(wall), blocks: new, waiting: demands.mapValues(\.waiting))
  }

  private mutating func takeTransaction(_ wall: Double) -> LedgerTransaction {
    defer { (changes, savings) = ([:], [:]) }
    return LedgerTransaction(changes: changes, savings: savings, latest: wall)
  }

  /// Completes a write: its calls may now be reserved.
  mutating func complete(_ write: PendingWrite) {
    for (key, block) in write.blocks {
      blocks[key]?.free += block.free
      blocks[key]?.paid += block.paid
    }
    blocks = blocks.filter { $0.value.left > 0 || $0.value.wanted != nil }
  }

  /// Cancels a write that failed: its calls may not be reserved.
  mutating func cancel(_ write: PendingWrite) {
    for (key, block) in write.blocks where block.calls > 0 {
      let micros = block.paid.saturatingMultiplied(by: blocks[key]?.price.micros ?? 0)
      note(LedgerChange(reserved: -Spending(calls: block.calls, micros: micros)), for: ledgerKey(key, totals.day))
    }
  }

  /// Applies changed limits: the next write returns the calls of all blocks, which were reserved under the old limits. Empty blocks remain,
  /// because a write in progress may fill them.
  mutating func applyNewLimits() {
    firstUnderLimits = nextID
    for (key, prepaid) in blocks where prepaid.left > 0 {
      noteReturn(prepaid, of: key)
      blocks[key]?.free = 0
      blocks[key]?.paid = 0
    }
  }

  /// The last transaction, which returns the calls of every block.
  mutating func lastTransaction(wall: Double) -> LedgerTransaction {
    returnBlocks { _, _ in true }
    return takeTransaction(wall)
  }

  /// The reason why no user can make a call of any of these classes; nil if a call is possible or prepaid.
  func exhaustion(of provider: String, _ prices: [PriceClass], limits: BudgetLimits) -> BudgetRefusal? {
    guard !blocks.contains(where: { $0.key.provider == provider && $0.value.day == totals.day && $0.value.left > 0 }) else { return nil }
    var whole = limits
    whole.userShare = 1
    var refusal: BudgetRefusal?
    for price in prices {
      let allowance = totals.allowance(1, of: price, provider: provider, user: 0, limits: whole, userLimits: UserLimits())
      guard allowance.calls == 0, let reason = allowance.refusal else { return nil }
      refusal = refusal ?? reason
    }
    return refusal
  }

  private mutating func returnBlocks(where isDone: (BlockKey, PrepaidBlock) -> Bool) {
    for (key, prepaid) in blocks where prepaid.left > 0 && isDone(key, prepaid) {
      noteReturn(prepaid, of: key)
      blocks[key] = nil
    }
  }

  private mutating func noteReturn(_ prepaid: PrepaidBlock, of key: BlockKey) {
    let amount = Spending(calls: prepaid.left, micros: prepaid.paid.saturatingMultiplied(by: prepaid.price.micros))
    note(LedgerChange(reserved: -amount), for: ledgerKey(key, prepaid.day))
  }
}
