/// `[providers.ID.budget]`: the limits of a provider's cost; nil for no limit.
public struct Budget: Sendable, Hashable {
  public var callsPerDay: Int?
  public var callsPerMonth: Int?
  /// Millionths of the currency's unit.
  public var moneyPerDay: Int?
  /// Millionths of the currency's unit.
  public var moneyPerMonth: Int?
  /// The share of each limit that one user may use, from 0 to 1. If the file does not set it, the loader sets 0.25 in the system's
  /// daemon and 1 in a user's own daemon.
  public var userShare: Double?

  public init() {}

  static var keys: [KeyDefinition<Budget>] {
    [
      KeyDefinition(optional: "calls_per_day", \.callsPerDay, .integer(0...1_000_000_000), "Maximum number of calls per day."),
      KeyDefinition(
        optional: "calls_per_month", \.callsPerMonth, .integer(0...1_000_000_000), "Maximum number of calls per calendar month."),
      KeyDefinition(optional: "money_per_day", \.moneyPerDay, .money, "Maximum amount per day."),
      KeyDefinition(optional: "money_per_month", \.moneyPerMonth, .money, "Maximum amount per calendar month."),
      KeyDefinition(
        optional: "user_share", \.userShare, .number(0...1),
        "The share of each limit that one user may use; by default 0.25 in the system's daemon and 1 in a user's own daemon."),
    ]
  }
}
