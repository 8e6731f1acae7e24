import Geocoders
import PlacesKit

/// A city, a country or another region that an autocomplete row of the type `geo` names. Foursquare has no ids for regions. The id made
/// here contains all data of the row, so that details need a request only for missing bounds.
///
/// The id is `geo:COUNTRY:TYPE:NAME|SECOND_LINE@LAT,LNG;SOUTH,WEST,NORTH,EAST`; the country, the second line, the point and the bounds can
/// be missing.
struct FoursquareRegion {
  var country: String?
  var type: PlaceType
  var name: String
  /// The second line of the row, such as `KS, United States`.
  var secondLine: String?
  var location: Coordinate?
  var bounds: Rectangle?

  /// The region that an autocomplete row describes. Coordinates are rounded to four decimals, about 11 metres, to keep the id short.
  init(_ geo: JSONValue?, primary: String, secondary: String?) {
    country = geo?["cc"]?.string.flatMap { $0.count == 2 && $0.allSatisfy { $0.isASCII && $0.isLetter } ? $0.uppercased() : nil }
    type = FoursquareRegion.type(of: geo?["type"]?.string)
    name = FoursquareRegion.withoutSeparators(geo?["name"]?.string ?? primary)
    secondLine = secondary.map(FoursquareRegion.withoutSeparators)
    location = FoursquareRegion.point(geo?["center"])?.rounded(decimals: 4)
    if let low = FoursquareRegion.point(geo?["bounds"]?["sw"]), let high = FoursquareRegion.point(geo?["bounds"]?["ne"]) {
      let rectangle = Rectangle(low: low.rounded(decimals: 4), high: high.rounded(decimals: 4))
      bounds = rectangle.isEmpty ? nil : rectangle
    }
  }

  /// The region that an id describes; nil if the id is not of the form above.
  init?(id: String) {
    let parts = id.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == FoursquareRegion.prefix, let atSign = parts[3].lastIndex(of: "@") else { return nil }
    let lines = parts[3][..<atSign].split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    guard let firstLine = lines.first, !firstLine.isEmpty else { return nil }
    country = parts[1].isEmpty ? nil : String(parts[1])
    type = PlaceType(rawValue: String(parts[2]))
    name = String(firstLine)
    secondLine = lines.count > 1 ? String(lines[1]) : nil
    let pointAndBounds = parts[3][parts[3].index(after: atSign)...].split(separator: ";", omittingEmptySubsequences: false)
    guard pointAndBounds.count <= 2 else { return nil }
    if let point = pointAndBounds.first, !point.isEmpty {
      let numbers = FoursquareRegion.numbers(point)
      guard numbers.count == 2, let coordinate = Coordinate(latitude: numbers[0], longitude: numbers[1]) else { return nil }
      location = coordinate
    }
    guard pointAndBounds.count == 2 else { return }
    let numbers = FoursquareRegion.numbers(pointAndBounds[1])
    guard numbers.count == 4, let low = Coordinate(latitude: numbers[0], longitude: numbers[1]),
      let high = Coordinate(latitude: numbers[2], longitude: numbers[3])
    else { return nil }
    let rectangle = Rectangle(low: low, high: high)
    guard !rectangle.isEmpty else { return nil }
    bounds = rectangle
  }

  private static let prefix = "geo"

  /// The id in the form above.
  var id: String {
    let point = location.map(FoursquareRequests.point) ?? ""
    let box = bounds.map { ";\(FoursquareRequests.point($0.low)),\(FoursquareRequests.point($0.high))" } ?? ""
    return "\(FoursquareRegion.prefix):\(country ?? ""):\(type.rawValue):\(name)\(secondLine.map { "|\($0)" } ?? "")@\(point)\(box)"
  }

  /// The whole name, such as `Coffeyville, KS, United States`.
  var label: String { secondLine.map { "\(name), \($0)" } ?? name }

  func place(fields: Set<PlaceField>) -> Place {
    var place = Place(id: id, types: [type], location: location)
    place.evidence.country = country
    for field in fields { place.values[field] = field.accepted(value(of: field)) }
    return place
  }

  private func value(of field: PlaceField) -> JSONValue? {
    switch field {
    case .placeID: .string(id)
    case .name: .string(name)
    case .formattedAddress: .string(label)
    case .coordinate: location?.json
    case .viewport: bounds?.json
    case .types: [.string(type.rawValue)]
    case .addressComponents:
      .array(
        ([(name, type.rawValue)] + (type == "country" ? [] : country.map { [($0, "country")] } ?? [])).map { text, type in
          ["long": .string(text), "short": .string(text), "types": [.string(type)]]
        })
    default: nil
    }
  }

  /// The text with spaces in place of `|` and `@`, which end a text in an id.
  private static func withoutSeparators(_ text: String) -> String { text.replacing("|", with: " ").replacing("@", with: " ") }

  /// The numbers between the commas; empty if any part is not a number.
  private static func numbers(_ text: Substring) -> [Double] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0) }
    return numbers.count == parts.count ? numbers : []
  }

  private static func point(_ value: JSONValue?) -> Coordinate? {
    guard let latitude = value?["latitude"]?.double, let longitude = value?["longitude"]?.double else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  /// The type that corresponds to Foursquare's name of a kind of region. Any other name means a town.
  private static func type(of foursquareName: String?) -> PlaceType {
    switch foursquareName {
    case "country": "country"
    case "region", "admin1": "administrative_area_level_1"
    case "county", "admin2": "administrative_area_level_2"
    case "neighborhood": "neighborhood"
    case "postal_code", "postalcode": "postal_code"
    default: "locality"
    }
  }

  /// The request for the bounds of a region that has none: a search near its name. Its answer contains the circle that Foursquare searched.
  var boundsRequest: HTTPRequest {
    FoursquareRequests.get(
      FoursquareSearch.path, query: [.init("near", label), .init("fields", FoursquareFields.mask([])), .init("limit", "1")])
  }

  /// Sets the bounds from the answer to `boundsRequest`. They stay nil if Foursquare does not find the name.
  mutating func setBounds(from response: HTTPResponse) throws(ProviderError) {
    // Foursquare answers with status 400 if it does not find the name.
    guard response.status != 400 else { return }
    let circle = try FoursquareErrors.body(of: response)["context"]?["geo_bounds"]?["circle"]
    guard let center = FoursquareRegion.point(circle?["center"]), let radius = circle?["radius"]?.double, (1...5_000_000).contains(radius)
    else { return }
    bounds = Area.circle(center: center, radius: radius).bounds
  }
}
