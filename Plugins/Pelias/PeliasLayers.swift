import PlacesKit

/// Converts between Pelias's layers and the types of the type table.
enum PeliasLayers {
  /// The types of a layer; empty for the layer of venues, because Pelias does not return the types of venues.
  static func types(_ layer: String) -> [PlaceType] { table.filter { $0.layers.contains(layer) }.map(\.type) }

  /// Pelias's categories of venues (github.com/pelias/openstreetmap, config/category_map.js) that correspond to one type. The other
  /// categories, such as `nightlife`, have places of several types.
  private static let categories: [(type: PlaceType, category: String)] = [
    ("food", "food"), ("lodging", "accommodation"), ("finance", "finance"), ("health", "health"), ("place_of_worship", "religion"),
  ]

  /// The types of a venue's categories, which an answer contains only if the request filters by categories.
  static func types(categories names: JSONValue?) -> [PlaceType] {
    let categoryNames = (names?.array ?? []).compactMap(\.string)
    return categories.filter { categoryNames.contains($0.category) }.map(\.type)
  }

  /// The categories of types; empty if none of the types has a category. Throws `unsupported` for a mixture of types with and without a
  /// category, because Pelias does not accept categories together with layers.
  static func categories(for types: [PlaceType]) throws(ProviderError) -> [String] {
    let names = types.compactMap { type in categories.first { $0.type == type }?.category }
    guard names.isEmpty || names.count == types.count else {
      throw ProviderError(
        .unsupported, "Pelias filters by categories or by layers, not by both: request the types separately", detail: "types")
    }
    return names
  }

  /// The layers of the collection, or else of the types; empty without both and for types with a category. Throws `unsupported` for a type
  /// that Pelias does not distinguish, such as a restaurant.
  static func layers(for types: [PlaceType], _ collection: TypeCollection?) throws(ProviderError) -> [String] {
    if let collection { return layers(for: collection) }
    guard try categories(for: types).isEmpty else { return [] }
    var layers: [String] = []
    for type in types {
      guard let entry = table.first(where: { $0.type == type }) else {
        throw ProviderError(.unsupported, "Pelias has no layer or category for the type \(type.rawValue)", detail: "types")
      }
      layers += entry.layers.filter { !layers.contains($0) }
    }
    return layers
  }

  private static func layers(for collection: TypeCollection) -> [String] {
    switch collection {
    case .geocode: table.flatMap(\.layers)
    case .address: ["address", "street"]
    case .establishment: ["venue"]
    case .regions: ["country", "dependency", "macroregion", "region", "macrocounty", "county", "locality", "borough", "postalcode"]
    case .cities: ["locality", "localadmin"]
    }
  }

  /// The layers or the category that Pelias has for each type. The manifest lists them.
  static let words = Dictionary(
    uniqueKeysWithValues: table.map { ($0.type.rawValue, $0.layers) } + categories.map { ($0.type.rawValue, [$0.category]) })

  /// The layers of each type. Types that are not listed have no layer.
  private static let table: [(type: PlaceType, layers: [String])] = [
    ("street_address", ["address"]), ("route", ["street"]), ("intersection", ["intersection"]), ("neighborhood", ["neighbourhood"]),
    ("sublocality", ["borough", "macrohood"]), ("locality", ["locality"]), ("administrative_area_level_3", ["localadmin"]),
    ("administrative_area_level_2", ["county", "macrocounty"]), ("administrative_area_level_1", ["region", "macroregion"]),
    ("country", ["country", "dependency"]), ("postal_code", ["postalcode"]), ("continent", ["continent"]),
  ]
}
