import JSON
import PlacesKit

/// Reads Nominatim's answers in the format `jsonv2` (nominatim.org/release-docs/latest/api/Output). The plugins Nominatim and Photon use
/// it; Photon requests the details of a place from Nominatim.
public enum NominatimAnswer {
  /// The URL parameters of a `/lookup` request for one object.
  public static func lookup(_ id: OpenStreetMapID, language: String?) -> [HTTPRequest.Item] {
    [HTTPRequest.Item("osm_ids", id.short)] + common(language: language)
  }

  /// The URL parameters of every request. `format` is always sent, because its default differs between calls and servers.
  public static func common(language: String?) -> [HTTPRequest.Item] {
    [.init("format", "jsonv2"), .init("addressdetails", "1"), .init("extratags", "1"), .init("namedetails", "1")]
      + (language.map { [.init("accept-language", $0)] } ?? [])
  }

  /// The places of an answer, without rows that have no position; at most 100. Throws the error for the HTTP status before it reads the
  /// body, because the body of an error may not be JSON: Nominatim inserts messages without escaping them, and an overloaded server answers
  /// in plain text.
  /// - Parameter setting: the setting that names the service's address, for messages.
  public static func places(
    from response: HTTPResponse, service: String, at setting: String = "base_url"
  ) throws(ProviderError) -> [GeocodedPlace] {
    switch response.status {
    case 200: break
    case 429: throw ban(response, service: service)
    // Status 404 does not mean that the whole service fails: a server that is built for reverse geocoding only lacks the other calls.
    case 404:
      throw ProviderError(
        .badRequest, "\(service) does not have this call (HTTP 404): check \(setting); or is it built for reverse geocoding only?")
    default: try response.checkStatus(of: service, at: setting, usesKey: false)
    }
    let value = try response.json(from: service, usesKey: false)
    if let error = value["error"] {
      // `/reverse` answers "Unable to geocode" if it finds nothing.
      if error.string?.lowercased().contains("unable to geocode") == true { return [] }
      let isRequestFault = error["code"]?.integer.map { (400..<500).contains($0) } ?? false
      throw ProviderError(isRequestFault ? .badRequest : .http, "\(service) answered with an error")
    }
    guard let rows = value.array ?? (value["lat"] == nil ? nil : [value]) else {
      throw ProviderError(.decode, "\(service)'s answer is not a list of places")
    }
    return rows.prefix(100).compactMap(place)
  }

  /// The error if the service has received too many requests: status 429, or status 403 of the public server. If the header `Retry-After`
  /// is missing, the service is not called for an hour.
  public static func ban(_ response: HTTPResponse, service: String) -> ProviderError {
    ProviderError(
      .rateLimit, "\(service) refuses requests for now (HTTP \(response.status)): see its usage policy",
      retryAfterSeconds: response.retryAfterSeconds ?? 3_600)
  }

  /// The place that a row describes; nil if the row has no position.
  static func place(_ row: JSONValue) -> GeocodedPlace? {
    guard let location = Coordinate(latitude: row["lat"], longitude: row["lon"]) else { return nil }
    let osm = OpenStreetMapID(kind: row["osm_type"]?.string, number: row["osm_id"])
    // Nominatim computes postcodes and similar rows, which are not OpenStreetMap objects. `place_id` cannot identify them, because only
    // this server knows it.
    let id = OpenStreetMapID.row(osm, at: location)
    let parts = parts(row)
    var place = GeocodedPlace(id: id, parts: parts, types: types(row, parts: parts))
    place.label = row["display_name"]?.filledString
    place.location = location
    let box = row["boundingbox"]
    place.viewport = Rectangle(south: box?[0], west: box?[2], north: box?[1], east: box?[3])
    place.importance = row["importance"]?.numberOrText.map { min(max($0, 0), 1) }
    place.otherNames = names(row["namedetails"])
    let extra = row["extratags"]
    place.phone = extra?["phone"]?.filledString ?? extra?["contact:phone"]?.filledString
    place.website = extra?["website"]?.filledString ?? extra?["contact:website"]?.filledString
    place.openingHours = extra?["opening_hours"]?.filledString
    place.wheelchair = extra?["wheelchair"]?.yesOrNo
    place.serverID = row["place_id"]?.integer
    place.equivalents = [osm?.equivalent, extra?["wikidata"]?.filledString.map { "wikidata:\($0)" }].compactMap { $0 }
    return place
  }

  private static func parts(_ row: JSONValue) -> AddressParts {
    let address = row["address"]
    func firstValue(_ keys: String...) -> String? { keys.lazy.compactMap { address?[$0]?.filledString }.first }
    var parts = AddressParts()
    parts.name = row["name"]?.filledString ?? row["namedetails"]?["name"]?.filledString
    parts.houseNumber = firstValue("house_number")
    parts.street = firstValue("road", "pedestrian", "footway", "path", "cycleway", "square")
    parts.postcode = firstValue("postcode")
    parts.district = firstValue("suburb", "city_district", "borough", "quarter", "neighbourhood")
    parts.city = firstValue("city", "town", "village", "hamlet", "municipality")
    parts.county = firstValue("county", "state_district")
    parts.state = firstValue("state", "region", "province")
    parts.country = firstValue("country")
    parts.countryCode = address?["country_code"]?.countryCode
    return parts
  }

  private static func types(_ row: JSONValue, parts: AddressParts) -> [PlaceType] {
    let category = row["category"]?.string ?? row["class"]?.string ?? ""
    let type = row["type"]?.string ?? ""
    if category == "boundary", type == "administrative", let level = row["addresstype"]?.string {
      // A region with an administrative boundary has a government, like a state. Other regions are areas without a government.
      return OpenStreetMapTypes.types("place", level == "region" ? "state" : level)
    }
    let isAddress = parts.houseNumber != nil && parts.name == nil
    let extra = row["extratags"]
    let tagTypes = OpenStreetMapTypes.types(category, type, cuisine: extra?["cuisine"]?.string, religion: extra?["religion"]?.string)
    return (isAddress ? ["street_address"] : []) + tagTypes.filter { !isAddress || $0 != "street_address" }
  }

  /// The names by which people may know the place.
  private static func names(_ details: JSONValue?) -> [String] {
    let keys = [
      "name", "name:en", "int_name", "official_name", "alt_name", "short_name", "old_name", "name:de", "name:fr", "name:es", "name:ru",
      "name:zh",
    ]
    var seenNames: Set<String> = []
    return keys.compactMap { details?[$0]?.filledString }.flatMap { $0.split(separator: ";").map(String.init) }
      .filter { seenNames.insert($0).inserted }
  }
}
