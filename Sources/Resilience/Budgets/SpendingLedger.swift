import PlacesKit

/// The durable record of reservations, spending and savings. It has one writer.
public protocol SpendingLedger: Sendable {
  /// Returns all amounts since the beginning of a month: the month of the latest budget time or of the wall time, whichever month is
  /// earlier. Calls that an earlier run left reserved count as spent. Throws if the ledger cannot be read, or if an administrator must
  /// confirm it first.
  func load() async throws(LedgerError) -> LedgerAmounts

  /// The contents that an unconfirmed ledger would have after its confirmation; nil if it would be empty or cannot be read.
  func historyAwaitingConfirmation() async -> LedgerAmounts?

  /// Writes the transaction atomically and returns when it is durable. After an error, only `load` shows whether it was written.
  func write(_ transaction: LedgerAmounts) async throws(LedgerError)
}

/// The reason why the ledger cannot be used.
public enum LedgerError: Error, Sendable, Hashable {
  /// The ledger could not be read or written. A failed transaction may have been written. The daemon tries again later.
  case unavailable(String)
  /// The ledger is missing, damaged or of another program. Past spending is unknown until an administrator confirms a new ledger.
  case unconfirmed(String)

  public var message: String {
    switch self {
    case .unavailable(let message), .unconfirmed(let message): message
    }
  }
}

/// The key of one row of the ledger.
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

/// The amounts to add to one row of the ledger; they may be negative.
public struct LedgerChange: Sendable, Hashable, Codable {
  /// The cost of calls that are reserved and may still be sent.
  public var reserved: Spending
  /// The cost of calls that were sent, or may have been.
  public var spent: Spending

  public init(reserved: Spending = .zero, spent: Spending = .zero) {
    self.reserved = reserved
    self.spent = spent
  }

  public var isZero: Bool { reserved.isZero && spent.isZero }
  /// The amount that counts towards a budget.
  public var committed: Spending { reserved + spent }

  public static func += (a: inout LedgerChange, b: LedgerChange) {
    a.reserved += b.reserved
    a.spent += b.spent
  }
}

/// The key of a row of savings.
public struct SavingKey: Sendable, Hashable, Codable {
  /// The reason why a cost was avoided.
  public enum Cause: String, Sendable, Hashable, Codable, CaseIterable {
    /// The answer was already known: from the cache or from the session.
    case cache
    /// The service does not bill some calls of a session, because of the way in which the session ended.
    case sessions
    /// The request shared the call of an equal request.
    case coalescing
  }
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

/// Amounts of the ledger: all that it contains, or those that one atomic write adds.
public struct LedgerAmounts: Sendable, Hashable {
  public var entries: [LedgerKey: LedgerChange]
  public var savings: [SavingKey: Spending]
  /// The latest budget time, in seconds since 1970.
  public var latestTime: Double
  /// When the budget day of `latestTime` began, in monotonic seconds; nil if its beginning is not known, such as after a reboot, or if
  /// `latestTime` is not a time of the budget clock.
  public var dayStart: Double?

  public init(
    entries: [LedgerKey: LedgerChange] = [:], savings: [SavingKey: Spending] = [:], latestTime: Double = 0, dayStart: Double? = nil
  ) {
    self.entries = entries
    self.savings = savings
    self.latestTime = latestTime
    self.dayStart = dayStart
  }

  public var isEmpty: Bool { entries.isEmpty && savings.isEmpty }
}
