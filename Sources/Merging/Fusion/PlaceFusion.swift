import PlacesKit

extension Place {
  /// Fuses rows field by field. The result has the first address with a house number, the most precise location, the newest opening hours,
  /// and the rating with the most votes. If one row says that the place is closed, it is closed. Every other field comes from the first row
  /// that has it.
  public static func fuse(_ leading: FusionInput<Place>, _ others: [FusionInput<Place>]) -> (Place, [FieldSource]) {
    let parts = [leading] + others
    var fused = leading.row
    var sources: [PlaceField: FusionInput<Place>] = [:]
    func take(_ fields: [PlaceField], from part: FusionInput<Place>?) {
      for field in fields {
        guard let part, let value = part.row.values[field] else { continue }
        fused.values[field] = value
        sources[field] = part
      }
    }
    for field in PlaceField.allCases { take([field], from: parts.first { $0.row.values[field] != nil }) }
    take(
      [.formattedAddress, .addressComponents], from: parts.first { $0.row.evidence.houseNumber != nil && $0.row.formattedAddress != nil })
    if let best = LocationPrecision.best(parts) {
      fused.location = best.row.location
      take([.coordinate, .viewport, .plusCode], from: best)
      sources[.coordinate] = best
    }
    let mostVotes = parts.map(voteCount).max() ?? 0
    if mostVotes > 0 { take([.rating, .userRatingsTotal], from: parts.first { voteCount($0) == mostVotes }) }
    for field in hoursFields { take([field], from: newest(parts.filter { $0.row.values[field] != nil })) }
    if let closedPart = parts.first(where: { isClosed($0, "closed_permanently") })
      ?? parts.first(where: { isClosed($0, "closed_temporarily") })
    {
      take([.businessStatus], from: closedPart)
      for field in hoursFields { (fused.values[field], sources[field]) = (nil, nil) }
    }
    if let partWithTypes = parts.first(where: { !$0.row.types.isEmpty }) {
      fused.types = union([partWithTypes.row.types] + parts.map(\.row.types))
      sources[.types] = partWithTypes
      if fused.values[.types] != nil { fused.values[.types] = .array(fused.types.map { .string($0.rawValue) }) }
    }
    fused.distance = parts.lazy.compactMap(\.row.distance).min()
    fused.importance = parts.lazy.compactMap(\.row.importance).first
    if parts.count > 1 { fused.evidence = Evidence.fuse(parts.map(\.row.evidence)) }
    return (fused, PlaceField.allCases.compactMap { field in sources[field]?.source(of: field.rawValue) })
  }

  private static let hoursFields: [PlaceField] = [.openingHours, .currentOpeningHours, .secondaryOpeningHours]

  /// The number of votes; 1 if it is unknown, 0 without a rating.
  private static func voteCount(_ part: FusionInput<Place>) -> Int {
    part.row.rating == nil ? 0 : max(1, part.row.values[.userRatingsTotal]?.integer ?? 1)
  }

  private static func isClosed(_ part: FusionInput<Place>, _ status: String) -> Bool { part.row.values[.businessStatus]?.string == status }

  /// The most recent part; the earlier one if times are equal.
  private static func newest(_ parts: [FusionInput<Place>]) -> FusionInput<Place>? {
    let latest = parts.map(\.fetchedAt).max()
    return parts.first { $0.fetchedAt == latest }
  }
}
