import PlacesKit

extension Plan {
  /// The plan for a text search.
  /// - Parameter allowPrice: true if the fields that a filter needs may make the call more expensive.
  static func search(_ request: SearchRequest, _ manifest: Manifest, allowPrice: Bool) throws(Skip) -> Plan {
    // For an address, the service's geocoder is called if there is one, because it knows more addresses and costs less.
    let call: Call = request.includedType?.group == .address && manifest.geocode != nil && !request.query.isEmpty ? .geocode : .search
    var planner = try Planner(manifest, for: call)
    if request.query.isEmpty { try planner.checkSearchWithoutText(request) } else { try planner.checkLength(of: request.query) }
    try planner.checkCoverage(countries: request.countries, restriction: request.restriction)

    var sentRequest = request
    sentRequest.fields = try planner.fields(request.fields)
    sentRequest.language = planner.language(request.language)
    sentRequest.region = planner.ifSupported(request.region, .region)
    sentRequest.origin = planner.rounded(planner.ifSupported(request.origin, .origin))
    sentRequest.restriction = try planner.restriction(request.restriction)
    sentRequest.bias = planner.bias(request.bias ?? (sentRequest.restriction == nil ? request.restriction : nil))
    sentRequest.countries = try planner.countries(request.countries)
    if call == .geocode { planner.planAddresses(&sentRequest) } else { try planner.planTypes(request, &sentRequest) }
    if request.query.isEmpty {
      guard sentRequest.includedType != nil else {
        let type = request.includedType.map { "the type \($0.rawValue)" } ?? "a search for all types"
        throw Skip("types", "\(manifest.name) does not support \(type) in a search without a text")
      }
      // Services always return the coordinates. For a search without a text they charge at least the price of that field.
      sentRequest.fields.formUnion(planner.capability.fields.intersection([.coordinate]))
    }
    try planner.planFieldFilters(request, &sentRequest)
    if request.rankBy == .distance, planner.capability.support(.rankByDistance) != .native { sentRequest.rankBy = nil }
    sentRequest.fields.formUnion(try planner.fieldsToFilter(call, requestedFields: request.fields, allowPrice: allowPrice))
    if request.origin != nil || request.rankBy == .distance {
      sentRequest.fields.formUnion(planner.fieldsWithoutCost([.coordinate], call, sentFields: sentRequest.fields))
    }
    sentRequest.limit = planner.filter.mayDropRows ? planner.capability.maximumRows : min(request.limit, planner.capability.maximumRows)
    return Plan(call: call == .geocode ? .geocode(sentRequest) : .search(sentRequest), filter: planner.filter)
  }
}

extension Planner {
  /// The requested fields that this provider has.
  func fields(_ requestedFields: Set<PlaceField>) throws(Skip) -> Set<PlaceField> {
    let fields = requestedFields.intersection(capability.fields)
    guard !fields.isEmpty || requestedFields.isEmpty || capability.fields.isEmpty else {
      throw Skip("fields", "\(manifest.name) has none of the requested fields")
    }
    return fields
  }

  /// Skips the provider if it does not support searches without a text, or if the search has no area.
  fileprivate func checkSearchWithoutText(_ request: SearchRequest) throws(Skip) {
    guard capability.support(.withoutQuery) == .native else {
      throw Skip(Skip.withoutText, "\(manifest.name) does not search without a text")
    }
    guard request.bias != nil || request.restriction != nil else {
      throw Skip("area", "a search without a text needs `bias`, `restriction` or `origin`")
    }
  }

  /// Adds a filter for addresses, because a geocoder also finds towns and businesses. With strict type filtering, the filter keeps only
  /// rows of the requested type.
  fileprivate mutating func planAddresses(_ sentRequest: inout SearchRequest) {
    if sentRequest.strictTypeFiltering {
      filter.types = Set([sentRequest.includedType].compactMap { $0 })
    } else {
      filter.typeCollection = .address
    }
    sentRequest.includedType = nil
    sentRequest.strictTypeFiltering = false
  }

  /// Decides whether the service or the daemon filters by the requested type. If the service cannot filter by the type, the daemon does,
  /// and the service filters by a wider type if it can. If the service only prefers rows of the type and the request is strict, the daemon
  /// filters the rows.
  fileprivate mutating func planTypes(_ request: SearchRequest, _ sentRequest: inout SearchRequest) throws(Skip) {
    guard let type = request.includedType else {
      sentRequest.strictTypeFiltering = false
      return
    }
    // The service's own names for each type.
    let serviceTypes = manifest.typeWords
    let hasOneServiceType = serviceTypes[type.rawValue]?.count == 1
    if try !serviceApplies(.includedType, cause: "types", supportsValue: serviceTypes.isEmpty || hasOneServiceType) {
      guard capability.support(.includedType) == .emulated || serviceTypes[type.rawValue] != nil else {
        throw Skip("types", "\(manifest.name) does not distinguish the type \(type.rawValue)")
      }
      filter.types = [type]
      // The service is asked for the narrowest of the wider types that it supports, so that more of its rows pass the filter.
      sentRequest.includedType =
        capability.support(.includedType) == .partly ? type.ancestors.first { serviceTypes[$0.rawValue]?.count == 1 } : nil
      sentRequest.strictTypeFiltering = sentRequest.includedType != nil && capability.support(.strictTypeFiltering) == .native
    } else if request.strictTypeFiltering, try !serviceApplies(.strictTypeFiltering, cause: "types") {
      filter.types = [type]
      sentRequest.strictTypeFiltering = false
    } else if type.group == .address, !request.strictTypeFiltering {
      // A search for an address must return no town, even from a service that only prefers the type.
      filter.typeCollection = .address
    }
  }

  /// Plans the filters by opening hours, rating and price level. If the service does not apply such a filter, the daemon does, and the
  /// service must return the field that the filter needs.
  fileprivate mutating func planFieldFilters(_ request: SearchRequest, _ sentRequest: inout SearchRequest) throws(Skip) {
    if request.openNow, try !serviceApplies(.openNow, cause: "open_now") {
      try require(.openingHours, for: "openNow")
      filter.openNow = true
      sentRequest.openNow = false
    }
    if let rating = request.minRating, try !serviceApplies(.minRating, cause: "rating") {
      try require(.rating, for: "minRating")
      filter.minRating = rating
      sentRequest.minRating = nil
    }
    if !request.priceLevels.isEmpty, try !serviceApplies(.priceLevels, cause: "price_levels", supportsValue: request.priceLevels.isRange) {
      try require(.priceLevel, for: "priceLevels")
      filter.priceLevels = request.priceLevels
      sentRequest.priceLevels = []
    }
  }

  private func require(_ field: PlaceField, for parameter: String) throws(Skip) {
    guard capability.fields.contains(field) else {
      throw Skip("fields", "\(manifest.name) does not return the field that `\(parameter)` needs")
    }
  }

  /// The fields that the daemon's filters need besides the requested ones. A filter must not make a call more expensive without the
  /// caller's consent.
  func fieldsToFilter(_ call: Call, requestedFields: Set<PlaceField>, allowPrice: Bool) throws(Skip) -> Set<PlaceField> {
    let neededFields = filter.fields.intersection(capability.fields)
    guard allowPrice || !costsMore(call, adding: neededFields, to: requestedFields) else {
      let names = neededFields.map(\.rawValue).sorted().joined(separator: ", ")
      let remedy = call == .search ? "`allowPrice` permits it" : "request \(names) too"
      throw Skip("price", "filtering makes a call of \(manifest.name) more expensive than its fields alone; \(remedy)")
    }
    return neededFields
  }

  /// The given fields if the call does not cost more with them; otherwise none.
  fileprivate func fieldsWithoutCost(_ fields: Set<PlaceField>, _ call: Call, sentFields: Set<PlaceField>) -> Set<PlaceField> {
    let fields = fields.intersection(capability.fields)
    return costsMore(call, adding: fields, to: sentFields) ? [] : fields
  }

  /// True if the call may cost more with both sets of fields than with `sentFields` alone.
  private func costsMore(_ call: Call, adding fields: Set<PlaceField>, to sentFields: Set<PlaceField>) -> Bool {
    manifest.prices.mayCostMore(call, adding: fields, to: sentFields)
  }
}

extension Set<PriceLevel> {
  /// True if a minimum and a maximum level describe the same set. This is not the case if the set contains `free`, because services give
  /// free places no level to compare.
  fileprivate var isRange: Bool {
    let indices = PriceLevel.allCases.indices.filter { contains(PriceLevel.allCases[$0]) }
    guard let firstIndex = indices.first, let lastIndex = indices.last, !contains(.free) else { return false }
    return lastIndex - firstIndex == indices.count - 1
  }
}
