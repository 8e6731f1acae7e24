import Geocoders
import PlacesKit
import Text

/// Converts Foursquare's place object. Every member of the object may be missing; an empty string means that the value is missing, too.
enum FoursquarePlace {
  /// The place that an object describes; nil if the object has no id and `id` is nil.
  /// - Parameter id: the id that is used if the object has none.
  static func place(from value: JSONValue, fields: Set<PlaceField>, id: String? = nil) -> Place? {
    guard let id = text(value["fsq_place_id"]) ?? id else { return nil }
    var place = Place(id: id)
    if let latitude = value["latitude"]?.double, let longitude = value["longitude"]?.double {
      place.location = Coordinate(latitude: latitude, longitude: longitude)
    }
    place.types = FoursquareTypes.types(from: value["categories"])
    place.evidence = evidence(from: value)
    place.evidence.equivalents = ["foursquare:\(id)"]
    for field in fields { place.values[field] = field.accepted(self.value(of: field, in: value, place: place)) }
    return place
  }

  private static func text(_ value: JSONValue?) -> String? { value?.string.flatMap { $0.isEmpty ? nil : $0 } }

  private static func value(of field: PlaceField, in value: JSONValue, place: Place) -> JSONValue? {
    switch field {
    case .placeID: .string(place.id)
    case .name: text(value["name"]).map(JSONValue.string)
    case .coordinate: place.location?.json
    case .formattedAddress: text(value["location"]?["formatted_address"]).map(JSONValue.string)
    case .addressComponents: value["location"].map { components($0) }
    case .types: .array(place.types.map { .string($0.rawValue) })
    case .phoneNumber: text(value["tel"]).flatMap { Phone.e164($0, country: place.evidence.country) }.map(JSONValue.string)
    case .website: text(value["website"]).map(JSONValue.string)
    case .businessStatus: text(value["date_closed"]) == nil ? "operational" : "closed_permanently"
    // Foursquare's ratings are from 0 to 10, those of a `Place` from 0 to 5.
    case .rating: value["rating"]?.double.map { .number($0 / 2) }
    case .priceLevel:
      value["price"]?.integer.flatMap { (1...4).contains($0) ? .string(FoursquareFields.priceLevels[$0 - 1].rawValue) : nil }
    case .openingHours: value["hours"].map { hours($0) }
    case .userRatingsTotal: value["stats"]?["total_ratings"]
    case .iconImageURL: icon(categories: value["categories"]).map(JSONValue.string)
    case .photos: value["photos"]?.array.map { .array($0.compactMap(photo)) }
    case .editorialSummary: text(value["description"]).map(JSONValue.string)
    default: nil
    }
  }

  private static func components(_ location: JSONValue) -> JSONValue {
    let parts: [(String, String)] = [
      ("address", "street_address"), ("locality", "locality"), ("region", "administrative_area_level_1"), ("postcode", "postal_code"),
      ("country", "country"),
    ]
    return .array(
      parts.compactMap { member, type in
        text(location[member]).map { ["long": .string($0), "short": .string($0), "types": [.string(type)]] }
      })
  }

  /// The opening hours. Foursquare's member `regular` is a list of {day 1 = Monday … 7 = Sunday, open "HHMM", close "HHMM"}.
  private static func hours(_ value: JSONValue) -> JSONValue {
    var converted: JSONObject = [:]
    converted["openNow"] = value["open_now"]
    converted["periods"] = .array(
      (value["regular"]?.array ?? []).compactMap { period in
        guard let day = period["day"]?.integer, (1...7).contains(day), let open = minutesSinceMidnight(period["open"]) else { return nil }
        var result: JSONObject = ["open": time(day: day, open)]
        if let close = minutesSinceMidnight(period["close"]) {
          // A closing time that is not later than the opening time is on the next day, even without a plus sign.
          result["close"] = time(day: day, close + (close <= open ? 1_440 : 0))
        }
        return .object(result)
      })
    if let displayText = text(value["display"]) { converted["text"] = .string(displayText) }
    return .object(converted)
  }

  /// The minutes from the day's midnight to the time `HHMM`; 2400 is the end of the day. A plus sign means the next day: `+0130` is half
  /// past one in the following night, 1,530 minutes. Nil if the text is not a time.
  private static func minutesSinceMidnight(_ value: JSONValue?) -> Int? {
    guard let timeText = value?.string, let number = Int(timeText.drop { $0 == "+" }), (0...2400).contains(number), number % 100 < 60 else {
      return nil
    }
    return number / 100 * 60 + number % 100 + (timeText.hasPrefix("+") ? 1_440 : 0)
  }

  /// The time of the week that is this number of minutes after the beginning of a day. 1,440 minutes (a day) or more are on the next day.
  /// - Parameter day: from 1 for Monday to 7 for Sunday. The result counts days from Sunday, which is 0.
  private static func time(day: Int, _ minutes: Int) -> JSONValue {
    [
      "day": .integer(Int64((day + minutes / 1_440) % 7)), "hour": .integer(Int64(minutes / 60 % 24)),
      "minute": .integer(Int64(minutes % 60)),
    ]
  }

  /// The icon of the first category that has one.
  static func icon(categories: JSONValue?) -> String? {
    (categories?.array ?? []).lazy.compactMap { icon($0["icon"]) }.first
  }

  /// The address of an icon of 64 pixels, with a grey background (`bg_`) because the icons themselves are white.
  private static func icon(_ value: JSONValue?) -> String? {
    guard let prefix = text(value?["prefix"]), let suffix = text(value?["suffix"]) else { return nil }
    return "\(prefix)bg_64\(suffix)"
  }

  private static func photo(_ value: JSONValue) -> JSONValue? {
    guard let prefix = text(value["prefix"]), let suffix = text(value["suffix"]) else { return nil }
    let size = value["width"]?.integer.flatMap { width in value["height"]?.integer.map { "\(width)x\($0)" } } ?? "original"
    var converted: JSONObject = ["id": .string("\(prefix)\(size)\(suffix)"), "attributions": []]
    converted["width"] = value["width"]
    converted["height"] = value["height"]
    return .object(converted)
  }

  private static func evidence(from value: JSONValue) -> Evidence {
    let location = value["location"]
    var evidence = Evidence()
    evidence.address = text(location?["address"])
    evidence.postcode = text(location?["postcode"])
    evidence.locality = text(location?["locality"])
    evidence.region = text(location?["region"])
    evidence.country = text(location?["country"]).flatMap { $0.count == 2 ? $0.uppercased() : nil }
    evidence.phone = text(value["tel"])
    evidence.website = text(value["website"])
    return evidence
  }
}
