import Geocoders
import PlacesKit

/// The filter of a request by types or by a collection of types. Nominatim receives the layers or the feature type that can have such
/// places; `keeps` then checks every row.
struct NominatimFilter {
  var types: [PlaceType]
  var collection: TypeCollection?

  var isEmpty: Bool { types.isEmpty && collection == nil }

  func keeps(_ place: GeocodedPlace) -> Bool {
    if !types.isEmpty, !place.types.contains(where: { $0.isKind(of: types) }) { return false }
    return collection?.contains(place.types) ?? true
  }

  /// The rows of several answers that have the types, without repeated ones.
  func rows(of answers: [[GeocodedPlace]], limit: Int) -> [GeocodedPlace] {
    joined(answers.map { $0.filter(keeps) }, limit: limit) { $0.id }
  }

  /// The parameter `featureType` or `layer` (nominatim.org/release-docs/latest/api/Search); a feature type implies the layer of addresses.
  var queryItems: [HTTPRequest.Item] {
    if let featureType { return [.init("featureType", featureType)] }
    let layerNames = layers
    return layerNames.isEmpty ? [] : [.init("layer", layerNames.joined(separator: ","))]
  }

  /// Nominatim's feature type for a country, a state or a settlement; nil for all other filters. Towns need `settlement`, because `city`
  /// leaves out hamlets, which are localities too.
  private var featureType: String? {
    if collection == .cities { return "settlement" }
    switch types {
    case ["country"]: return "country"
    case ["administrative_area_level_1"]: return "state"
    case ["locality"]: return "settlement"
    default: return nil
    }
  }

  /// The layers that can have places that pass the filter; empty for the service's own choice.
  private var layers: [String] {
    switch collection {
    case .address, .regions, .cities: return ["address"]
    // Continents and natural regions are not in the layer of addresses.
    case .geocode: return ["address", "manmade"]
    case .establishment: return NominatimLevel.placeLayers
    case nil: break
    }
    let layersOfTypes = types.map(NominatimLevel.layers)
    return layersOfTypes.contains { $0.isEmpty } ? [] : Set(layersOfTypes.joined()).sorted()
  }
}
