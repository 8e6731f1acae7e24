/// A call that a budget has paid for: it may be sent once, and is settled once.
public struct Reservation: Sendable, Hashable {
  /// How the call ended, for the budget. A call that is never settled counts as sent.
  public enum Outcome: Sendable, Hashable {
    /// It was sent, or nobody knows.
    case sent
    /// It certainly never left the machine.
    case unsent
  }

  /// 0 for a call that no budget counts.
  let id: UInt64
  public let key: LedgerKey
  /// What it costs by the price list.
  public let micros: Int

  /// A call that neither costs anything nor is counted.
  static func uncounted(_ key: LedgerKey) -> Reservation { Reservation(id: 0, key: key, micros: 0) }
}
