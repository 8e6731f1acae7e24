import PlacesKit

/// Pelias' layers in the words of the type table, and back.
enum PeliasLayers {
  /// The types of a layer; venues have none, since Pelias does not say what kind they are.
  static func types(_ layer: String) -> [PlaceType] { table.filter { $0.layers.contains(layer) }.map(\.type) }

  /// The layers of a collection or of types; empty for neither. Throws `unsupported` for a type that Pelias does not distinguish, such as a
  /// restaurant.
  static func layers(for types: [PlaceType], _ collection: TypeCollection?) throws(ProviderError) -> [String] {
    if let collection { return layers(for: collection) }
    var layers: [String] = []
    for type in types {
      guard let entry = table.first(where: { $0.type == type }) else {
        throw ProviderError(.unsupported, "Pelias cannot tell places of the type \(type.rawValue) apart", detail: "types")
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

  /// For the manifest.
  static let words = Dictionary(uniqueKeysWithValues: table.map { ($0.type.rawValue, $0.layers) })

  private static let table: [(type: PlaceType, layers: [String])] = [
    ("street_address", ["address"]), ("route", ["street"]), ("intersection", ["intersection"]), ("neighborhood", ["neighbourhood"]),
    ("sublocality", ["borough", "macrohood"]), ("locality", ["locality"]), ("administrative_area_level_3", ["localadmin"]),
    ("administrative_area_level_2", ["county", "macrocounty"]), ("administrative_area_level_1", ["region", "macroregion"]),
    ("country", ["country", "dependency"]), ("postal_code", ["postalcode"]), ("continent", ["continent"]),
  ]
}
