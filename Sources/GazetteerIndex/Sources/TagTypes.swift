import Geocoders
import PlacesKit

extension Tags {
  /// The types of a feature by its tags, most specific first; nil for a feature that is not a place to search for.
  var types: [PlaceType]? {
    for key in TagTypes.keys {
      guard let value = self[key], !isSign(key, value) else { continue }
      // A building without a name is an address.
      if key == "building", self["name"] == nil { continue }
      let types = TagTypes.types(key, value, cuisine: self["cuisine"], religion: self["religion"])
      if !types.isEmpty { return types }
    }
    return isAddress ? ["street_address"] : nil
  }

  /// Whether a tag denotes a board, a map or a guidepost, which have the same tag as tourist offices.
  private func isSign(_ key: String, _ value: String) -> Bool {
    guard key == "tourism", value == "information", let kind = self["information"] else { return false }
    return !["office", "visitor_centre", "yes"].contains(kind)
  }
}

/// Determines the types of OpenStreetMap's tags in an imported file. They are those of `OpenStreetMapTypes`, with some exceptions.
enum TagTypes {
  /// The keys that determine the types, in order of precedence.
  static let keys = [
    "place", "amenity", "shop", "tourism", "historic", "leisure", "office", "craft", "healthcare", "aeroway", "railway", "public_transport",
    "highway", "natural", "waterway", "boundary", "landuse", "man_made", "building",
  ]

  /// The other keys of "Map features" (wiki.openstreetmap.org/wiki/Map_features), whose features are not places to search for.
  static let otherKeys: Set<String> = [
    "advertising", "aerialway", "barrier", "emergency", "entrance", "geological", "indoor", "junction", "military", "playground", "power",
    "route", "sport", "surveillance", "telecom", "traffic_sign", "water",
  ]

  /// The types of a tag, most specific first; empty for a tag that does not describe a place to search for.
  static func types(_ key: String, _ value: String, cuisine: String?, religion: String?) -> [PlaceType] {
    if let types = exceptions[.init(key, value)] { return types }
    if value == "no" || key == "building" { return [] }
    let types = OpenStreetMapTypes.types(key, value, cuisine: cuisine, religion: religion)
    return types.isEmpty ? typesOfAnyValue[key] ?? [] : types
  }

  /// The tags whose types differ from those of `OpenStreetMapTypes`. The keys `highway` and `railway` determine the types of a stop, so its
  /// key `public_transport` gives none.
  static let exceptions: [OpenStreetMapTypes.Tag: [PlaceType]] = [
    .init("place", "municipality"): ["locality"], .init("place", "region"): ["administrative_area_level_1"],
    .init("place", "locality"): ["natural_feature"], .init("place", "square"): ["route"],
    .init("leisure", "sports_hall"): ["sports_complex"], .init("leisure", "picnic_table"): [], .init("amenity", "bbq"): [],
    .init("highway", "construction"): [], .init("highway", "raceway"): [], .init("highway", "corridor"): [],
    .init("amenity", "bench"): [], .init("amenity", "social_facility"): ["establishment"], .init("man_made", "tower"): ["establishment"],
    .init("public_transport", "platform"): [], .init("public_transport", "stop_position"): [],
    .init("building", "church"): ["church", "place_of_worship"], .init("building", "cathedral"): ["church", "place_of_worship"],
    .init("building", "chapel"): ["church", "place_of_worship"], .init("building", "mosque"): ["mosque", "place_of_worship"],
    .init("building", "synagogue"): ["synagogue", "place_of_worship"], .init("building", "hospital"): ["hospital"],
    .init("building", "school"): ["school"], .init("building", "hotel"): ["hotel", "lodging"],
    .init("building", "train_station"): ["train_station", "transit_station"],
  ]

  /// By key, the types of all values for which `OpenStreetMapTypes` has none.
  static let typesOfAnyValue: [String: [PlaceType]] = [
    "craft": ["store"], "office": ["establishment"], "tourism": ["tourist_attraction"], "healthcare": ["doctor"], "leisure": ["park"],
  ]
}
