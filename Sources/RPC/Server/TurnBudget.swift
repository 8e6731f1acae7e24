/// Limits the number of bytes that are read in each turn. If more bytes are read in a turn, the excess is deducted from the following
/// turns.
struct TurnBudget {
  /// The turn for which `remaining` applies; `UInt64.max` before the first one.
  private var turn = UInt64.max
  private var remaining = 0

  /// The number of bytes that may still be read in this turn; 0 if they are used up.
  mutating func remaining(inTurn turn: UInt64, perTurn: Int) -> Int {
    if turn != self.turn {
      // The limit of 1,000 turns prevents an overflow of the product.
      let turns = self.turn == .max ? 1 : Int(min(turn - self.turn, 1_000))
      (self.turn, remaining) = (turn, min(perTurn, remaining + turns * perTurn))
    }
    return max(0, remaining)
  }

  mutating func charge(_ bytes: Int) { remaining -= bytes }
}
