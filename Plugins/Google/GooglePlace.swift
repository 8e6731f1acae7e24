import PlacesKit

/// Google's `Place` message, as far as the field table goes.
enum GooglePlace {
  /// Nil for an object without id. `id` is what was asked for, where the mask left the id out.
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

  /// Proto3 JSON leaves zeros out: a place on the equator has no latitude.
  private static func coordinate(_ value: JSONValue?) -> Coordinate? {
    guard let value, value.object != nil else { return nil }
    return Coordinate(latitude: value["latitude"]?.double ?? 0, longitude: value["longitude"]?.double ?? 0)
  }

  private static func point(_ value: JSONValue?) -> JSONValue? { coordinate(value).map(GoogleRequests.point) }

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
    var photo: JSONObject = [:]
    photo["id"] = value["name"]
    photo["width"] = value["widthPx"]
    photo["height"] = value["heightPx"]
    photo["attributions"] = .array(
      (value["authorAttributions"]?.array ?? []).map { author in
        var attribution: JSONObject = ["text": author["displayName"] ?? "unknown"]
        attribution["url"] = author["uri"]
        return .object(attribution)
      })
    return .object(photo)
  }

  /// Days are Google's already: 0 is Sunday. A place that never closes has one period without end.
  private static func hours(_ value: JSONValue) -> JSONValue {
    var hours: JSONObject = [:]
    hours["kind"] = value["secondaryHoursType"]?.string.map { .string($0.lowercased()) }
    hours["openNow"] = value["openNow"]
    hours["periods"] = .array(
      (value["periods"]?.array ?? []).compactMap { period in
        guard let open = time(period["open"]) else { return nil }
        guard period["close"] != nil else { return ["open": open] }
        return time(period["close"]).map { ["open": open, "close": $0] }
      })
    hours["weekdayText"] = value["weekdayDescriptions"]
    return .object(hours)
  }

  /// Nil for what is no time of a week.
  private static func time(_ value: JSONValue?) -> JSONValue? {
    guard let value, value.object != nil else { return nil }
    var time: JSONObject = [:]
    for (name, bound) in [("day", 7), ("hour", 24), ("minute", 60)] {
      guard let number = (value[name] ?? 0).integer, (0..<bound).contains(number) else { return nil }
      time[name] = .integer(Int64(number))
    }
    return .object(time)
  }

  /// What tells this place apart, out of the address's components.
  private static func evidence(from value: JSONValue) -> Evidence {
    var evidence = Evidence()
    for component in value["addressComponents"]?.array ?? [] {
      let kinds = (component["types"]?.array ?? []).compactMap(\.string)
      let long = component["longText"]?.string
      if kinds.contains("street_number") { evidence.houseNumber = long }
      if kinds.contains("route") { evidence.street = long }
      if kinds.contains("postal_code") { evidence.postcode = long }
      if kinds.contains("locality") || (kinds.contains("postal_town") && evidence.locality == nil) { evidence.locality = long }
      if kinds.contains("administrative_area_level_1") { evidence.region = long }
      if kinds.contains("country") { evidence.country = component["shortText"]?.string }
    }
    evidence.address = value["formattedAddress"]?.string
    evidence.phone = value["internationalPhoneNumber"]?.string
    evidence.website = value["websiteUri"]?.string
    return evidence
  }
}
