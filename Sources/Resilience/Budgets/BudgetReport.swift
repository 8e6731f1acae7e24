/// The figures of one provider in the reply to `budget.get`.
public struct BudgetReport: Sendable, Hashable {
  /// One period's figures.
  public struct Period: Sendable, Hashable {
    /// Nil for no limit.
    public var limitCalls: Int?
    /// In millionths of the currency's unit; nil for no limit.
    public var limitMicros: Int?
    public var reserved: Spending
    public var spent: Spending
    /// Seconds since 1970 at which the period ends.
    public var endsAt: Double
  }

  public var provider: String
  /// The user whose calls are reported; nil for all users together.
  public var user: UInt32?
  /// The share of each limit that the user may use; nil if the user may use the whole limit, and for all users together.
  public var userShare: Double?
  public var day: Period
  public var month: Period
  /// Savings of this month, by cause.
  public var saved: [SavingKey.Cause: Spending]

  init(provider: String, user: UInt32?, totals: SpendingTotals, limits: BudgetLimits) {
    self.provider = provider
    self.user = user
    if user != nil, limits.userShare < 1 { userShare = limits.userShare }
    func period(_ period: SpendingTotals.Scope.Period, _ calls: Int?, _ micros: Int?) -> Period {
      let total = totals.total(SpendingTotals.Scope(provider: provider, user: user, period: period))
      let share: (Int) -> Int = { user == nil ? $0 : limits.share(of: $0) }
      return Period(
        limitCalls: calls.map(share), limitMicros: micros.map(share), reserved: total.reserved, spent: total.spent,
        endsAt: period.end)
    }
    day = period(.day(totals.day), limits.callsPerDay, limits.microsPerDay)
    month = period(.month(totals.day.month), limits.callsPerMonth, limits.microsPerMonth)
    saved = totals.savings.reduce(into: [:]) { saved, entry in
      guard entry.key.provider == provider, user == nil || entry.key.user == user else { return }
      saved[entry.key.cause, default: .zero] += entry.value
    }
  }
}
