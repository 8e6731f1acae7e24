import PlacesKit

/// A field of a row. The table `[fields]` has its expression: the template or the templates that make its value.
///
/// The raw value is the index of the field in arrays with an element for each field.
public enum RowField: Int, Sendable, Hashable, CaseIterable {
  case id, kind, name, label, text, primary, secondary
  case houseNumber, street, postcode, district, city, county, state, country, countryCode
  case latitude, longitude, easting, northing, south, west, north, east
  case types, osmTag, language, distance, importance, otherNames, equivalents, phone, website, openingHours, wheelchair, rating
  case userRatingsTotal, priceLevel, businessStatus, editorialSummary, partialMatch, icon, url

  /// The key in `[fields]`: the case in snake case.
  public var key: String { RowField.keys[rawValue] }

  init?(key: String) {
    guard let index = RowField.keys.firstIndex(of: key) else { return nil }
    self.init(rawValue: index)
  }

  /// The keys of all fields, in their order.
  static let keys: [String] = allCases.map { field in
    "\(field)".reduce(into: "") { key, letter in key += letter.isUppercase ? "_\(letter.lowercased())" : String(letter) }
  }

  /// One sentence for the manual.
  public var summary: String {
    switch self {
    case .id: "The service's id of the place. Without it, an id is made of the position."
    case .kind: "`place`, `query` for a completion of the text, or `skip` for a row that is left out. Without it, a place."
    case .name: "The name. Leave it out for an address without a name of its own."
    case .label: "The whole address in one line."
    case .text: "The whole text of a suggestion, if it is not to be composed of the parts."
    case .primary: "The first line of a suggestion, if it is not to be composed of the parts."
    case .secondary: "The second line of a suggestion."
    case .houseNumber, .street, .postcode, .district, .city, .county, .state, .country: "A part of the address."
    case .countryCode: "The country's code, two letters."
    case .latitude, .longitude: "The position, in degrees, -90 to 90 and -180 to 180; a number, or a text that is one."
    case .easting, .northing: "The position, in metres of the `grid`, if the service has no degrees."
    case .south, .west, .north, .east: "The sides of the place's rectangle, in degrees."
    case .types: "The service's words for what the place is; `[types]` has their meaning."
    case .osmTag: "OpenStreetMap's tag, `key=value`, from which types are derived."
    case .language: "The BCP 47 tag of the language of the texts."
    case .distance: "Metres from the request's origin."
    case .importance:
      "How well known the place is, 0 to 1. Leave it out if the service states only how well a row matches, or how exact it is."
    case .otherNames: "A list: further names."
    case .equivalents: "A list: ids of the same place elsewhere, such as `osm:node/1`, `wikidata:Q64`, `geonames:2950159`."
    case .phone: "The telephone number."
    case .website: "The address of the website."
    case .openingHours: "Opening hours in the format of OpenStreetMap."
    case .wheelchair: "`yes`, `no`, true or false."
    case .rating: "The rating, 0 to 5."
    case .userRatingsTotal: "The number of ratings."
    case .priceLevel: "`free`, `inexpensive`, `moderate`, `expensive` or `very_expensive`."
    case .businessStatus: "`operational`, `closed_temporarily`, `closed_permanently` or `future_opening`."
    case .editorialSummary: "A description of the place."
    case .partialMatch: "`yes` or true if the row matches only a part of the query; `no` or false if it matches the whole."
    case .icon: "The address of an image of the row, such as its category's icon."
    case .url: "The address of a page about a suggestion, at the service or elsewhere."
    }
  }

  /// The fields of a place that a row with this field can have.
  var placeFields: Set<PlaceField> {
    switch self {
    case .name, .primary, .text: [.name]
    case .label: [.name, .formattedAddress]
    case .houseNumber, .street, .postcode, .district, .city, .county, .state, .country: [.name, .formattedAddress, .addressComponents]
    case .latitude, .easting: [.coordinate]
    case .south: [.viewport]
    case .types, .osmTag: [.types]
    case .phone: [.phoneNumber]
    case .website: [.website]
    case .openingHours: [.openingHours]
    case .wheelchair: [.wheelchairAccessibleEntrance]
    case .rating: [.rating]
    case .userRatingsTotal: [.userRatingsTotal]
    case .priceLevel: [.priceLevel]
    case .businessStatus: [.businessStatus]
    case .editorialSummary: [.editorialSummary]
    case .icon: [.iconImageURL]
    default: []
    }
  }
}
