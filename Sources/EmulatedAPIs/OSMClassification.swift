import Geocoders
import PlacesKit

/// The OpenStreetMap tag that corresponds best to the types of a place. Photon and Nominatim return such a tag with each place.
struct OSMClassification: Sendable, Equatable {
  var key: String
  var value: String

  init(_ types: [String]) {
    for type in types {
      if let tag = OSMClassification.tagsByType[type] {
        self = tag
        return
      }
      // A tag that has this type as its first type describes the place better than a tag that only implies the type.
      let tags = OpenStreetMapTypes.tags(for: PlaceType(rawValue: type))
      if let tag = tags.first(where: { OpenStreetMapTypes.types($0.key, $0.value).first?.rawValue == type }) ?? tags.first {
        self.init(tag.key, tag.value)
        return
      }
    }
    self.init("place", "yes")
  }

  private init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }

  /// The tags of types for which the table of types has no tag, or several.
  private static let tagsByType: [String: OSMClassification] = [
    "route": OSMClassification("highway", "road"), "premise": OSMClassification("building", "yes"),
    "street_address": OSMClassification("place", "house"), "store": OSMClassification("shop", "yes"),
    "historical_landmark": OSMClassification("historic", "yes"), "natural_feature": OSMClassification("natural", "yes"),
    "tourist_attraction": OSMClassification("tourism", "attraction"), "lake": OSMClassification("natural", "water"),
    "river": OSMClassification("waterway", "river"), "transit_station": OSMClassification("public_transport", "station"),
    "lodging": OSMClassification("tourism", "hotel"), "food": OSMClassification("amenity", "restaurant"),
  ]

  /// True if a filter in Photon's syntax matches this tag: `key:value`, `key`, `:value`, or `key:!value` for any other value of the key.
  func matches(_ filter: some StringProtocol) -> Bool {
    let parts = filter.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let (filterKey, filterValue) = (parts.first ?? "", parts.count > 1 ? parts[1] : "")
    guard filterKey.isEmpty || filterKey == key else { return false }
    if filterValue.hasPrefix("!") { return filterValue.dropFirst() != value }
    return filterValue.isEmpty || filterValue == value
  }

  /// The type that corresponds to a filter `key:value`, for which the daemon can search; nil if there is none.
  static func type(ofFilter filter: String) -> PlaceType? {
    let parts = filter.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, !filter.hasPrefix(":"), !parts[1].hasPrefix("!") else { return nil }
    return OpenStreetMapTypes.types(parts[0], parts[1]).first
  }
}
