import Geocoders
import PlacesKit

/// A level of detail of Nominatim's reverse geocoding (nominatim.org/release-docs/latest/api/Reverse): the value of the parameter `zoom`,
/// and the values of the parameter `layer`.
struct NominatimLevel: Hashable {
  var zoom: Int
  /// The layers to search; empty for the service's own choice, addresses and points of interest.
  var layers: [String] = []

  /// The levels at which places of these types or of this collection can be found, the finest first. There are at most three, because each
  /// level is a separate request.
  static func levels(types: [PlaceType], collection: TypeCollection?) -> [NominatimLevel] {
    var levels: [NominatimLevel] = []
    for level in collection.map(levels(of:)) ?? types.map(level(of:)) where !levels.contains(level) { levels.append(level) }
    if levels.isEmpty { levels = [NominatimLevel(zoom: buildingZoom)] }
    // Order by zoom, the largest first; among equal zooms, the level with fewer layers first.
    return Array(levels.sorted { ($1.zoom, $0.layers.count) < ($0.zoom, $1.layers.count) }.prefix(3))
  }

  /// The zoom of buildings, which is the finest.
  private static let buildingZoom = 18
  /// The zoom of the places of each type and of the types under it. All other places are found at the zoom of buildings.
  private static let zooms: [PlaceType: Int] = [
    "country": 3, "administrative_area_level_1": 5, "administrative_area_level_2": 8, "administrative_area_level_3": 10, "locality": 10,
    "sublocality": 14, "neighborhood": 14, "route": 16,
  ]

  /// The levels of a collection, at the zooms of streets (16), neighbourhoods (14), towns (10) and states (5).
  private static func levels(of collection: TypeCollection) -> [NominatimLevel] {
    switch collection {
    case .address: [NominatimLevel(zoom: buildingZoom, layers: ["address"]), NominatimLevel(zoom: 16)]
    case .cities: [NominatimLevel(zoom: 10)]
    case .regions: [NominatimLevel(zoom: 14), NominatimLevel(zoom: 10), NominatimLevel(zoom: 5)]
    case .geocode: [NominatimLevel(zoom: buildingZoom, layers: ["address"])]
    case .establishment: [NominatimLevel(zoom: buildingZoom, layers: placeLayers)]
    }
  }

  private static func level(of type: PlaceType) -> NominatimLevel {
    if let zoom = ([type] + type.ancestors).lazy.compactMap({ zooms[$0] }).first { return NominatimLevel(zoom: zoom) }
    return NominatimLevel(zoom: buildingZoom, layers: layers(of: type))
  }

  /// The layers of everything that is not a part of an address.
  static let placeLayers = ["poi", "railway", "natural", "manmade"]

  /// The layers that have places of a type; empty for the service's own choice.
  static func layers(of type: PlaceType) -> [String] {
    let tags = OpenStreetMapTypes.tags(for: type)
    if tags.isEmpty { return type.group == .address || type.group == .region ? ["address"] : [] }
    return Set(tags.flatMap(layers)).sorted()
  }

  /// The layers that have objects of a tag. Nominatim derives the layer of an object from its address rank (settings/address-levels.json,
  /// `_filter_by_layer` of its search). The ranks 1 to 29 are in `address`. Rank 30, the default, is in `poi`. The key of an
  /// object of rank 0 decides whether it is in `railway`, `natural` or `manmade`.
  private static func layers(of tag: OpenStreetMapTypes.Tag) -> [String] {
    switch (tag.key, tag.value) {
    case ("place", "island"), ("place", "islet"), ("place", "archipelago"), ("place", "continent"), ("place", "region"),
      ("place", "city_district"):
      ["manmade"]
    case ("place", _), ("boundary", "postal_code"): ["address"]
    // If the object is a point, it has rank 0 (`manmade`). If it is a road or an area, it has the rank of a street (`address`).
    case ("highway", "bus_stop"), ("highway", "services"), ("highway", "rest_area"): ["address", "manmade"]
    case ("highway", _): ["address"]
    // Neither layer alone has a building without a house number, but together they have everything from rank 1 to rank 30.
    case ("building", _): ["address", "poi"]
    case ("leisure", "park"), ("landuse", _), ("boundary", _): ["manmade"]
    case ("natural", "spring"), ("natural", "cave_entrance"): ["poi"]
    case ("natural", "*"): ["natural", "poi"]
    case ("natural", _), ("waterway", _): ["natural"]
    case ("railway", _): ["poi", "railway"]
    case ("water", _): ["natural", "poi"]
    default: ["poi"]
    }
  }
}
