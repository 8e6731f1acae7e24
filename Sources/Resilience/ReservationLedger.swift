import PlacesKit

/// The budgets' bookkeeping as a value: purses of prepaid calls, what is to be written next, and what the limits allow. A call is
/// paid from a purse; a purse is filled only by what the ledger has written. So at any time
/// limit ≥ written in the ledger ≥ calls handed out.
struct ReservationLedger: Sendable {
  struct PrepaidBlockKey: Sendable, Hashable {
    var provider: String
    var user: UInt32
    var priceClass: String
  }

  /// Calls that the ledger has down as reserved and that nobody has taken yet.
  private struct PrepaidBlock: Sendable {
    var day: Day
    var price: PriceClass
    var free = 0
    var paid = 0
    var lastUsed: Double
    /// What calls cost that it should be filled with; nil where it holds enough.
    var wanted: PriceClass?
    var left: Int { free + paid }
  }

  /// What one turn of the ledger brings, once it is written.
  struct Turn: Sendable {
    var page: LedgerPage
    var blocks: [PrepaidBlockKey: Accounts.Allowance]
    /// How many callers of each purse the blocks were meant for.
    var waiting: [PrepaidBlockKey: Int]
  }

  private(set) var accounts: Accounts
  private var purses: [PrepaidBlockKey: PrepaidBlock] = [:]
  private var changes: [LedgerKey: LedgerChange] = [:]
  private var savings: [SavingKey: Spending] = [:]
  private var open: Set<UInt64> = []
  /// Goes on from one ledger to the next, so that an old charge is never taken for a new one.
  private(set) var nextID: UInt64
  /// The first charge under the limits that are in force.
  private var firstOfLimits: UInt64 = 0
  let block: Int
  /// No more than one of so many calls that are left is laid up in one purse: for each user and class of calls.
  static let reservedPart = 16
  let idleSeconds: Double

  /// Purses hold about `block` calls, and give them back when nobody asked for `idleSeconds`.
  init(_ history: LedgerHistory, block: Int, idleSeconds: Double, firstID: UInt64 = 1) {
    accounts = Accounts(history)
    nextID = firstID
    self.block = max(1, block)
    self.idleSeconds = idleSeconds
  }

  /// Whether nothing is held and nothing is to be written.
  var isQuiet: Bool { purses.isEmpty && changes.isEmpty && savings.isEmpty }

  // MARK: Calls

  /// Takes one call from its purse; nil where the purse is empty. `wantsMore` tells that it should be filled in the background.
  mutating func draw(_ key: PrepaidBlockKey, price: PriceClass, now: Double, wall: Double) -> (charge: Reservation, wantsMore: Bool)? {
    accounts.advance(to: wall)
    guard var prepaid = purses[key], prepaid.day == accounts.day, prepaid.price == price, prepaid.left > 0 else { return nil }
    let isFree = prepaid.free > 0
    if isFree { prepaid.free -= 1 } else { prepaid.paid -= 1 }
    prepaid.lastUsed = now
    prepaid.wanted = prepaid.left < (block + 1) / 2 ? price : nil
    purses[key] = prepaid
    let charge = Reservation(id: nextID, key: ledgerKey(key, prepaid.day), micros: isFree ? 0 : price.micros)
    nextID += 1
    open.insert(charge.id)
    return (charge, prepaid.wanted != nil)
  }

  /// Marks a purse as wanted before its first call; false where there is one of today already.
  mutating func reserveAhead(_ key: PrepaidBlockKey, price: PriceClass, now: Double, wall: Double) -> Bool {
    accounts.advance(to: wall)
    if let prepaid = purses[key], prepaid.day == accounts.day, prepaid.price == price { return false }
    // What an old purse holds is given back in the turn that fills the new one.
    if purses[key] == nil { purses[key] = PrepaidBlock(day: accounts.day, price: price, lastUsed: now) }
    purses[key]?.wanted = price
    return true
  }

  mutating func advance(to wall: Double) { accounts.advance(to: wall) }

  /// An id for a charge that is counted elsewhere.
  mutating func newID() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }

  /// A request was sent, or not. One that was not goes back into its prepaid block, or out of the ledger if that block is another day's.
  mutating func settle(_ charge: Reservation, _ outcome: Reservation.Outcome) {
    guard open.remove(charge.id) != nil else { return }
    let amount = Spending(calls: 1, micros: charge.micros)
    switch outcome {
    case .sent: note(LedgerChange(reserved: -amount, spent: amount), for: charge.key)
    case .unsent: if !returnToBlock(charge) { note(LedgerChange(reserved: -amount), for: charge.key) }
    }
  }

  /// Puts a call back into its prepaid block; false if the block is another day's or was filled under other limits.
  private mutating func returnToBlock(_ charge: Reservation) -> Bool {
    let key = PrepaidBlockKey(provider: charge.key.provider, user: charge.key.user, priceClass: charge.key.priceClass)
    guard var prepaid = purses[key], prepaid.day == charge.key.day, charge.micros == 0 || charge.micros == prepaid.price.micros else {
      return false
    }
    guard charge.id >= firstOfLimits else { return false }
    if charge.micros == 0 { prepaid.free += 1 } else { prepaid.paid += 1 }
    purses[key] = prepaid
    return true
  }

  /// A session's ending decided that its calls, all sent, cost only `billedMicros` together: the rest comes back, the latest calls' first.
  mutating func settle(session reservations: [Reservation], billedMicros: Int) {
    let settled = reservations.filter { $0.id != 0 && !open.contains($0.id) }
    var rest = settled.reduce(0) { $0.saturatingAdding($1.micros) }.saturatingSubtracting(max(0, billedMicros))
    for charge in settled.reversed() where rest > 0 && charge.micros > 0 {
      let amount = Spending(micros: min(rest, charge.micros))
      rest -= amount.micros
      note(LedgerChange(spent: -amount), for: charge.key)
      recordSaving(amount, SavingKey(provider: charge.key.provider, user: charge.key.user, day: charge.key.day, cause: .sessions))
    }
  }

  mutating func recordSaving(_ amount: Spending, _ key: SavingKey) {
    accounts.savings[key, default: .zero] += amount
    savings[key, default: .zero] += amount
  }

  mutating func note(_ change: LedgerChange, for key: LedgerKey) {
    accounts.add(change, to: key)
    changes[key, default: LedgerChange()] += change
    if changes[key]?.isZero == true { changes[key] = nil }
  }

  private func ledgerKey(_ key: PrepaidBlockKey, _ day: Day) -> LedgerKey {
    LedgerKey(provider: key.provider, user: key.user, priceClass: key.priceClass, day: day)
  }

  // MARK: Turns of the ledger

  /// What a caller waits for.
  struct Demand: Sendable {
    var price: PriceClass
    var waiting: Int
  }

  /// All that the ledger should write now: what was settled, what idle purses give back, and new blocks for those who wait and for
  /// purses that run low. The blocks count in the accounts from here on.
  mutating func turn(
    _ demands: [PrepaidBlockKey: Demand], limits: (String) -> BudgetLimits, userLimits: UserLimits, now: Double, wall: Double
  ) -> Turn {
    accounts.advance(to: wall)
    let today = accounts.day
    let idle = idleSeconds
    var wanted = demands
    for (key, prepaid) in purses where wanted[key] == nil { wanted[key] = prepaid.wanted.map { Demand(price: $0, waiting: 0) } }
    emptyPurses { key, prepaid in
      prepaid.day != today || now - prepaid.lastUsed >= idle || wanted[key].map { $0.price != prepaid.price } ?? false
    }
    var blocks: [PrepaidBlockKey: Accounts.Allowance] = [:]
    // First those who wait, then what is laid up for later.
    for isReserve in [false, true] {
      for (key, demand) in wanted {
        let rest = isReserve ? reserve(for: key, demand, limits, userLimits) : 0
        let count = demand.waiting + rest - (purses[key]?.left ?? 0) - (blocks[key]?.calls ?? 0)
        guard count > 0 else { continue }
        var allowance = allow(count, key, demand, limits, userLimits)
        if allowance.calls < count, !isReserve {
          // Before anybody is refused, what lies idle in other purses is put back.
          emptyPurses { other, _ in wanted[other].map { $0.waiting == 0 } ?? true }
          allowance = allow(count, key, demand, limits, userLimits)
        }
        blocks[key] = (blocks[key] ?? Accounts.Allowance(free: 0, paid: 0)).adding(allowance)
        let amount = Spending(calls: allowance.calls, micros: allowance.paid.saturatingMultiplied(by: demand.price.micros))
        if allowance.calls > 0 { note(LedgerChange(reserved: amount), for: ledgerKey(key, today)) }
      }
    }
    for (key, demand) in wanted {
      purses[key]?.wanted = nil
      if purses[key].map({ $0.left == 0 }) ?? true { purses[key] = PrepaidBlock(day: today, price: demand.price, lastUsed: now) }
    }
    let page = LedgerPage(changes: changes, savings: savings, latest: wall)
    changes = [:]
    savings = [:]
    return Turn(page: page, blocks: blocks, waiting: demands.mapValues(\.waiting))
  }

  /// The turn is written: its blocks may be spent.
  mutating func complete(_ turn: Turn) {
    for (key, block) in turn.blocks {
      purses[key]?.free += block.free
      purses[key]?.paid += block.paid
    }
    purses = purses.filter { $0.value.left > 0 || $0.value.wanted != nil }
  }

  /// The turn could not be written: its blocks are no one's.
  mutating func takeBack(_ turn: Turn) {
    for (key, block) in turn.blocks where block.calls > 0 {
      let micros = block.paid.saturatingMultiplied(by: purses[key]?.price.micros ?? 0)
      note(LedgerChange(reserved: -Spending(calls: block.calls, micros: micros)), for: ledgerKey(key, accounts.day))
    }
  }

  /// Other limits are in force: what purses hold was set aside under the old ones, and is given back with the next page.
  mutating func giveBack() {
    firstOfLimits = nextID
    for (key, prepaid) in purses where prepaid.left > 0 {
      noteGivenBack(prepaid, of: key)
      // It stays, empty: a page that is being written may fill it, and is given back after that.
      purses[key]?.free = 0
      purses[key]?.paid = 0
    }
  }

  /// Gives back what every purse holds, as at the end of the daemon's life.
  mutating func closing(wall: Double) -> LedgerPage {
    emptyPurses { _, _ in true }
    return LedgerPage(changes: changes, savings: savings, latest: wall)
  }

  /// How many calls are laid up in a purse: a small part of what is left, since all of them count as spent after a crash.
  private func reserve(
    for key: PrepaidBlockKey, _ demand: Demand, _ limits: (String) -> BudgetLimits, _ userLimits: UserLimits
  ) -> Int {
    allow(block * ReservationLedger.reservedPart, key, demand, limits, userLimits).calls / ReservationLedger.reservedPart
  }

  /// Why no call of any of these classes can be made, whoever asks; nil where one can, or where one lies in a purse.
  func exhaustion(of provider: String, _ prices: [PriceClass], limits: BudgetLimits) -> BudgetRefusal? {
    guard !purses.contains(where: { $0.key.provider == provider && $0.value.day == accounts.day && $0.value.left > 0 }) else { return nil }
    var whole = limits
    whole.userShare = 1
    var refusal: BudgetRefusal?
    for price in prices {
      let allowance = accounts.allowance(1, of: price, provider: provider, user: 0, limits: whole, userLimits: UserLimits())
      guard allowance.calls == 0, let reason = allowance.refusal else { return nil }
      refusal = refusal ?? reason
    }
    return refusal
  }

  private func allow(
    _ count: Int, _ key: PrepaidBlockKey, _ demand: Demand, _ limits: (String) -> BudgetLimits, _ userLimits: UserLimits
  ) -> Accounts.Allowance {
    accounts.allowance(
      count, of: demand.price, provider: key.provider, user: key.user, limits: limits(key.provider), userLimits: userLimits)
  }

  private mutating func emptyPurses(where isDone: (PrepaidBlockKey, PrepaidBlock) -> Bool) {
    for (key, prepaid) in purses where prepaid.left > 0 && isDone(key, prepaid) {
      noteGivenBack(prepaid, of: key)
      purses[key] = nil
    }
  }

  private mutating func noteGivenBack(_ prepaid: PrepaidBlock, of key: PrepaidBlockKey) {
    let amount = Spending(calls: prepaid.left, micros: prepaid.paid.saturatingMultiplied(by: prepaid.price.micros))
    note(LedgerChange(reserved: -amount), for: ledgerKey(key, prepaid.day))
  }
}
