import PlacesKit

extension Plan {
  /// The plan for the details of a place, for the provider that the place's id names.
  static func details(_ request: DetailsRequest, _ manifest: Manifest) throws(Skip) -> Plan {
    let planner = try Planner(manifest, for: .details)
    var sentRequest = request
    sentRequest.fields = try planner.fields(request.fields)
    sentRequest.language = planner.language(request.language)
    sentRequest.region = planner.ifSupported(request.region, .region)
    return Plan(call: .details(sentRequest), filter: RowFilter())
  }

  /// The plan for a photo, for the provider that the photo's id names.
  static func photo(_ request: PhotoRequest, _ manifest: Manifest) throws(Skip) -> Plan {
    guard manifest.offers(.photo) else { throw Skip("unsupported", "\(manifest.name) has no photos") }
    return Plan(call: .photo(request), filter: RowFilter())
  }

  /// The plan for the places at a point. The point is sent with the precision that the manifest allows.
  static func reverse(_ request: ReverseRequest, collection: TypeCollection?, _ manifest: Manifest) throws(Skip) -> Plan {
    var planner = try Planner(manifest, for: .reverse)
    try planner.checkCoverage(
      countries: [], restriction: .rectangle(Rectangle(low: request.location, high: request.location)))
    var sentRequest = request
    sentRequest.fields = try planner.fields(request.fields)
    sentRequest.language = planner.language(request.language)
    sentRequest.location = planner.rounded(request.location) ?? request.location
    if let radius = request.radius {
      let circle = Area.circle(center: request.location, radius: radius)
      if try planner.serviceApplies(.radius, cause: "radius") {
        // The daemon filters again, because services round the point, and some return the town around it even for a small radius.
        planner.filter.roughRestriction = circle
        // The circle around the rounded point contains the requested one, unless the API's largest radius, 50 km, limits it.
        sentRequest.radius = min(50_000, radius + sentRequest.location.distance(to: request.location))
      } else {
        planner.filter.restriction = circle
        sentRequest.radius = nil
      }
    }
    if !request.types.isEmpty, try !planner.serviceApplies(.types, cause: "types") {
      planner.filter.types = Set(request.types)
      sentRequest.types = []
    }
    if let collection {
      if planner.capability.support(.collection) == .native {
        sentRequest.collection = collection
      } else {
        planner.filter.typeCollection = collection
      }
    }
    sentRequest.fields.formUnion(try planner.fieldsToFilter(.reverse, requestedFields: request.fields, allowPrice: false))
    sentRequest.limit = planner.filter.mayDropRows ? planner.capability.maximumRows : min(request.limit, planner.capability.maximumRows)
    return Plan(call: .reverse(sentRequest), filter: planner.filter)
  }
}
