/// The permission of the budget for one request, which may be sent once and is settled once.
public struct Reservation: Sendable, Hashable {
  /// Whether the request was sent. A reservation that is never settled counts as sent.
  public enum Outcome: Sendable, Hashable {
    /// The request was sent, or may have been.
    case sent
    /// The request did not leave this machine.
    case unsent
  }

  /// 0 for a free request that no budget counts.
  let id: UInt64
  public let key: LedgerKey
  /// The cost by the price table, in millionths of the currency's unit.
  public let micros: Int
}
