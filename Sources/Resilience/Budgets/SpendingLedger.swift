import PlacesKit

/// The durable record of what was reserved and spent. It has one writer.
public protocol SpendingLedger: Sendable {
  /// Everything since the months of the latest budget time and of the wall time began; what an earlier run left reserved counts as spent.
  /// Throws if the ledger cannot be read or must be confirmed by an administrator first.
  func load() async throws(LedgerError) -> LedgerHistory

  /// What a ledger that must be confirmed would hold then; nil if it would begin empty or cannot be read before.
  func awaitingConfirmation() async -> LedgerHistory?

  /// Writes all of the transaction or nothing; returns when it would survive a loss of power. After an error only `load` shows what is in it.
  func write(_ transaction: LedgerTransaction) async throws(LedgerError)
}

/// Why a ledger cannot be relied on now.
public enum LedgerError: Error, Sendable, Hashable {
  /// It could not be read or written, and may hold the transaction all the same; it is tried again later.
  case unavailable(String)
  /// It is missing, damaged or another program's: what was spent is unknown until an administrator confirms a new one.
  case unconfirmed(String)

  public var message: String {
    switch self {
    case .unavailable(let message), .unconfirmed(let message): message
    }
  }
}

/// What one row of the ledger is about.
public struct LedgerKey: Sendable, Hashable, Codable {
  public var provider: String
  public var user: UInt32
  /// The name of the price class; empty for calls that are free but counted.
  public var priceClass: String
  public var day: Day

  public init(provider: String, user: UInt32, priceClass: String, day: Day) {
    self.provider = provider
    self.user = user
    self.priceClass = priceClass
    self.day = day
  }
}

/// What is added to one row; negative numbers are subtracted.
public struct LedgerChange: Sendable, Hashable, Codable {
  /// For calls that may be made.
  public var reserved: Spending
  /// For calls that were made, or may have been.
  public var spent: Spending

  public init(reserved: Spending = .zero, spent: Spending = .zero) {
    self.reserved = reserved
    self.spent = spent
  }

  public var isZero: Bool { reserved.isZero && spent.isZero }
  /// What a budget counts.
  public var committed: Spending { reserved + spent }

  public static func += (a: inout LedgerChange, b: LedgerChange) {
    a.reserved += b.reserved
    a.spent += b.spent
  }
}

/// Why money was not spent.
public struct SavingKey: Sendable, Hashable, Codable {
  public enum Cause: String, Sendable, Hashable, Codable, CaseIterable { case cache, sessions, coalescing }
  public var provider: String
  public var user: UInt32
  public var day: Day
  public var cause: Cause

  public init(provider: String, user: UInt32, day: Day, cause: Cause) {
    self.provider = provider
    self.user = user
    self.day = day
    self.cause = cause
  }
}

/// One atomic write.
public struct LedgerTransaction: Sendable, Hashable {
  public var changes: [LedgerKey: LedgerChange]
  public var savings: [SavingKey: Spending]
  /// The budget time of the transaction, seconds since 1970.
  public var latest: Double
  /// Nil if `latest` is not a time of the budget clock.
  public var clock: BudgetClock.Record?

  public init(
    changes: [LedgerKey: LedgerChange] = [:], savings: [SavingKey: Spending] = [:], latest: Double, clock: BudgetClock.Record? = nil
  ) {
    self.changes = changes
    self.savings = savings
    self.latest = latest
    self.clock = clock
  }

  public var isEmpty: Bool { changes.isEmpty && savings.isEmpty }
}

/// What a ledger holds.
public struct LedgerHistory: Sendable, Hashable {
  public var entries: [LedgerKey: LedgerChange]
  public var savings: [SavingKey: Spending]
  /// The latest budget time, seconds since 1970.
  public var latest: Double
  /// The budget clock at that time; nil if the machine was booted since.
  public var clock: BudgetClock.Record?

  public init(
    entries: [LedgerKey: LedgerChange] = [:], savings: [SavingKey: Spending] = [:], latest: Double = 0, clock: BudgetClock.Record? = nil
  ) {
    self.entries = entries
    self.savings = savings
    self.latest = latest
    self.clock = clock
  }
}
