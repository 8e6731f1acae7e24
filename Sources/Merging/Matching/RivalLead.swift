/// Computes how far the blocking score of a pair exceeds the scores of its rivals, which are the other pairs that one of its two rows could
/// form. Rows that are each other's best partner in an answer are far more often the same place than rows that have a better partner.
enum RivalLead {
  /// The lead on one side: the pair's blocking score minus that of its best rival. A missing score, and a negative score of the rival,
  /// count as 0.
  static func sideLead(_ score: Double?, rival: Double) -> Double { (score ?? 0) - max(0, rival) }

  /// The lead of a pair, -1…1: the lesser of the leads on its two sides. A side whose source has no other row has no lead; if neither side
  /// has one, the lead is 0.
  static func lead(_ first: Double?, _ second: Double?) -> Double {
    guard let least = first ?? second else { return 0 }
    return max(-1, min(1, min(least, second ?? least)))
  }
}
