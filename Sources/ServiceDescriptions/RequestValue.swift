import PlacesKit

/// A value of a request that a template can use. The raw value is its name in a placeholder.
public enum RequestValue: String, Sendable, Hashable, CaseIterable {
  case query, limit, language, region, countries, types
  case biasLatitude = "bias.latitude", biasLongitude = "bias.longitude", biasRadius = "bias.radius"
  case biasSouth = "bias.south", biasWest = "bias.west", biasNorth = "bias.north", biasEast = "bias.east"
  case restrictionLatitude = "restriction.latitude", restrictionLongitude = "restriction.longitude"
  case restrictionRadius = "restriction.radius"
  case restrictionSouth = "restriction.south", restrictionWest = "restriction.west"
  case restrictionNorth = "restriction.north", restrictionEast = "restriction.east"
  case originLatitude = "origin.latitude", originLongitude = "origin.longitude"
  case inputOffset = "input_offset", sessionToken = "session_token"
  case openNow = "open_now", minRating = "min_rating"
  case page, offset, pageNumber = "page_number"
  case id
  case latitude, longitude, radius

  /// One sentence for the manual.
  public var summary: String {
    switch self {
    case .query: "The text of the user."
    case .limit: "The number of rows that are wanted, at most `maximum_rows`."
    case .language: "The BCP 47 tag of the language, such as `de-AT`."
    case .region: "The two-letter code of the user's region, in upper case."
    case .countries: "A list: the two-letter codes of the countries to search in, in upper case."
    case .types: "A list: the service's words, from `[types]`, for the requested types. Absent if one of the types has no word."
    case .biasLatitude, .biasLongitude: "The centre of the area that results should be near to."
    case .biasRadius: "The radius of that area in metres; half the diagonal of a rectangle."
    case .biasSouth, .biasWest, .biasNorth, .biasEast: "The sides of that area's rectangle. Absent if it crosses the antimeridian."
    case .restrictionLatitude, .restrictionLongitude: "The centre of the area that results must be in."
    case .restrictionRadius: "The radius of the circle around that area in metres."
    case .restrictionSouth, .restrictionWest, .restrictionNorth, .restrictionEast:
      "The sides of that area's rectangle. An area that crosses the antimeridian becomes two requests."
    case .originLatitude, .originLongitude: "The point from which distances are measured."
    case .inputOffset: "The position of the caret in the text, in code points."
    case .sessionToken: "The token of the autocomplete session."
    case .openNow: "`true` if only places that are open now are wanted; else absent."
    case .minRating: "The lowest rating that is wanted."
    case .page: "The token of the page, from `paging.token`. Absent on the first page."
    case .offset: "The number of rows on the pages before. Absent on the first page."
    case .pageNumber: "The number of the page, from 1."
    case .id: "The id of the place, as the field `id` gave it."
    case .latitude, .longitude: "The point."
    case .radius: "The radius in metres within which rows are wanted."
    }
  }

  /// The calls in whose templates the value can be used.
  public var calls: Set<Call> {
    switch self {
    case .limit, .types: [.autocomplete, .search, .reverse]
    case .region: [.autocomplete, .search, .details]
    case .language: [.autocomplete, .search, .details, .reverse]
    case .inputOffset: [.autocomplete]
    case .sessionToken: [.autocomplete, .details]
    case .openNow, .minRating, .page, .offset, .pageNumber: [.search]
    case .id: [.details]
    case .latitude, .longitude, .radius: [.reverse]
    default: [.autocomplete, .search]
    }
  }
}
