/// What may be asked about a place. The names are those of the Google SDK's GMSPlaceProperty in lowerCamelCase; on the
/// wire each holds a JSON value of the shape told beside it.
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
  /// array of strings of the type table
  case types
  /// integer: minutes east of UTC, now
  case utcOffsetMinutes
  /// {"low", "high"}
  case viewport
  /// boolean
  case wheelchairAccessibleEntrance
  /// as openingHours, for the next seven days
  case currentOpeningHours
  /// array of openingHours, each with "kind"
  case secondaryOpeningHours
  /// string, international format (E.164 with spaces)
  case phoneNumber
  /// string: `free`, `inexpensive`, `moderate`, `expensive`, `very_expensive`
  case priceLevel
  /// number 0…5
  case rating
  /// {"openNow"?, "periods": [{"open": {"day": 0 = Sunday…6, "hour", "minute"}, "close"?}], "weekdayText"?: [string], "text"?: string}
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

  /// The price tiers of the seeds' API, cheapest first.
  public enum Tier: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    case id, basic, advanced, preferred

    public static func < (a: Tier, b: Tier) -> Bool {
      (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }

    /// Every field of this tier and of the cheaper ones.
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
    }
  }
}
