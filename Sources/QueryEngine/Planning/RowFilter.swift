import PlacesKit

/// The filters that the daemon applies to a provider's rows. A row without the value that a filter needs is dropped.
struct RowFilter: Sendable, Equatable {
  var kinds = RowFilter.everyKind
  var restriction: Area?
  /// An area to which the service has restricted the rows, perhaps in a wider shape. Rows with a location outside it are dropped, and rows
  /// without a location are kept.
  var roughRestriction: Area?
  var types: Set<PlaceType> = []
  var typeCollection: TypeCollection?
  var countries: Set<String> = []
  var openNow = false
  var minRating: Double?
  var priceLevels: Set<PriceLevel> = []
  /// Which rows to keep after the requested number of rows; nil to keep all.
  var beyondLimit: BeyondLimit?

  /// After the first `limit` rows, only rows with these native ids are kept.
  struct BeyondLimit: Sendable, Equatable {
    var limit: Int
    var ids: Set<String>
  }

  /// True if a filter other than `kinds` may drop rows. Then more rows should be requested than are wanted.
  var mayDropRows: Bool { self != RowFilter(kinds: kinds) }

  /// The fields of a place that the filters need. `roughRestriction` needs no field, because it keeps rows without a location.
  var fields: Set<PlaceField> {
    var fields: Set<PlaceField> = []
    if restriction != nil { fields.insert(.coordinate) }
    if !types.isEmpty || typeCollection != nil { fields.insert(.types) }
    if !countries.isEmpty { fields.insert(.addressComponents) }
    if openNow { fields.formUnion([.openingHours, .utcOffsetMinutes]) }
    if minRating != nil { fields.insert(.rating) }
    if !priceLevels.isEmpty { fields.insert(.priceLevel) }
    return fields
  }

  /// All kinds. This is a constant because every request creates several filters.
  private static let everyKind = Set(Suggestion.Kind.allCases)

  private init(kinds: Set<Suggestion.Kind>) { self.kinds = kinds }
  init() {}

  func keeps(_ row: Suggestion) -> Bool {
    kinds.contains(row.kind) && keeps(location: row.location) && keeps(types: row.types) && keeps(country: row.evidence.country)
  }

  /// - Parameter now: seconds since 1970, for opening hours.
  func keeps(_ place: Place, now: Double) -> Bool {
    keeps(location: place.location) && keeps(types: place.types) && keeps(country: place.evidence.country)
      && (minRating.map { (place.rating ?? -1) >= $0 } ?? true)
      && (priceLevels.isEmpty || place.priceLevel.map(priceLevels.contains) ?? false)
      && (!openNow || OpeningHours.isOpen(place, at: now) ?? false)
  }

  /// The answer without the rows that the filters drop.
  /// - Parameter now: seconds since 1970.
  func applied(to answer: ProviderAnswer, now: Double) -> ProviderAnswer {
    switch answer {
    case .suggestions(var page):
      let hasOtherKind = kinds != Self.everyKind && page.rows.indices.contains { !kinds.contains(page.rows[$0].kind) }
      guard mayDropRows || hasOtherKind else { return answer }
      page.rows.removeAll { !keeps($0) }
      if let beyondLimit {
        page.rows = page.rows.enumerated().filter { $0 < beyondLimit.limit || $1.id.map(beyondLimit.ids.contains) ?? false }.map(\.element)
      }
      return .suggestions(page)
    case .places(var page):
      guard mayDropRows else { return answer }
      page.rows.removeAll { !keeps($0, now: now) }
      return .places(page)
    case .photo: return answer
    }
  }

  private func keeps(location: Coordinate?) -> Bool {
    if let restriction, !(location.map(restriction.contains) ?? false) { return false }
    if let roughRestriction, let location, !roughRestriction.contains(location) { return false }
    return true
  }

  private func keeps(types rowTypes: [PlaceType]) -> Bool {
    if !types.isEmpty, !rowTypes.contains(where: { $0.isKind(of: types) }) { return false }
    return typeCollection?.contains(rowTypes) ?? true
  }

  private func keeps(country: String?) -> Bool { countries.isEmpty || country.map(countries.contains) ?? false }
}
