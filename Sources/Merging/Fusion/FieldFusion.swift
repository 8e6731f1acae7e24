import PlacesKit

extension Evidence {
  /// The first evidence, completed from the others: all names and ids, and each missing field from the first evidence that has it. The
  /// fields of an address come from one evidence, so that they belong together: the first with a house number, otherwise the first with a
  /// street, otherwise the first with a town. A postcode or town that is still missing comes from the others.
  static func fuse(_ all: [Evidence]) -> Evidence {
    guard var fused = all.first, all.count > 1 else { return all.first ?? Evidence() }
    fused.otherNames = union(all.map(\.otherNames))
    fused.equivalents = union(all.map(\.equivalents))
    for other in all.dropFirst() {
      fused.phone = fused.phone ?? other.phone
      fused.website = fused.website ?? other.website
    }
    let address =
      all.first { $0.houseNumber != nil } ?? all.first { $0.street != nil || $0.address != nil } ?? all.first { $0.locality != nil }
    if let address {
      (fused.address, fused.houseNumber, fused.street) = (address.address, address.houseNumber, address.street)
      (fused.postcode, fused.locality) = (address.postcode, address.locality)
    }
    for other in all {
      fused.postcode = fused.postcode ?? other.postcode
      fused.locality = fused.locality ?? other.locality
      fused.region = fused.region ?? other.region
      fused.country = fused.country ?? other.country
    }
    return fused
  }

  private static func union(_ lists: [[String]]) -> [String] {
    var seenTexts: Set<String> = []
    return lists.joined().filter { seenTexts.insert($0).inserted }
  }
}

/// The union of the lists, in order of first occurrence.
func union(_ lists: [[PlaceType]]) -> [PlaceType] {
  guard lists.count > 1 else { return lists.first ?? [] }
  // A linear search is fast enough: lists of types have a few elements and never more than a hundred.
  return lists.joined().reduce(into: []) { union, type in if !union.contains(type) { union.append(type) } }
}

/// Compares how precise the locations of rows are.
enum LocationPrecision {
  /// The precision of a row's location; a greater value is more precise. A location with more than three decimals precedes a rounded one,
  /// and then a row with a house number precedes a row without one.
  static func rank(_ location: Coordinate, _ evidence: Evidence) -> Int {
    let isCoarse = isRounded(location.latitude) && isRounded(location.longitude)
    return (isCoarse ? 0 : 2) + (evidence.houseNumber == nil ? 0 : 1)
  }

  /// Whether a number of degrees has no more than three decimals.
  private static func isRounded(_ degrees: Double) -> Bool {
    let scaled = degrees * 1_000
    return abs(scaled - scaled.rounded()) < 1e-6
  }

  /// The part with the most precise location; the earlier one if two are equally precise; nil if no part has a location.
  static func best<Row: MergeableRow>(_ parts: [FusionInput<Row>]) -> FusionInput<Row>? {
    var best: (part: FusionInput<Row>, rank: Int)?
    for part in parts {
      guard let location = part.row.location else { continue }
      let rank = rank(location, part.row.evidence)
      if rank > best?.rank ?? -1 { best = (part, rank) }
    }
    return best?.part
  }
}
