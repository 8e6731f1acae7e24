import Geocoders
import PlacesKit

/// Reads Photon's answers, which are GeoJSON features with flat properties and without labels.
enum PhotonAnswer {
  /// The `detail` of the error if the server does not know a parameter of the request.
  static let unknownParameter = "parameter"

  /// Throws the error that the answer reports. Photon reports every failure, even an overload, with status 400. Only the message
  /// distinguishes them.
  static func places(from response: HTTPResponse, service: String) throws(ProviderError) -> [GeocodedPlace] {
    if response.status == 400 { throw refusal(response, service: service) }
    if response.status == 429 {
      throw ProviderError(
        .rateLimit, "\(service) received too many requests (HTTP 429)", retryAfterSeconds: response.retryAfterSeconds ?? 60)
    }
    let value = try response.json(from: service, usesKey: false)
    guard let features = value["features"]?.array else { throw ProviderError(.decode, "\(service)'s answer has no features") }
    // Requests ask for at most 50 rows. This limit bounds the work if a server sends more.
    return features.prefix(100).compactMap(place)
  }

  /// The error of an answer with status 400, by its message. A message that names no fault of the request means that the server failed.
  private static func refusal(_ response: HTTPResponse, service: String) -> ProviderError {
    let message = response.parsed?["message"]?.string?.lowercased() ?? ""
    if message.contains("unknown query parameter") {
      return ProviderError(
        .badRequest, "\(service) does not know a parameter of the request: check the server's version", detail: unknownParameter)
    }
    if message.contains("language") {
      return ProviderError(
        .badRequest, "\(service)'s data lacks the requested language: set `languages` to the languages of its data", detail: "language")
    }
    let requestFaults = ["parameter", "missing search term", "bounding box", "bbox", "out of bounds", "invalid", "osm_tag", "layer"]
    if requestFaults.contains(where: message.contains) {
      return ProviderError(.badRequest, "\(service) refuses the request", detail: "request")
    }
    return ProviderError(.http, "\(service) failed to answer (HTTP 400, which it also sends for its own failures)", detail: "transient")
  }

  /// The place of a feature; nil if the feature has no location, or no name or address.
  static func place(_ feature: JSONValue) -> GeocodedPlace? {
    guard let location = Coordinate(point: feature["geometry"]), let properties = feature["properties"]?.properties else { return nil }
    let parts = addressParts(of: properties)
    // Imports of other data have no OpenStreetMap ids.
    let osm = OpenStreetMapID(kind: properties["osm_type"]?.string, number: properties["osm_id"])
    guard parts.primary != nil else { return nil }
    let id = OpenStreetMapID.row(osm, at: location)
    var place = GeocodedPlace(id: id, parts: parts, types: types(properties, parts: parts))
    place.location = location
    // `extent` has the north-west corner and then the south-east one, unlike GeoJSON's `bbox`.
    let extent = properties["extent"]
    place.viewport = Rectangle(south: extent?[3], west: extent?[0], north: extent?[1], east: extent?[2])
    let extra = properties["extra"]
    place.phone = extra?["phone"]?.filledString ?? extra?["contact:phone"]?.filledString
    place.website = extra?["website"]?.filledString ?? extra?["contact:website"]?.filledString
    place.openingHours = extra?["opening_hours"]?.filledString
    place.wheelchair = extra?["wheelchair"]?.yesOrNo
    place.equivalents = [osm?.equivalent, extra?["wikidata"]?.filledString.map { "wikidata:\($0)" }].compactMap { $0 }
    return place
  }

  private static func addressParts(of properties: JSONValue) -> AddressParts {
    var parts = AddressParts()
    parts.name = properties["name"]?.filledString
    parts.houseNumber = properties["housenumber"]?.filledString
    parts.street = properties["street"]?.filledString
    parts.postcode = properties["postcode"]?.filledString
    parts.district = properties["district"]?.filledString ?? properties["locality"]?.filledString
    parts.city = properties["city"]?.filledString
    parts.county = properties["county"]?.filledString
    parts.state = properties["state"]?.filledString
    parts.country = properties["country"]?.filledString
    parts.countryCode = properties["countrycode"]?.countryCode
    // addok, which answers in the same format, repeats the number and street of a house as its name; that is not a name.
    if let name = parts.name, let number = parts.houseNumber, let street = parts.street, name == "\(number) \(street)" { parts.name = nil }
    return parts
  }

  private static func types(_ properties: JSONValue, parts: AddressParts) -> [PlaceType] {
    let key = properties["osm_key"]?.string ?? ""
    let value = properties["osm_value"]?.string ?? ""
    let layer = properties["type"]?.string ?? ""
    if key == "boundary", value == "administrative" { return typesByLayer[layer] ?? [] }
    let isAddress = parts.houseNumber != nil && parts.name == nil
    let extra = properties["extra"]
    let tagTypes = OpenStreetMapTypes.types(key, value, cuisine: extra?["cuisine"]?.string, religion: extra?["religion"]?.string)
    let rowTypes = (isAddress ? ["street_address"] : []) + tagTypes.filter { !isAddress || $0 != "street_address" }
    return rowTypes.isEmpty ? typesByLayer[layer] ?? [] : rowTypes
  }

  /// The types of the places in each layer. Layers that have places of several types are absent.
  private static let typesByLayer: [String: [PlaceType]] = [
    "street": ["route"], "locality": ["neighborhood"], "district": ["sublocality"], "city": ["locality"],
    "county": ["administrative_area_level_2"], "state": ["administrative_area_level_1"], "country": ["country"],
  ]
}

extension JSONValue {
  /// The properties of a feature: flat, or in the member `geocoding` as in GeocodeJSON.
  var properties: JSONValue? { object == nil ? nil : self["geocoding"] ?? self }
}
