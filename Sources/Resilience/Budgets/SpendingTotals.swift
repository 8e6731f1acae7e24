import PlacesKit

/// The reserved and spent amounts of this month, with a sum for each scope that a limit can have.
struct SpendingTotals: Sendable {
  /// A group of calls that are summed: the calls of one provider, one user and one price class in one period. Nil stands for all providers,
  /// all users or all price classes.
  struct Scope: Sendable, Hashable {
    enum Period: Sendable, Hashable {
      case day(Day)
      case month(Month)

      /// The end of the period, in seconds since 1970.
      var end: Double {
        switch self {
        case .day(let day): day.end
        case .month(let month): month.end
        }
      }
      var name: String {
        switch self {
        case .day: "today"
        case .month: "this month"
        }
      }
    }
    var provider: String?
    var user: UInt32?
    var priceClass: String?
    var period: Period
  }

  private var totals: [Scope: LedgerChange] = [:]
  var savings: [SavingKey: Spending] = [:]
  private(set) var day = Day(0)

  init(_ history: LedgerAmounts = LedgerAmounts()) {
    day = Day(wall: history.latestTime)
    savings = history.savings
    for (key, entry) in history.entries { add(entry, to: key) }
  }

  /// Advances to the day of a wall time, if that day is later than `day`, and drops the sums of earlier periods.
  mutating func advance(to wall: Double) {
    let today = Day(wall: wall)
    guard today > day else { return }
    day = today
    // The ledger has entries of later days if the clock was ahead and an administrator confirmed an earlier time.
    totals = totals.filter { $0.key.period.end > today.start }
    savings = savings.filter { $0.key.day.month == today.month }
  }

  /// Adds a change to the sum of each scope that contains the key.
  mutating func add(_ change: LedgerChange, to key: LedgerKey) {
    let (day, month) = (Scope.Period.day(key.day), Scope.Period.month(key.day.month))
    var scopes = [Scope(provider: key.provider, priceClass: key.priceClass, period: month)]
    for period in [day, month] {
      scopes += [Scope(provider: key.provider, period: period), Scope(provider: key.provider, user: key.user, period: period)]
    }
    if !key.priceClass.isEmpty { scopes.append(Scope(user: key.user, period: day)) }
    for scope in scopes { totals[scope, default: LedgerChange()] += change }
  }

  func total(_ scope: Scope) -> LedgerChange { totals[scope] ?? LedgerChange() }

  /// The remaining free calls of a class this month.
  func remainingFreeCalls(of price: PriceClass, provider: String) -> Int {
    let usedCount = total(Scope(provider: provider, priceClass: price.name, period: .month(day.month))).committed.calls
    return max(0, price.freePerMonth.saturatingAdding(-max(0, usedCount)))
  }

  /// The reason why the limits allow no further call of a class today; nil if they allow one. If several limits are used up, the reason is
  /// the limit that is reset last.
  func refusal(
    of price: PriceClass, provider: String, user: UInt32, limits: BudgetLimits, userLimits: UserLimits
  ) -> BudgetRefusal? {
    let isFree = price.micros == 0 || remainingFreeCalls(of: price, provider: provider) > 0
    let allCaps = caps(provider: provider, user: user, isPaid: !price.name.isEmpty, limits: limits, userLimits: userLimits)
    let usedUpCaps = allCaps.filter { cap in
      let committed = total(cap.scope).committed
      guard cap.isMoney else { return committed.calls >= cap.limit }
      return !isFree && committed.micros.saturatingAdding(price.micros) > cap.limit
    }
    return usedUpCaps.max { $0.end < $1.end }?.refusal
  }

  /// A limit on the calls of one scope.
  private struct Cap {
    var scope: Scope
    var limit: Int
    /// True for a limit of money, false for a limit of calls.
    var isMoney: Bool
    var reason: BudgetRefusal.Reason
    var name: String

    /// When the limit is reset, in seconds since 1970. A limit of 0 is never reset.
    var end: Double { limit > 0 ? scope.period.end : .infinity }
    var refusal: BudgetRefusal {
      limit > 0
        ? BudgetRefusal(reason, "\(name) is used up \(scope.period.name)", resumesAt: end)
        : BudgetRefusal(reason, "\(name) is 0" + (isMoney ? ", and no free call is left" : ""))
    }
  }

  /// The limits that apply to a call of a user.
  /// - Parameter isPaid: true if the call has a price, even if it is within a monthly free allowance.
  private func caps(provider: String, user: UInt32, isPaid: Bool, limits: BudgetLimits, userLimits: UserLimits) -> [Cap] {
    var caps: [Cap] = []
    func add(_ limit: Int?, _ scope: Scope, isMoney: Bool, _ reason: BudgetRefusal.Reason, _ name: String) {
      if let limit { caps.append(Cap(scope: scope, limit: limit, isMoney: isMoney, reason: reason, name: name)) }
    }
    func share(_ limit: Int?) -> Int? { limits.userShare < 1 ? limit.map(limits.share(of:)) : nil }
    for (period, calls, micros) in [
      (Scope.Period.day(day), limits.callsPerDay, limits.microsPerDay), (.month(day.month), limits.callsPerMonth, limits.microsPerMonth),
    ] {
      let everybody = Scope(provider: provider, period: period)
      let thisUser = Scope(provider: provider, user: user, period: period)
      add(calls, everybody, isMoney: false, .calls, "the budget of calls for \(provider)")
      add(share(calls), thisUser, isMoney: false, .shareOfCalls, "your share of the budget of calls for \(provider)")
      add(micros, everybody, isMoney: true, .money, "the budget of money for \(provider)")
      add(share(micros), thisUser, isMoney: true, .shareOfMoney, "your share of the budget of money for \(provider)")
    }
    guard isPaid else { return caps }
    let userToday = Scope(user: user, period: .day(day))
    add(userLimits.paidCallsPerDay, userToday, isMoney: false, .userCalls, "your quota of paid calls")
    add(userLimits.microsPerDay, userToday, isMoney: true, .userMoney, "your quota of money")
    return caps
  }
}
