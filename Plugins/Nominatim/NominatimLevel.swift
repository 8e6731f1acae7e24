import Geocoders
import PlacesKit

/// A level of detail of Nominatim's reverse geocoding (nominatim.org/release-docs/latest/api/Reverse): the `zoom` and the `layer`s.
struct NominatimLevel: Hashable {
  var zoom: Int
  /// Empty for the service's own choice: addresses and points of interest.
  var layers: [String] = []

  /// The levels at which places of these types or of this collection can be found, the finest first, three at most: each is a request.
  static func levels(types: [PlaceType], collection: TypeCollection?) -> [NominatimLevel] {
    var levels: [NominatimLevel] = []
    for level in collection.map(levels(of:)) ?? types.map(level(of:)) where !levels.contains(level) { levels.append(level) }
    if levels.isEmpty { levels = [NominatimLevel(zoom: building)] }
    return Array(levels.sorted { ($1.zoom, $0.layers.count) < ($0.zoom, $1.layers.count) }.prefix(3))
  }

  private static let building = 18
  private static let zooms: [PlaceType: Int] = [
    "country": 3, "administrative_area_level_1": 5, "administrative_area_level_2": 8, "administrative_area_level_3": 10, "locality": 10,
    "sublocality": 14, "neighborhood": 14, "route": 16,
  ]

  private static func levels(of collection: TypeCollection) -> [NominatimLevel] {
    switch collection {
    case .address: [NominatimLevel(zoom: building, layers: ["address"]), NominatimLevel(zoom: 16)]
    case .cities: [NominatimLevel(zoom: 10)]
    case .regions: [NominatimLevel(zoom: 14), NominatimLevel(zoom: 10), NominatimLevel(zoom: 5)]
    case .geocode: [NominatimLevel(zoom: building, layers: ["address"])]
    case .establishment: [NominatimLevel(zoom: building, layers: placeLayers)]
    }
  }

  private static func level(of type: PlaceType) -> NominatimLevel {
    if let zoom = ([type] + type.ancestors).lazy.compactMap({ zooms[$0] }).first { return NominatimLevel(zoom: zoom) }
    return NominatimLevel(zoom: building, layers: layers(of: type))
  }

  /// The layers of everything that is not a part of an address.
  static let placeLayers = ["poi", "railway", "natural", "manmade"]

  /// The layers that have places of a type.
  static func layers(of type: PlaceType) -> [String] {
    guard type.group != .address, type.group != .region else { return ["address"] }
    return Set(OpenStreetMapTypes.tags(for: type).map { layersOfKeys[$0.key] ?? "poi" }).sorted()
  }

  /// The layers of the keys whose places are not points of interest.
  private static let layersOfKeys = [
    "railway": "railway", "natural": "natural", "water": "natural", "waterway": "natural", "man_made": "manmade",
  ]
}
