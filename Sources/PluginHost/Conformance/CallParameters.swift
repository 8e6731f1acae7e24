import PlacesKit

extension Call {
  /// The parameters that a request of this call can have, as places-provider(7) lists them. The daemon sends no other parameter, even if a
  /// manifest declares it.
  public var parameters: Set<Capability.Parameter> {
    let searchParameters: Set<Capability.Parameter> = [
      .language, .region, .bias, .restrictionCircle, .restrictionRectangle, .origin, .countries,
    ]
    switch self {
    case .autocomplete: return searchParameters.union([.types, .collection, .inputOffset, .endsWord])
    case .search:
      return searchParameters.union([
        .includedType, .strictTypeFiltering, .openNow, .minRating, .priceLevels, .rankByDistance, .withoutQuery,
      ])
    case .geocode: return searchParameters.union([.openNow, .minRating, .priceLevels, .rankByDistance])
    case .details: return [.language, .region, .photo]
    case .photo: return []
    case .reverse: return [.language, .types, .collection, .radius]
    }
  }
}
