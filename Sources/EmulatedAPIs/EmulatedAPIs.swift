import PlacesAPI
import PlacesKit

/// Finds the API of a path. Each API has its own prefix; at the root, the path and the parameters determine the API.
public enum EmulatedAPIs {
  /// The message of an error for an unknown path.
  public static let unknownPath = "there is no such path; places-gateway(8) lists the paths"

  /// The plan for a request; nil if the path belongs to no API.
  public static func plan(_ request: GatewayRequest, _ context: EmulationContext) -> Plan? {
    guard let firstSegment = request.path.first else { return nil }
    switch firstSegment {
    case "photon": return PhotonAPI.plan(request.dropping(1), context)
    case "nominatim": return NominatimAPI.plan(request.dropping(1), context)
    case "pelias":
      let subrequest = request.dropping(1)
      return PeliasAPI.plan(subrequest.path.first == "v1" ? subrequest.dropping(1) : subrequest, context)
    case "google": return google(request.dropping(1), context)
    case "suggest": return request.path.count == 1 ? OpenSearchAPI.suggest(request) : nil
    case "opensearch.xml": return request.path.count == 1 ? .answer(OpenSearchAPI.description(context)) : nil
    case "v1": return versionOne(request.dropping(1), context)
    case "maps": return google(request, context)
    default: return root(request, context)
    }
  }

  private static func google(_ request: GatewayRequest, _ context: EmulationContext) -> Plan? {
    if request.path.first == "v1" { return GooglePlacesAPI.plan(request.dropping(1), context) }
    if request.path.starts(with: ["maps", "api"]) { return GoogleMapsAPI.plan(request.dropping(2), context) }
    return nil
  }

  /// The plan for a path below `/v1`. The paths of the daemon's methods, of Pelias and of Places (New) are all different.
  private static func versionOne(_ request: GatewayRequest, _ context: EmulationContext) -> Plan? {
    switch request.path.first {
    case "rpc": request.path.count == 1 ? RPCOverHTTP.plan(request) : nil
    case "autocomplete", "search", "reverse", "place": PeliasAPI.plan(request, context)
    case let segment? where segment == "places" || segment.hasPrefix("places:"): GooglePlacesAPI.plan(request, context)
    default: nil
    }
  }

  private static func root(_ request: GatewayRequest, _ context: EmulationContext) -> Plan? {
    let query = request.query
    switch request.path {
    case ["api"], ["structured"]: return PhotonAPI.plan(request, context)
    case ["search"], ["search.php"], ["reverse.php"], ["lookup"], ["lookup.php"], ["status.php"]:
      return query["text"] != nil ? PeliasAPI.plan(request, context) : NominatimAPI.plan(request, context)
    case ["reverse"]:
      if query["point.lat"] != nil { return PeliasAPI.plan(request, context) }
      // Clients of Nominatim send `format`; clients of Photon do not.
      return query["format"] != nil ? NominatimAPI.plan(request, context) : PhotonAPI.plan(request, context)
    case ["autocomplete"]: return PeliasAPI.plan(request, context)
    default: return nil
    }
  }
}
