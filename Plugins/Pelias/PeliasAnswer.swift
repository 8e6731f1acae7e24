import Geocoders
import PlacesKit

/// A Pelias answer: GeoJSON features with flat properties, and warnings and errors under `geocoding`.
struct PeliasAnswer {
  var places: [GeocodedPlace]
  var warnings: [String]

  /// Throws the error that the answer reports. For a timeout, Pelias's code sends status 502 and its documentation names 408; both errors
  /// are temporary.
  init(from response: HTTPResponse) throws(ProviderError) {
    if response.status == 400 {
      let count = response.parsed?["geocoding"]?["errors"]?.array?.count ?? 0
      throw ProviderError(.badRequest, "Pelias refuses the request" + (count > 1 ? " for \(count) reasons" : ""), detail: "request")
    }
    let value = try response.json(from: "Pelias")
    guard let features = value["features"]?.array else { throw ProviderError(.decode, "Pelias's answer has no features") }
    warnings = value["geocoding"]?["warnings"]?.array?.compactMap(\.string) ?? []
    // Requests ask for at most 40 rows. This limit bounds the work if a server sends more.
    places = features.prefix(100).compactMap(PeliasAnswer.place)
  }

  /// The place of a feature; nil if the feature has no location, no id (`gid`), or neither a name nor a label.
  static func place(_ feature: JSONValue) -> GeocodedPlace? {
    guard let location = Coordinate(point: feature["geometry"]), let object = feature["properties"], object.object != nil else {
      return nil
    }
    let properties = object["geocoding"] ?? object
    guard let id = properties["gid"]?.filledString, let name = properties["name"]?.filledString ?? properties["label"]?.filledString
    else { return nil }
    let layer = properties["layer"]?.string ?? ""
    var parts = addressParts(of: properties)
    // The name of an address is its street line, which is also in the other parts.
    parts.name = layer == "address" && parts.streetLine != nil ? nil : name
    var place = GeocodedPlace(
      id: id, parts: parts, types: PeliasLayers.types(layer) + PeliasLayers.types(categories: properties["category"]))
    place.label = properties["label"]?.filledString
    place.location = location
    let box = feature["bbox"]
    place.viewport = Rectangle(south: box?[1], west: box?[0], north: box?[3], east: box?[2])
    let osm = properties["addendum"]?["osm"]
    place.phone = osm?["phone"]?.filledString
    place.website = osm?["website"]?.filledString
    place.openingHours = osm?["opening_hours"]?.filledString
    place.wheelchair = osm?["wheelchair"]?.yesOrNo
    place.equivalents = equivalents(properties)
    place.partialMatch = isPartial(properties) ? true : nil
    return place
  }

  /// True for a row that matches only a part of the text: Pelias falls back to a wider place, such as the city of an unknown street. If the
  /// row has no `match_type`, a confidence below one half means the same.
  private static func isPartial(_ properties: JSONValue) -> Bool {
    if let match = properties["match_type"]?.string { return match == "fallback" }
    return properties["confidence"]?.double.map { $0 < 0.5 } ?? false
  }

  private static func addressParts(of properties: JSONValue) -> AddressParts {
    var parts = AddressParts()
    parts.houseNumber = properties["housenumber"]?.filledString
    parts.street = properties["street"]?.filledString
    parts.postcode = properties["postalcode"]?.filledString
    parts.district = properties["borough"]?.filledString ?? properties["neighbourhood"]?.filledString
    parts.city = properties["locality"]?.filledString ?? properties["localadmin"]?.filledString
    parts.county = properties["county"]?.filledString
    parts.state = properties["region"]?.filledString
    parts.country = properties["country"]?.filledString
    parts.countryCode = properties["country_code"]?.countryCode
    return parts
  }

  private static func equivalents(_ properties: JSONValue) -> [String] {
    guard let id = properties["source_id"]?.filledString ?? properties["source_id"]?.integer.map({ String($0) }) else { return [] }
    switch properties["source"]?.string {
    case "openstreetmap", "osm": return OpenStreetMapID(id).map { [$0.equivalent] } ?? []
    case "geonames", "gn": return ["geonames:\(id)"]
    case "whosonfirst", "wof":
      let concordances = properties["addendum"]?["concordances"]
      let geonames = concordances?["gn:id"].flatMap { $0.filledString ?? $0.integer.map { String($0) } }
      let wikidata = concordances?["wd:id"]?.filledString ?? concordances?["wikidata_id"]?.filledString
      return ["whosonfirst:\(id)"] + [geonames.map { "geonames:\($0)" }, wikidata.map { "wikidata:\($0)" }].compactMap { $0 }
    default: return []
    }
  }
}
