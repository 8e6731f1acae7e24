import PlacesKit

// The shape and the description of each place field, for the manual and the OpenRPC document.
extension PlaceField {
  /// The shape of the field's value.
  public var shape: Shape {
    switch self {
    case .placeID, .name, .formattedAddress, .iconBackgroundColor, .iconImageURL, .phoneNumber, .website, .editorialSummary, .movedPlaceID,
      .shortFormattedAddress, .primaryType, .timeZone, .mapURL, .nationalPhoneNumber:
      .string
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
    case .accessibilityOptions, .paymentOptions, .parkingOptions: .keyed(by: "option", .boolean)
    case .priceRange: .priceRange
    case .reviews: .list(.review)
    case .evChargeOptions: .list(.charger)
    case .fuelOptions: .list(.fuel)
    case .wheelchairAccessibleEntrance, .curbsidePickup, .delivery, .dineIn, .reservable, .servesBeer, .servesBreakfast, .servesBrunch,
      .servesDinner, .servesLunch, .servesVegetarianFood, .servesWine, .takeout, .servesCocktails, .servesDessert, .servesCoffee,
      .outdoorSeating, .liveMusic, .menuForChildren, .goodForChildren, .allowsDogs, .restroom, .goodForGroups, .goodForWatchingSports:
      .boolean
    }
  }

  /// One sentence that describes the field, with its unit.
  public var summary: String {
    switch self {
    case .placeID: "The place's id."
    case .name: "Its name."
    case .addressComponents: "The parts of its address, most specific first."
    case .businessStatus: "The operational status."
    case .formattedAddress: "Its address on one line."
    case .iconBackgroundColor: "The background colour of its icon, #rrggbb."
    case .iconImageURL: "The address of its icon."
    case .coordinate: "Its location."
    case .photos: "Photographs of it."
    case .plusCode: "Its plus code."
    case .types: "Types of the type table and the service's own types, most specific first."
    case .utcOffsetMinutes: "The current offset of its local time from UTC, in minutes."
    case .viewport: "The area that a map should show."
    case .wheelchairAccessibleEntrance: "True if the entrance is accessible to wheelchairs."
    case .currentOpeningHours: "The opening hours of the next seven days."
    case .secondaryOpeningHours: "The opening hours of its parts, such as a kitchen."
    case .phoneNumber: "Its telephone number in international format."
    case .priceLevel: "The price level."
    case .rating: "The average rating, 0 to 5."
    case .openingHours: "The regular weekly opening hours."
    case .userRatingsTotal: "The number of ratings."
    case .website: "The address of its website."
    case .curbsidePickup: "True if it offers curbside pickup."
    case .delivery: "True if it delivers."
    case .dineIn: "True if guests can eat there."
    case .editorialSummary: "A short description."
    case .reservable: "True if it takes reservations."
    case .servesBeer: "True if it serves beer."
    case .servesBreakfast: "True if it serves breakfast."
    case .servesBrunch: "True if it serves brunch."
    case .servesDinner: "True if it serves dinner."
    case .servesLunch: "True if it serves lunch."
    case .servesVegetarianFood: "True if it serves vegetarian food."
    case .servesWine: "True if it serves wine."
    case .takeout: "True if it offers food to take away."
    case .movedPlaceID: "The id under which the service knows the place now, if it moved or was replaced."
    case .shortFormattedAddress: "Its address on one line, without region and country."
    case .primaryType: "The type that describes it best."
    case .timeZone: "Its time zone, such as Europe/Berlin."
    case .mapURL: "The address of its page on the service's own map."
    case .accessibilityOptions: "What is accessible to wheelchairs: wheelchairAccessibleParking, -Entrance, -Restroom, -Seating."
    case .nationalPhoneNumber: "Its telephone number as it is dialled in its country."
    case .priceRange: "The usual price for one person."
    case .reviews: "Reviews by visitors, with their authors, who must be named."
    case .paymentOptions: "The accepted means of payment: acceptsCreditCards, acceptsDebitCards, acceptsCashOnly, acceptsNfc."
    case .parkingOptions:
      "The kinds of parking: freeParkingLot, paidParkingLot, freeStreetParking, paidStreetParking, valetParking, freeGarageParking, paidGarageParking."
    case .evChargeOptions: "Chargers of electric vehicles, by type."
    case .fuelOptions: "The latest prices of fuels."
    case .servesCocktails: "True if it serves cocktails."
    case .servesDessert: "True if it serves dessert."
    case .servesCoffee: "True if it serves coffee."
    case .outdoorSeating: "True if guests can sit outside."
    case .liveMusic: "True if it has live music."
    case .menuForChildren: "True if it has a menu for children."
    case .goodForChildren: "True if it suits children."
    case .allowsDogs: "True if dogs may come in."
    case .restroom: "True if it has a restroom."
    case .goodForGroups: "True if it suits groups."
    case .goodForWatchingSports: "True if it suits watching sports."
    }
  }
}

extension Shape {
  fileprivate static let addressComponent = Shape.record(
    Record(
      "AddressComponent", "A part of an address.",
      [
        .required("long", .string, "The full name."), .optional("short", .string, "The usual short name, such as DE."),
        .required("types", .list(.string), "The types of this part."),
      ]))

  static let credit = Shape.record(
    Record(
      "Credit", "A credit that must be shown.",
      [.required("text", .string, "The credit."), .optional("url", .string, "The address that the credit links to.")]))

  fileprivate static let photo = Shape.record(
    Record(
      "Photo", "A photograph.",
      [
        .required("id", .string, "The id of the photograph, for places.photo."), .optional("width", .integer, "In pixels."),
        .optional("height", .integer, "In pixels."),
        .required("attributions", .list(.credit), "The credits of the authors."),
      ]))

  fileprivate static let plusCode = Shape.record(
    Record(
      "PlusCode", "An Open Location Code.",
      [.required("global", .string, "The full code."), .optional("compound", .string, "The short code and the name of a place near it.")]))

  fileprivate static let priceRange = Shape.record(
    Record(
      "PriceRange", "A range of prices.",
      [
        .required("currency", .string, "The ISO 4217 code."), .optional("low", .number, "The lower end, in units of the currency."),
        .optional("high", .number, "The upper end; absent if the range is open."),
      ]))

  fileprivate static let review = Shape.record(
    Record(
      "Review", "A review by a visitor.",
      [
        .optional("text", .string, "The text."), .optional("language", .string, "The language of the text."),
        .optional("rating", .number, "The visitor's rating, 0 to 5."), .optional("time", .time, "When it was published."),
        .optional("url", .string, "The address of the review on the service's own map."), .required("author", .credit, "The author."),
      ]))

  fileprivate static let charger = Shape.record(
    Record(
      "Charger", "The chargers of one type.",
      [
        .required("type", .string, "The service's name of the connector, such as ev_connector_type_ccs_combo_2."),
        .required("count", .integer, "How many there are."), .optional("maxKilowatts", .number, "The highest charging rate."),
        .optional("available", .integer, "How many are free."), .optional("outOfService", .integer, "How many are out of service."),
        .optional("updated", .time, "When that was known."),
      ]))

  fileprivate static let fuel = Shape.record(
    Record(
      "Fuel", "The price of a fuel.",
      [
        .required("type", .string, "The service's name of the fuel, such as diesel."), .required("currency", .string, "The ISO 4217 code."),
        .required("price", .number, "The price in units of the currency, as the station shows it."),
        .optional("updated", .time, "When that was known."),
      ]))

  static let rectangle = Shape.record(
    Record(
      "Rectangle", "A closed rectangle.",
      [.required("low", .point, "The south-west corner."), .required("high", .point, "The north-east corner.")]))

  fileprivate static let openingHours: Shape = {
    let moment = Shape.record(
      Record(
        "Moment", "A time of the week, in local time.",
        [
          .required("day", .integer, "0 for Sunday to 6."), .required("hour", .integer, "0 to 23."),
          .required("minute", .integer, "0 to 59."), .optional("date", .string, "The date, YYYY-MM-DD; only in current opening hours."),
          .optional("truncated", .boolean, "True if the period goes on beyond the seven days."),
        ]))
    let period = Shape.record(
      Record(
        "Period", "A continuous period.",
        [.required("open", moment, "The beginning."), .optional("close", moment, "The end; absent if the place never closes.")]))
    return .record(
      Record(
        "OpeningHours", "When a place is open.",
        [
          .optional("openNow", .boolean, "True if the place is open now."),
          .required("periods", .list(period), "The periods in which the place is open; empty if they are not known."),
          .optional("weekdayText", .list(.string), "The same as text, one line for each day."),
          .optional("text", .string, "The service's own text, if it returns no times."),
          .optional("specialDays", .list(.string), "The dates, YYYY-MM-DD, whose hours differ from the regular ones."),
          .optional("nextOpen", .time, "When the place opens next, if it is closed."),
          .optional("nextClose", .time, "When the place closes next, if it is open."),
          .optional("kind", .string, "For secondary opening hours, the part of the place that they apply to."),
        ]))
  }()
}
