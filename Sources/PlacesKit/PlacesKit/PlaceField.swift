import JSON

/// A field of a place. The names are those of `GMSPlaceProperty` in Google's iOS SDK, in lowerCamelCase. Most names of the tier `extended`
/// are those of members that Google's Places API added to `Place` later. The comment of each field gives the type of its JSON value on the
/// wire; `?` marks a member that may be absent.
public enum PlaceField: String, Sendable, Hashable, Codable, CaseIterable, CodingKeyRepresentable {
  /// string: `provider:nativeId`
  case placeID
  /// string
  case name
  /// array of {"long", "short", "types": [string]}
  case addressComponents
  /// string: `operational`, `closed_temporarily`, `closed_permanently`, `future_opening`
  case businessStatus
  /// string, one line
  case formattedAddress
  /// string: `#rrggbb`
  case iconBackgroundColor
  /// string: URL
  case iconImageURL
  /// {"latitude", "longitude"}
  case coordinate
  /// array of {"id", "width", "height", "attributions": [Attribution]}
  case photos
  /// {"global", "compound"?}
  case plusCode
  /// array of strings: types of the type table, or the service's own types
  case types
  /// integer: the current offset from UTC in minutes, positive east of Greenwich
  case utcOffsetMinutes
  /// {"low", "high"}
  case viewport
  /// boolean
  case wheelchairAccessibleEntrance
  /// as `openingHours`, for the next seven days
  case currentOpeningHours
  /// array of objects like `openingHours`, each with the additional member "kind"
  case secondaryOpeningHours
  /// string, international format (E.164 with spaces)
  case phoneNumber
  /// string: `free`, `inexpensive`, `moderate`, `expensive`, `very_expensive`
  case priceLevel
  /// number 0…5
  case rating
  /// {"openNow"?, "periods": [{"open": {"day": 0 = Sunday…6, "hour", "minute", "date"?, "truncated"?}, "close"?}], "weekdayText"?:
  /// [string], "text"?: string, "specialDays"?: ["YYYY-MM-DD"], "nextOpen"?, "nextClose"?: RFC 3339}
  case openingHours
  /// integer
  case userRatingsTotal
  /// string: URL
  case website
  /// boolean
  case curbsidePickup, delivery, dineIn
  /// string
  case editorialSummary
  /// boolean
  case reservable, servesBeer, servesBreakfast, servesBrunch, servesDinner, servesLunch, servesVegetarianFood, servesWine, takeout
  /// string: the service's own id that has replaced the id of this place; the daemon converts it to `provider:nativeId`
  case movedPlaceID
  /// string, one line without region and country
  case shortFormattedAddress
  /// string: a type of the type table, or the service's own type
  case primaryType
  /// string: a name of the IANA time zone database
  case timeZone
  /// string: URL
  case mapURL
  /// object of booleans: `wheelchairAccessibleParking` and so on
  case accessibilityOptions
  /// string, as it is dialled in the place's country
  case nationalPhoneNumber
  /// {"currency": ISO 4217, "low"?: number, "high"?: number}
  case priceRange
  /// array of {"text"?, "language"?, "rating"?: 0…5, "time"?: RFC 3339, "url"?, "author": Attribution}
  case reviews
  /// object of booleans: `acceptsCreditCards`, `freeParkingLot` and so on
  case paymentOptions, parkingOptions
  /// array of {"type", "count", "maxKilowatts"?, "available"?, "outOfService"?, "updated"?: RFC 3339}
  case evChargeOptions
  /// array of {"type", "currency", "price": number, "updated"?: RFC 3339}
  case fuelOptions
  /// boolean
  case servesCocktails, servesDessert, servesCoffee, outdoorSeating, liveMusic, menuForChildren, goodForChildren, allowsDogs, restroom
  /// boolean
  case goodForGroups, goodForWatchingSports

  /// The price tiers of Google's first Places SDK, cheapest first, and the tier `extended` for fields that were added later.
  public enum Tier: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    case id, basic, advanced, preferred, extended

    public static func < (a: Tier, b: Tier) -> Bool {
      (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }

    /// Every field of this tier and of the cheaper tiers.
    public var fields: [PlaceField] { PlaceField.allCases.filter { $0.tier <= self } }
  }

  public var tier: Tier {
    switch self {
    case .placeID, .name: .id
    case .addressComponents, .businessStatus, .formattedAddress, .iconBackgroundColor, .iconImageURL, .coordinate, .photos, .plusCode,
      .types, .utcOffsetMinutes, .viewport, .wheelchairAccessibleEntrance:
      .basic
    case .currentOpeningHours, .secondaryOpeningHours, .phoneNumber, .priceLevel, .rating, .openingHours, .userRatingsTotal, .website:
      .advanced
    case .curbsidePickup, .delivery, .dineIn, .editorialSummary, .reservable, .servesBeer, .servesBreakfast, .servesBrunch, .servesDinner,
      .servesLunch, .servesVegetarianFood, .servesWine, .takeout:
      .preferred
    case .movedPlaceID, .shortFormattedAddress, .primaryType, .timeZone, .mapURL, .accessibilityOptions, .nationalPhoneNumber, .priceRange,
      .reviews, .paymentOptions, .parkingOptions, .evChargeOptions, .fuelOptions, .servesCocktails, .servesDessert, .servesCoffee,
      .outdoorSeating, .liveMusic, .menuForChildren, .goodForChildren, .allowsDogs, .restroom, .goodForGroups, .goodForWatchingSports:
      .extended
    }
  }
}

extension PlaceField {
  /// True if a value has the field's JSON type and is within its range. Most members of objects and arrays are not checked. The daemon
  /// drops values that are not accepted.
  public func accepts(_ value: JSONValue) -> Bool {
    switch self {
    case .placeID, .name, .formattedAddress, .iconBackgroundColor, .iconImageURL, .phoneNumber, .website, .editorialSummary, .movedPlaceID,
      .shortFormattedAddress, .primaryType, .timeZone, .mapURL, .nationalPhoneNumber:
      value.string?.isEmpty == false
    case .businessStatus: ["operational", "closed_temporarily", "closed_permanently", "future_opening"].contains(value.string)
    case .priceLevel: value.string.flatMap(PriceLevel.init(rawValue:)) != nil
    case .rating: value.double.map((0...5).contains) ?? false
    // Today's offsets are from UTC−12 to UTC+14. The limits are ±18 hours, because governments may choose other offsets.
    case .utcOffsetMinutes: value.integer.map((-1_080...1_080).contains) ?? false
    case .userRatingsTotal: value.integer.map { $0 >= 0 } ?? false
    case .coordinate, .viewport, .plusCode, .openingHours, .currentOpeningHours, .priceRange: value.object != nil
    case .accessibilityOptions, .paymentOptions, .parkingOptions:
      value.object.map { !$0.isEmpty && $0.members.allSatisfy { $0.value.boolean != nil } } ?? false
    case .addressComponents, .photos, .types, .secondaryOpeningHours, .reviews, .evChargeOptions, .fuelOptions: value.array != nil
    case .wheelchairAccessibleEntrance, .curbsidePickup, .delivery, .dineIn, .reservable, .servesBeer, .servesBreakfast, .servesBrunch,
      .servesDinner, .servesLunch, .servesVegetarianFood, .servesWine, .takeout, .servesCocktails, .servesDessert, .servesCoffee,
      .outdoorSeating, .liveMusic, .menuForChildren, .goodForChildren, .allowsDogs, .restroom, .goodForGroups, .goodForWatchingSports:
      value.boolean != nil
    }
  }

  /// The value if the field accepts it, otherwise nil.
  public func accepted(_ value: JSONValue?) -> JSONValue? {
    guard let value, accepts(value) else { return nil }
    return value
  }
}
