/// The permission of the budget for one request, which may be sent once and is settled once. A reservation that is never settled counts as
/// sent.
public struct Reservation: Sendable, Hashable {
  /// 0 for a free request that no budget counts.
  let id: UInt64
  public let key: LedgerKey
  /// The cost by the price table, in millionths of the currency's unit.
  public let micros: Int
}
