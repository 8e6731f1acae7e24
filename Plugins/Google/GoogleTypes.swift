import PlacesKit

/// Maps the types of the type table to Google's types. The type table uses Google's names, so nearly all types have the same name. Types of
/// Google's Table A are allowed in all requests, those of Table B only in autocomplete requests
/// (developers.google.com/maps/documentation/places/web-service/place-types, edition of 2026-04-09).
enum GoogleTypes {
  /// Types that have another name in Google's tables.
  private static let otherNames: [PlaceType: String] = ["cinema": "movie_theater", "toilet": "public_bathroom", "forest": "woods"]

  /// Types of the type table that Google does not have.
  private static let unsupported: Set<PlaceType> = [
    "bench", "bicycle_parking", "cave", "drinking_water", "glacier", "prison", "recycling", "spring", "valley", "volcano", "waterfall",
  ]

  /// Table B without `establishment` and `geocode`, which the daemon treats as collections (`TypeCollection`).
  private static let tableB: Set<PlaceType> = [
    "administrative_area_level_3", "administrative_area_level_4", "administrative_area_level_5", "administrative_area_level_6",
    "administrative_area_level_7", "archipelago", "colloquial_area", "continent", "finance", "food", "general_contractor", "health",
    "intersection", "landmark", "natural_feature", "neighborhood", "place_of_worship", "plus_code", "point_of_interest", "political",
    "postal_code_prefix", "postal_code_suffix", "postal_town", "premise", "route", "street_address", "sublocality", "sublocality_level_1",
    "sublocality_level_2", "sublocality_level_3", "sublocality_level_4", "sublocality_level_5", "subpremise", "town_square",
  ]

  /// Google's name of a type in an autocomplete request; nil for a type that Google does not have.
  static func googleType(for type: PlaceType) -> String? {
    guard type.isKnown, !unsupported.contains(type) else { return nil }
    return otherNames[type] ?? type.rawValue
  }

  /// Google's names of types in a text search. The list of a type of Table B is empty: the daemon filters Google's rows by this type.
  static let searchWords: [String: [String]] = Dictionary(
    uniqueKeysWithValues: PlaceType.all.compactMap { type in
      googleType(for: type).map { (type.rawValue, tableB.contains(type) ? [] : [$0]) }
    })

  private static let typesByOtherName: [String: PlaceType] = Dictionary(uniqueKeysWithValues: otherNames.map { ($1, $0) })

  /// The types of a row, in Google's order: each type under Google's name, followed by the same type under its name in the type table if
  /// that differs.
  static func types(from value: JSONValue?) -> [PlaceType] {
    var types: [PlaceType] = []
    for name in (value?.array ?? []).compactMap(\.string) {
      for type in [PlaceType(rawValue: name)] + [typesByOtherName[name]].compactMap({ $0 }) where !types.contains(type) {
        types.append(type)
      }
    }
    return types
  }
}
