import PlacesKit

/// The path of each field in Google's field masks, and the price tier of the field (Places API documentation, 2026).
enum GoogleFields {
  /// The path in a details mask; a search mask puts `places.` before it.
  static func path(_ field: PlaceField) -> String {
    switch field {
    case .placeID: "id"
    // Google's `name` is the resource name "places/…"; the name for people is `displayName`.
    case .name: "displayName"
    case .coordinate: "location"
    case .iconImageURL: "iconMaskBaseUri"
    case .wheelchairAccessibleEntrance: "accessibilityOptions.wheelchairAccessibleEntrance"
    case .secondaryOpeningHours: "currentSecondaryOpeningHours"
    case .phoneNumber: "internationalPhoneNumber"
    case .openingHours: "regularOpeningHours"
    case .userRatingsTotal: "userRatingCount"
    case .website: "websiteUri"
    case .movedPlaceID: "movedPlaceId"
    case .mapURL: "googleMapsUri"
    case .addressComponents, .businessStatus, .formattedAddress, .iconBackgroundColor, .photos, .plusCode, .types, .utcOffsetMinutes,
      .viewport, .currentOpeningHours, .priceLevel, .rating, .curbsidePickup, .delivery, .dineIn, .editorialSummary, .reservable,
      .servesBeer, .servesBreakfast, .servesBrunch, .servesDinner, .servesLunch, .servesVegetarianFood, .servesWine, .takeout,
      .shortFormattedAddress, .primaryType, .timeZone, .accessibilityOptions, .nationalPhoneNumber, .priceRange, .reviews, .paymentOptions,
      .parkingOptions, .evChargeOptions, .fuelOptions, .servesCocktails, .servesDessert, .servesCoffee, .outdoorSeating, .liveMusic,
      .menuForChildren, .goodForChildren, .allowsDogs, .restroom, .goodForGroups, .goodForWatchingSports:
      field.rawValue
    }
  }

  /// The tier of a field in Place Details: `ids`, `essentials`, `pro`, `enterprise` or `atmosphere`.
  static func detailsTier(_ field: PlaceField) -> String {
    switch field {
    case .placeID, .photos, .movedPlaceID: "ids"
    case .addressComponents, .formattedAddress, .shortFormattedAddress, .coordinate, .plusCode, .types, .viewport: "essentials"
    case .name: "pro"
    default: otherTier(field)
    }
  }

  /// The tier of a field in Text Search: `ids`, `pro`, `enterprise` or `atmosphere`. Unlike Place Details, Text Search has no Essentials
  /// tier for other fields than ids.
  static func searchTier(_ field: PlaceField) -> String {
    switch field {
    case .placeID: "ids"
    case .name: "pro"
    default: otherTier(field)
    }
  }

  /// The tier of a field that the switch of `detailsTier` or `searchTier` does not list. It is the same in both calls.
  private static func otherTier(_ field: PlaceField) -> String {
    switch field.tier {
    case .id, .basic: "pro"
    case .advanced: "enterprise"
    case .preferred: "atmosphere"
    case .extended: extendedTier(field)
    }
  }

  private static func extendedTier(_ field: PlaceField) -> String {
    switch field {
    case .movedPlaceID, .shortFormattedAddress, .primaryType, .timeZone, .mapURL, .accessibilityOptions: "pro"
    case .nationalPhoneNumber, .priceRange: "enterprise"
    default: "atmosphere"
    }
  }

  /// The smallest mask for these fields, in the order of `PlaceField.allCases`, so that equal requests have equal masks. Google returns a
  /// place's attributions only if the mask names them; they belong to the tier of the id, which is free in both calls.
  static func mask(_ fields: Set<PlaceField>, prefix: String = "", also: [String] = []) -> String {
    var paths = ["\(prefix)id", "\(prefix)attributions"]
    for field in PlaceField.allCases where fields.contains(field) && field != .placeID { paths.append(prefix + path(field)) }
    return (paths + also.filter { !paths.contains($0) }).joined(separator: ",")
  }
}
