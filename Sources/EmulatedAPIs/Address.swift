import Geocoders
import PlacesKit

/// The size class of a place, from a country to a house, the largest first. Other geocoders call similar classes layers or ranks.
enum PlaceLevel: Int, Sendable, Comparable {
  case country, state, county, city, district, locality, street, house, other

  static func < (a: PlaceLevel, b: PlaceLevel) -> Bool { a.rawValue < b.rawValue }

  /// The level of the first of these types that has one; otherwise `other` for a natural feature, and `house` for any other place.
  init(_ types: [String]) {
    for type in types {
      if let level = PlaceLevel.levelsByType[type] {
        self = level
        return
      }
    }
    self = types.contains { PlaceType(rawValue: $0).group == .natural } ? .other : .house
  }

  private static let levelsByType: [String: PlaceLevel] = [
    "continent": .country, "country": .country, "archipelago": .state, "administrative_area_level_1": .state,
    "administrative_area_level_2": .county, "administrative_area_level_3": .city, "locality": .city, "postal_code": .district,
    "sublocality": .district, "neighborhood": .locality, "route": .street, "intersection": .street, "street_address": .house,
    "premise": .house, "subpremise": .house,
  ]

  /// The distance, in degrees, from a place's point to each side of its rectangle, for a row of the daemon without a rectangle. The values
  /// are like those of Nominatim for places that are only a point.
  var assumedHalfSize: Double {
    switch self {
    case .country: 5
    case .state: 1
    case .county: 0.3
    case .city: 0.08
    case .district: 0.02
    case .locality: 0.01
    case .street: 0.002
    case .house, .other: 0.0005
    }
  }

  /// Nominatim's `place_rank` (nominatim.org, "Place ranking").
  var nominatimRank: Int {
    switch self {
    case .country: 4
    case .state: 8
    case .county: 12
    case .city: 16
    case .district: 19
    case .locality: 22
    case .street: 26
    case .house, .other: 30
    }
  }
}

/// The parts of a place's address. If the place is a street or a larger region, its own name is one of the parts.
struct Address: Sendable, Equatable {
  var houseNumber: String?
  var road: String?
  var neighbourhood: String?
  var suburb: String?
  var city: String?
  var county: String?
  var state: String?
  var stateCode: String?
  var postcode: String?
  var country: String?
  /// Two letters, upper case.
  var countryCode: String?

  init(_ place: FoundPlace) {
    houseNumber = place.component("street_number")?.long
    road = place.component("route")?.long
    neighbourhood = place.component("neighborhood")?.long
    suburb = place.component("sublocality", "sublocality_level_1")?.long
    city = place.component("locality", "postal_town", "administrative_area_level_3")?.long
    county = place.component("administrative_area_level_2")?.long
    let region = place.component("administrative_area_level_1")
    state = region?.long
    stateCode = region.flatMap { $0.short == $0.long ? nil : $0.short }
    postcode = place.component("postal_code")?.long
    let country = place.component("country")
    self.country = country?.long
    countryCode = country.flatMap { $0.short.utf8.count == 2 ? $0.short.uppercased() : nil }
    guard let name = place.name else { return }
    switch place.level {
    // A continent has the level `country`, too, but its name is not that of a country.
    case .country: if place.types.contains("country") { self.country = self.country ?? name }
    case .state: state = state ?? name
    case .county: county = county ?? name
    case .city: city = city ?? name
    case .district: if place.types.contains("postal_code") { postcode = postcode ?? name } else { suburb = suburb ?? name }
    case .locality: neighbourhood = neighbourhood ?? name
    case .street: road = road ?? name
    case .house, .other: break
    }
  }

  /// The street and the house number, in the order that is usual in the country.
  var streetLine: String? { road.map { StreetLine.text(street: $0, houseNumber: houseNumber, country: countryCode) } }
}
