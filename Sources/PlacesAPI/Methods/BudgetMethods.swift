import PlacesKit

/// `budget.get`: spending and savings.
public enum BudgetGet: Method {
  public static let name = "budget.get"
  public static let summary = "Returns what the caller spent, reserved and saved, by provider, for today and this month."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record("Accounts", "What was spent and saved.", [.always("providers", .list(.account), "The account of each provider.")]))
  public static let schema = ShareParameters.schema

  public struct Result: MethodResult, Hashable {
    public var providers: [BudgetRow]
    public init(providers: [BudgetRow]) { self.providers = providers }
  }
}

/// One provider's account.
public struct BudgetRow: Sendable, Hashable, Codable {
  /// The ISO 4217 code for no currency.
  public static let unknownCurrency = "XXX"

  public var provider: String
  /// The currency, as an ISO 4217 code; `unknownCurrency` if the provider does not run and its configuration names no currency.
  public var currency: String
  /// The limits in `day` and `month` as a share of the configured limits, 0…1; nil if they are the configured limits.
  public var userShare: Double?
  public var day: Window
  public var month: Window
  public var savedByCache: Amount
  public var savedBySessions: Amount
  public var savedByCoalescing: Amount
  /// True if calls are not counted, because they cost nothing and have no limit; otherwise nil.
  public var uncounted: Bool?
  /// The reason why paid calls require `budget.confirm`, such as a clock that was set back; nil if they do not.
  public var needsConfirmation: String?
  /// The reason why paid calls are off while the ledger cannot be read or written, such as a full disk; nil if it can.
  public var unavailable: String?

  /// A number of calls, and an amount of money in millionths of the currency's unit.
  public struct Amount: Sendable, Hashable, Codable {
    public var calls: Int
    public var micros: Int

    public init(calls: Int = 0, micros: Int = 0) {
      self.calls = calls
      self.micros = micros
    }
  }

  /// One day or month.
  public struct Window: Sendable, Hashable, Codable {
    public var spent: Amount
    /// Reserved for calls that are in progress or may follow soon; after a crash it counts as spent.
    public var reserved: Amount
    public var callLimit: Int?
    public var microsLimit: Int?
    /// The time at which the window ends; RFC 3339, UTC.
    public var endsAt: String

    public init(spent: Amount, reserved: Amount, callLimit: Int? = nil, microsLimit: Int? = nil, endsAt: String) {
      self.spent = spent
      self.reserved = reserved
      self.callLimit = callLimit
      self.microsLimit = microsLimit
      self.endsAt = endsAt
    }
  }

  public init(
    provider: String, currency: String, day: Window, month: Window, savedByCache: Amount = Amount(), savedBySessions: Amount = Amount(),
    savedByCoalescing: Amount = Amount(), uncounted: Bool? = nil, needsConfirmation: String? = nil, unavailable: String? = nil
  ) {
    self.provider = provider
    self.currency = currency
    self.day = day
    self.month = month
    self.savedByCache = savedByCache
    self.savedBySessions = savedBySessions
    self.savedByCoalescing = savedByCoalescing
    self.uncounted = uncounted
    self.needsConfirmation = needsConfirmation
    self.unavailable = unavailable
  }
}

/// `budget.confirm`: an administrator accepts an account that the daemon does not trust by itself.
public enum BudgetConfirm: Method {
  public static let name = "budget.confirm"
  public static let summary = "Allows paid calls again if the record of past spending is in doubt."
  public static let access = Access.administrator
  public static let reply = Shape.record(
    Record("ConfirmedAccount", "An account after it was confirmed.", [.always("provider", .account, "The account.")]))
  public static let schema = ProviderParameters.schema

  public struct Result: MethodResult, Hashable {
    public var provider: BudgetRow
    public init(provider: BudgetRow) { self.provider = provider }
  }
}
