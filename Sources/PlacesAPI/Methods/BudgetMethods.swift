import PlacesKit

/// `budget.get`: spending, reservations and savings of each provider.
public enum BudgetGet: Method {
  public static let name = "budget.get"
  public static let summary = "Returns what the caller spent, reserved and saved, by provider, for today and this month."
  public static let access = Access.everybody
  public static let reply = Shape.record(
    Record("Accounts", "What was spent and saved.", [.required("providers", .list(.account), "The account of each provider.")]))
  public static let schema = ShareParameters.schema

  public struct Result: MethodResult, Hashable {
    public var providers: [BudgetRow]
    public init(providers: [BudgetRow]) { self.providers = providers }
  }
}

/// One provider's account.
public struct BudgetRow: Sendable, Hashable, Codable {
  /// The ISO 4217 code that stands for no currency.
  public static let unknownCurrency = "XXX"

  public var provider: String
  /// The currency, as an ISO 4217 code; `unknownCurrency` if the provider does not run and its configuration names no currency.
  public var currency: String
  /// The share of the configured limits that one user may use, 0…1. The limits in `day` and `month` are this share; nil if they are the
  /// configured limits.
  public var userShare: Double?
  public var day: Window
  public var month: Window
  /// What was saved this month because the answer was in the cache or in the session.
  public var savedByCache: Amount
  /// What was saved this month because the service does not bill some calls of a session.
  public var savedBySessions: Amount
  /// What was saved this month because several requests shared one call.
  public var savedByCoalescing: Amount
  /// True if calls are not counted, because they cost nothing and have no limit; otherwise nil.
  public var uncounted: Bool?
  /// The reason why paid calls wait for `budget.confirm`, such as a clock that was set back; nil if they do not wait.
  public var needsConfirmation: String?
  /// The reason why the ledger cannot be read or written, such as a full disk. Paid calls are disabled until it can. Nil if it can.
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

  /// The account of one day or one calendar month.
  public struct Window: Sendable, Hashable, Codable {
    public var spent: Amount
    /// The amount that is reserved for calls in progress and for calls that may follow soon. After a crash, it counts as spent.
    public var reserved: Amount
    /// The maximum number of calls; nil for no limit.
    public var callLimit: Int?
    /// The maximum amount, in millionths of the currency's unit; nil for no limit.
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

/// `budget.confirm`: an administrator allows paid calls again after the daemon stopped them because its record of past spending may be
/// wrong.
public enum BudgetConfirm: Method {
  public static let name = "budget.confirm"
  public static let summary =
    "Allows paid calls again if the record of past spending is in doubt. The provider may be any that costs money or has a limit of calls."
  public static let access = Access.administrator
  public static let reply = Shape.record(
    Record("ConfirmedAccount", "An account after it was confirmed.", [.required("provider", .account, "The account.")]))
  public static let schema = ProviderParameters.schema

  public struct Result: MethodResult, Hashable {
    public var provider: BudgetRow
    public init(provider: BudgetRow) { self.provider = provider }
  }
}
