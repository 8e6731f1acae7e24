/// A request that a budget has paid for: it may be sent once, and is settled once.
public struct Reservation: Sendable, Hashable {
  /// Whether the request was sent. One that is never settled counts as sent.
  public enum Outcome: Sendable, Hashable {
    /// It was sent, or may have been.
    case sent
    /// It certainly did not leave this machine.
    case unsent
  }

  /// 0 for a request that no budget counts.
  let id: UInt64
  public let key: LedgerKey
  /// What it costs by the price list.
  public let micros: Int

  /// A request that neither costs anything nor is counted.
  static func uncounted(_ key: LedgerKey) -> Reservation { Reservation(id: 0, key: key, micros: 0) }
}
