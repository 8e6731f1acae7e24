import PlacesKit

// The field table as the manual and the schemas show it.
extension PlaceField {
  /// The shape of the field's value.
  public var shape: Shape {
    switch self {
    case .placeID, .name, .formattedAddress, .iconBackgroundColor, .iconImageURL, .phoneNumber, .website, .editorialSummary: .string
    case .addressComponents: .list(.addressComponent)
    case .businessStatus: .words(["operational", "closed_temporarily", "closed_permanently", "future_opening"])
    case .coordinate: .point
    case .photos: .list(.photo)
    case .plusCode: .plusCode
    case .types: .list(.string)
    case .utcOffsetMinutes, .userRatingsTotal: .integer
    case .viewport: .rectangle
    case .currentOpeningHours, .openingHours: .openingHours
    case .secondaryOpeningHours: .list(.openingHours)
    case .priceLevel: .word(PriceLevel.self)
    case .rating: .number
    case .wheelchairAccessibleEntrance, .curbsidePickup, .delivery, .dineIn, .reservable, .servesBeer, .servesBreakfast, .servesBrunch,
      .servesDinner, .servesLunch, .servesVegetarianFood, .servesWine, .takeout:
      .boolean
    }
  }

  /// One sentence: what the field tells, with its unit.
  public var summary: String {
    switch self {
    case .placeID: "The place's id."
    case .name: "Its name."
    case .addressComponents: "The parts of its address, most specific first."
    case .businessStatus: "Whether it operates."
    case .formattedAddress: "Its address on one line."
    case .iconBackgroundColor: "The colour behind its icon, #rrggbb."
    case .iconImageURL: "The address of its icon."
    case .coordinate: "Where it is."
    case .photos: "Photographs of it."
    case .plusCode: "Its plus code."
    case .types: "Words of the type table and services' own, most specific first."
    case .utcOffsetMinutes: "Minutes that its clocks are ahead of UTC now."
    case .viewport: "What a map should show of it."
    case .wheelchairAccessibleEntrance: "Whether wheelchairs can get in."
    case .currentOpeningHours: "When it is open in the next seven days."
    case .secondaryOpeningHours: "When a part of it is open, such as its kitchen."
    case .phoneNumber: "Its telephone number in international format."
    case .priceLevel: "How expensive it is."
    case .rating: "What people think of it, 0 to 5."
    case .openingHours: "When it is open in an ordinary week."
    case .userRatingsTotal: "How many people rated it."
    case .website: "The address of its website."
    case .curbsidePickup: "Whether orders are brought to the car."
    case .delivery: "Whether it delivers."
    case .dineIn: "Whether one can eat there."
    case .editorialSummary: "What it is, in a sentence or two."
    case .reservable: "Whether tables can be reserved."
    case .servesBeer: "Whether it serves beer."
    case .servesBreakfast: "Whether it serves breakfast."
    case .servesBrunch: "Whether it serves brunch."
    case .servesDinner: "Whether it serves dinner."
    case .servesLunch: "Whether it serves lunch."
    case .servesVegetarianFood: "Whether it serves vegetarian food."
    case .servesWine: "Whether it serves wine."
    case .takeout: "Whether one can take food away."
    }
  }
}

extension Shape {
  fileprivate static let addressComponent = Shape.record(
    Record(
      "AddressComponent", "A part of an address.",
      [
        .always("long", .string, "The whole name."), .maybe("short", .string, "The usual short one, such as DE."),
        .always("types", .list(.string), "What part it is."),
      ]))

  static let credit = Shape.record(
    Record(
      "Credit", "A credit that must be shown.",
      [.always("text", .string, "The credit."), .maybe("url", .string, "Where it leads.")]))

  fileprivate static let photo = Shape.record(
    Record(
      "Photo", "A photograph.",
      [
        .always("id", .string, "The service's own id."), .maybe("width", .integer, "Pixels."), .maybe("height", .integer, "Pixels."),
        .always("attributions", .list(.credit), "Whose work it is."),
      ]))

  fileprivate static let plusCode = Shape.record(
    Record(
      "PlusCode", "An Open Location Code.",
      [.always("global", .string, "The full code."), .maybe("compound", .string, "The short code and the name of a place near it.")]))

  fileprivate static let rectangle = Shape.record(
    Record(
      "Rectangle", "A closed rectangle.",
      [.always("low", .point, "The south-west corner."), .always("high", .point, "The north-east corner.")]))

  fileprivate static let openingHours: Shape = {
    let moment = Shape.record(
      Record(
        "Moment", "A time of the week, by the clocks there.",
        [
          .always("day", .integer, "0 for Sunday to 6."), .always("hour", .integer, "0 to 23."),
          .always("minute", .integer, "0 to 59."),
        ]))
    let period = Shape.record(
      Record(
        "Period", "A time without a break.",
        [.always("open", moment, "When it begins."), .maybe("close", moment, "When it ends; without it, never.")]))
    return .record(
      Record(
        "OpeningHours", "When a place is open.",
        [
          .maybe("openNow", .boolean, "Whether it is open now."),
          .always("periods", .list(period), "When it is open; empty where that is not known."),
          .maybe("weekdayText", .list(.string), "The same for people, a line for each day."),
          .maybe("text", .string, "What the service tells where it tells no times."),
          .maybe("kind", .string, "Of secondary hours: which part they are of."),
        ]))
  }()
}
