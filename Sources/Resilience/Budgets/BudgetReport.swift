/// The figures of one provider in the reply to `budget.get`.
public struct BudgetReport: Sendable, Hashable {
  /// The figures of one day or one month.
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

  /// The share of each limit that the user may use; nil if the user may use the whole limit, or if the report is for all users.
  public var userShare: Double?
  public var day: Period
  public var month: Period
  /// Savings of this month, by cause.
  public var saved: [SavingKey.Cause: Spending]
}
