import PlacesKit

/// The fields that Foursquare supports, and their names in its API. Premium fields make a call more expensive.
enum FoursquareFields {
  static let premium: Set<PlaceField> = [.openingHours, .rating, .priceLevel, .photos, .editorialSummary, .userRatingsTotal]

  static let supported: Set<PlaceField> = premium.union([
    .placeID, .name, .coordinate, .formattedAddress, .addressComponents, .types, .phoneNumber, .website, .businessStatus,
    .iconImageURL,
  ])

  /// The price levels that Foursquare numbers 1, 2, 3 and 4, in this order.
  static let priceLevels: [PriceLevel] = [.inexpensive, .moderate, .expensive, .veryExpensive]

  /// The members of a Foursquare place that a field is read from; empty for a field that Foursquare lacks or that is always returned.
  private static func names(of field: PlaceField) -> [String] {
    switch field {
    case .name: ["name"]
    case .coordinate: ["latitude", "longitude"]
    case .formattedAddress, .addressComponents: ["location"]
    case .types, .iconImageURL: ["categories"]
    // Details return the number in its national form. The country in `location` is needed to convert it.
    case .phoneNumber: ["tel", "location"]
    case .website: ["website"]
    case .businessStatus: ["date_closed"]
    case .openingHours: ["hours"]
    case .rating: ["rating"]
    case .priceLevel: ["price"]
    case .photos: ["photos"]
    case .editorialSummary: ["description"]
    case .userRatingsTotal: ["stats"]
    default: []
    }
  }

  /// The `fields` parameter: the requested fields and the id.
  static func mask(_ fields: Set<PlaceField>) -> String {
    var fieldNames = ["fsq_place_id"]
    for field in PlaceField.allCases where fields.contains(field) {
      for name in names(of: field) where !fieldNames.contains(name) { fieldNames.append(name) }
    }
    return fieldNames.joined(separator: ",")
  }
}
