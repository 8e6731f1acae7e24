import PlacesKit

/// How precise a row's location is.
enum LocationPrecision {
  /// Higher is more exact: an entrance or house before a mere point, a point before one that was rounded to 100 m or more.
  static func rank(_ location: Coordinate, _ evidence: Evidence) -> Int {
    let coarse = isRounded(location.latitude) && isRounded(location.longitude)
    return (coarse ? 0 : 2) + (evidence.houseNumber == nil ? 0 : 1)
  }

  /// Whether a number of degrees has no more than three decimals.
  private static func isRounded(_ degrees: Double) -> Bool {
    let scaled = degrees * 1_000
    return abs(scaled - scaled.rounded()) < 1e-6
  }

  /// The part with the most precise location; the earlier one if they are equally precise.
  static func best<Row: MergeableRow>(_ parts: [FusedPart<Row>]) -> FusedPart<Row>? {
    var best: (part: FusedPart<Row>, rank: Int)?
    for part in parts {
      guard let location = part.row.location else { continue }
      let rank = rank(location, part.row.evidence)
      if rank > best?.rank ?? -1 { best = (part, rank) }
    }
    return best?.part
  }
}
