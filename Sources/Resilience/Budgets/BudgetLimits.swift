/// The limits of a provider's cost; nil for no limit. Money is in millionths of the currency's unit.
public struct BudgetLimits: Sendable, Hashable, Codable {
  public var callsPerDay: Int?
  public var callsPerMonth: Int?
  public var microsPerDay: Int?
  public var microsPerMonth: Int?
  /// The share of each limit that one user may use, 0…1.
  public var userShare: Double

  public init(
    callsPerDay: Int? = nil, callsPerMonth: Int? = nil, microsPerDay: Int? = nil, microsPerMonth: Int? = nil, userShare: Double = 1
  ) {
    self.callsPerDay = callsPerDay
    self.callsPerMonth = callsPerMonth
    self.microsPerDay = microsPerDay
    self.microsPerMonth = microsPerMonth
    self.userShare = userShare
  }

  /// True if the number of calls is limited. Then free calls are counted too.
  public var limitsCalls: Bool { callsPerDay != nil || callsPerMonth != nil }

  /// One user's share of a limit, rounded down, but at least 1 if the share is not 0.
  func share(of limit: Int) -> Int {
    guard userShare < 1 else { return limit }
    guard userShare > 0 else { return 0 }
    return max(min(1, limit), Int(exactly: (Double(limit) * userShare).rounded(.down)) ?? limit)
  }
}

/// The limits of one user's cost per day over all providers; nil for no limit.
public struct UserLimits: Sendable, Hashable, Codable {
  /// Calls that have a price, including those within a monthly free allowance.
  public var paidCallsPerDay: Int?
  public var microsPerDay: Int?

  public init(paidCallsPerDay: Int? = nil, microsPerDay: Int? = nil) {
    self.paidCallsPerDay = paidCallsPerDay
    self.microsPerDay = microsPerDay
  }
}

/// The reason why the budget refuses a call.
public struct BudgetRefusal: Error, Sendable, Hashable {
  public enum Reason: String, Sendable, Hashable {
    /// The provider's budget of calls or of money is used up.
    case calls, money
    /// The calling user's share of the provider's budget of calls is used up.
    case shareOfCalls = "share_of_calls"
    /// The calling user's share of the provider's budget of money is used up.
    case shareOfMoney = "share_of_money"
    /// The calling user's own quota of paid calls over all providers is used up.
    case userCalls = "user_calls"
    /// The calling user's own quota of money over all providers is used up.
    case userMoney = "user_money"
    /// The ledger cannot be written.
    case ledger
    /// The ledger is new or damaged, and no administrator has confirmed it.
    case unconfirmed
    /// Too many calls wait for the ledger.
    case busy
    /// The call was cancelled.
    case cancelled

    /// True if the calling user's own quota is the reason.
    public var isUserQuota: Bool { self == .userCalls || self == .userMoney }
  }

  public var reason: Reason
  /// A sentence for people.
  public var message: String
  /// When the refusal ends, in seconds since 1970; nil if that is not known.
  public var resumesAt: Double?

  public init(_ reason: Reason, _ message: String, resumesAt: Double? = nil) {
    self.reason = reason
    self.message = message
    self.resumesAt = resumesAt
  }
}
