import Geocoders
import PlacesKit

/// Converts Google's `Place` message to a place (google/maps/places/v1/place.proto).
enum GooglePlace {
  /// The place that an object describes; nil if the object has no id and `id` is nil.
  /// - Parameter id: the requested id, which is used if the object has none.
  static func place(from value: JSONValue, fields: Set<PlaceField>, id: String? = nil) -> Place? {
    guard value.object != nil, let id = value["id"]?.string ?? id, !id.isEmpty else { return nil }
    var place = Place(id: id)
    place.location = coordinate(value["location"])
    place.types = GoogleTypes.types(from: value["types"])
    place.language = value["displayName"]?["languageCode"]?.string
    place.evidence = evidence(from: value)
    place.evidence.equivalents = ["google:\(id)"]
    place.attributions = (value["attributions"]?.array ?? []).compactMap { attribution in
      attribution["provider"]?.string.map { Attribution(text: $0, url: attribution["providerUri"]?.string) }
    }
    for field in fields { place.values[field] = field.accepted(self.value(of: field, in: value)) }
    return place
  }

  /// Proto3 JSON omits zeros: the location of a place on the equator has no `latitude`.
  private static func coordinate(_ value: JSONValue?) -> Coordinate? {
    guard let value, value.object != nil else { return nil }
    return Coordinate(latitude: value["latitude"]?.double ?? 0, longitude: value["longitude"]?.double ?? 0)
  }

  private static func point(_ value: JSONValue?) -> JSONValue? { coordinate(value)?.json }

  /// The value of a field, converted to the form that `Place.values` has; nil if the place lacks it.
  private static func value(of field: PlaceField, in place: JSONValue) -> JSONValue? {
    switch field {
    case .placeID: return place["id"]
    case .name: return place["displayName"]?["text"]
    case .coordinate: return point(place["location"])
    case .viewport:
      guard let low = point(place["viewport"]?["low"]), let high = point(place["viewport"]?["high"]) else { return nil }
      return ["low": low, "high": high]
    case .addressComponents: return place["addressComponents"]?.array.map { .array($0.map(addressComponent)) }
    case .businessStatus: return place["businessStatus"]?.string.map { .string($0.lowercased()) }
    case .priceLevel:
      return place["priceLevel"]?.string.flatMap { PriceLevel(rawValue: String($0.dropFirst("PRICE_LEVEL_".count)).lowercased()) }
        .map { .string($0.rawValue) }
    case .plusCode: return plusCode(place["plusCode"])
    case .photos: return place["photos"]?.array.map { .array($0.map(photo)) }
    case .iconImageURL: return place["iconMaskBaseUri"]?.string.map { .string($0 + ".svg") }
    case .wheelchairAccessibleEntrance: return place["accessibilityOptions"]?["wheelchairAccessibleEntrance"]
    case .openingHours: return place["regularOpeningHours"].map { hours($0) }
    case .currentOpeningHours: return place["currentOpeningHours"].map { hours($0) }
    case .secondaryOpeningHours: return place["currentSecondaryOpeningHours"]?.array.map { .array($0.map(hours)) }
    case .editorialSummary: return place["editorialSummary"]?["text"]
    case .timeZone: return place["timeZone"]?["id"]
    case .priceRange: return priceRange(place["priceRange"])
    case .reviews: return place["reviews"]?.array.map { .array($0.map(review)) }
    case .evChargeOptions: return place["evChargeOptions"]?["connectorAggregation"]?.array.map { .array($0.compactMap(charger)) }
    case .fuelOptions: return place["fuelOptions"]?["fuelPrices"]?.array.map { .array($0.compactMap(fuel)) }
    case .types: return .array(GoogleTypes.types(from: place["types"]).map { .string($0.rawValue) })
    default: return place[GoogleFields.path(field)]
    }
  }

  private static func addressComponent(_ value: JSONValue) -> JSONValue {
    var component: JSONObject = [:]
    component["long"] = value["longText"]
    component["short"] = value["shortText"] ?? value["longText"]
    component["types"] = value["types"] ?? []
    return .object(component)
  }

  private static func plusCode(_ value: JSONValue?) -> JSONValue? {
    guard let global = value?["globalCode"] else { return nil }
    var code: JSONObject = ["global": global]
    code["compound"] = value?["compoundCode"]
    return .object(code)
  }

  private static func photo(_ value: JSONValue) -> JSONValue {
    var converted: JSONObject = [:]
    converted["id"] = value["name"]
    converted["width"] = value["widthPx"]
    converted["height"] = value["heightPx"]
    converted["attributions"] = .array((value["authorAttributions"]?.array ?? []).map(author))
    return .object(converted)
  }

  private static func author(_ value: JSONValue?) -> JSONValue {
    var attribution: JSONObject = ["text": value?["displayName"] ?? "unknown"]
    attribution["url"] = value?["uri"]
    return .object(attribution)
  }

  private static func review(_ value: JSONValue) -> JSONValue {
    var converted: JSONObject = ["author": author(value["authorAttribution"])]
    converted["text"] = value["text"]?["text"]
    converted["language"] = value["text"]?["languageCode"]
    converted["rating"] = value["rating"]
    converted["time"] = value["publishTime"]
    converted["url"] = value["googleMapsUri"]
    return .object(converted)
  }

  /// The amount of a google.type.Money: whole units, which proto3 JSON writes as a string, and billionths (`nanos`).
  private static func money(_ value: JSONValue?) -> (currency: String, amount: Double)? {
    guard let currency = value?["currencyCode"]?.string, !currency.isEmpty else { return nil }
    guard let units = value?["units"].map({ $0.string.flatMap { Double($0) } ?? $0.double }) ?? 0 else { return nil }
    return (currency, units + (value?["nanos"]?.double ?? 0) / 1e9)
  }

  private static func priceRange(_ value: JSONValue?) -> JSONValue? {
    let (low, high) = (money(value?["startPrice"]), money(value?["endPrice"]))
    guard let currency = (low ?? high)?.currency else { return nil }
    var range: JSONObject = ["currency": .string(currency)]
    range["low"] = low.map { .number($0.amount) }
    range["high"] = high.map { .number($0.amount) }
    return .object(range)
  }

  private static func charger(_ value: JSONValue) -> JSONValue? {
    guard let type = value["type"]?.string else { return nil }
    var converted: JSONObject = ["type": .string(type.lowercased()), "count": value["count"] ?? 0]
    converted["maxKilowatts"] = value["maxChargeRateKw"]
    converted["available"] = value["availableCount"]
    converted["outOfService"] = value["outOfServiceCount"]
    converted["updated"] = value["availabilityLastUpdateTime"]
    return .object(converted)
  }

  private static func fuel(_ value: JSONValue) -> JSONValue? {
    guard let type = value["type"]?.string, let price = money(value["price"]) else { return nil }
    var converted: JSONObject = ["type": .string(type.lowercased()), "currency": .string(price.currency), "price": .number(price.amount)]
    converted["updated"] = value["updateTime"]
    return .object(converted)
  }

  /// The opening hours. Days need no conversion: Google, too, counts from Sunday, which is 0. A place that never closes has one period
  /// without `close`.
  private static func hours(_ value: JSONValue) -> JSONValue {
    var converted: JSONObject = [:]
    converted["kind"] = value["secondaryHoursType"]?.string.map { .string($0.lowercased()) }
    converted["openNow"] = value["openNow"]
    converted["periods"] = .array(
      (value["periods"]?.array ?? []).compactMap { period in
        guard let open = time(period["open"]) else { return nil }
        guard period["close"] != nil else { return ["open": open] }
        return time(period["close"]).map { ["open": open, "close": $0] }
      })
    converted["weekdayText"] = value["weekdayDescriptions"]
    let days = (value["specialDays"]?.array ?? []).compactMap { date($0["date"]) }
    if !days.isEmpty { converted["specialDays"] = .array(days) }
    converted["nextOpen"] = value["nextOpenTime"]
    converted["nextClose"] = value["nextCloseTime"]
    return .object(converted)
  }

  /// A day, an hour and a minute; nil if one of them is not valid.
  private static func time(_ value: JSONValue?) -> JSONValue? {
    guard let value, value.object != nil else { return nil }
    var converted: JSONObject = [:]
    for (name, limit) in [("day", 7), ("hour", 24), ("minute", 60)] {
      guard let number = (value[name] ?? 0).integer, (0..<limit).contains(number) else { return nil }
      converted[name] = .integer(Int64(number))
    }
    converted["date"] = date(value["date"])
    if value["truncated"] == .boolean(true) { converted["truncated"] = true }
    return .object(converted)
  }

  /// A google.type.Date as `YYYY-MM-DD`; nil unless it has a year, a month and a day.
  private static func date(_ value: JSONValue?) -> JSONValue? {
    guard let year = value?["year"]?.integer, let month = value?["month"]?.integer, let day = value?["day"]?.integer,
      (1...9_999).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    func padded(_ number: Int, _ digits: Int) -> String {
      String(repeating: "0", count: max(0, digits - String(number).count)) + String(number)
    }
    return .string("\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))")
  }

  /// The parts of the address and the contacts. By these, merging recognizes the same place in the answers of other providers.
  private static func evidence(from value: JSONValue) -> Evidence {
    var evidence = Evidence()
    for component in value["addressComponents"]?.array ?? [] {
      let types = (component["types"]?.array ?? []).compactMap(\.string)
      let longText = component["longText"]?.string
      if types.contains("street_number") { evidence.houseNumber = longText }
      if types.contains("route") { evidence.street = longText }
      if types.contains("postal_code") { evidence.postcode = longText }
      if types.contains("locality") || (types.contains("postal_town") && evidence.locality == nil) { evidence.locality = longText }
      if types.contains("administrative_area_level_1") { evidence.region = longText }
      if types.contains("country") { evidence.country = component["shortText"]?.string }
    }
    evidence.address = value["formattedAddress"]?.string
    evidence.phone = value["internationalPhoneNumber"]?.string
    evidence.website = value["websiteUri"]?.string
    return evidence
  }
}
