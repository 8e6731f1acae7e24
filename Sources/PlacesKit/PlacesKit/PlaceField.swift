import JSON

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

extension PlaceField {
  /// Whether a value has the shape that is told beside the field, as far as its outermost layer goes: what a service says otherwise is
  /// not passed on.
  public func accepts(_ value: JSONValue) -> Bool {
    switch self {
    case .placeID, .name, .formattedAddress, .iconBackgroundColor, .iconImageURL, .phoneNumber, .website, .editorialSummary:
      value.string?.isEmpty == false
    case .businessStatus: ["operational", "closed_temporarily", "closed_permanently", "future_opening"].contains(value.string)
    case .priceLevel: value.string.flatMap(PriceLevel.init(rawValue:)) != nil
    case .rating: value.double.map((0...5).contains) ?? false
    // UTC−12 to UTC+14, with room for what governments think of next.
    case .utcOffsetMinutes: value.integer.map((-1_080...1_080).contains) ?? false
    case .userRatingsTotal: value.integer.map { $0 >= 0 } ?? false
    case .coordinate, .viewport, .plusCode, .openingHours, .currentOpeningHours: value.object != nil
    case .addressComponents, .photos, .types, .secondaryOpeningHours: value.array != nil
    case .wheelchairAccessibleEntrance, .curbsidePickup, .delivery, .dineIn, .reservable, .servesBeer, .servesBreakfast, .servesBrunch,
      .servesDinner, .servesLunch, .servesVegetarianFood, .servesWine, .takeout:
      value.boolean != nil
    }
  }

  /// The value where it has its shape, else nothing.
  public func accepted(_ value: JSONValue?) -> JSONValue? {
    guard let value, accepts(value) else { return nil }
    return value
  }
}
