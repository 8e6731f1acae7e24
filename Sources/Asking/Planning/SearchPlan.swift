import PlacesKit

extension Plan {
  /// What to ask a provider for a text search.
  /// - Parameter allowPrice: whether a filter may make the call dearer than its fields do.
  static func search(_ request: SearchRequest, _ manifest: Manifest, allowPrice: Bool) throws(Skip) -> Plan {
    var planner = try Planner(manifest, for: .search)
    guard request.query.unicodeScalars.count >= planner.capability.minimumLetters else {
      throw Skip("letters", "\(manifest.name) is asked from \(planner.capability.minimumLetters) letters on")
    }
    try planner.coverage(countries: request.countries, restriction: request.restriction)

    var asked = request
    asked.fields = try planner.fields(request.fields)
    asked.language = planner.language(request.language)
    asked.region = planner.leaning(request.region, .region)
    asked.origin = planner.rounded(planner.leaning(request.origin, .origin))
    asked.restriction = try planner.restriction(request.restriction)
    asked.bias = planner.bias(request.bias ?? (asked.restriction == nil ? request.restriction : nil))
    asked.countries = try planner.countries(request.countries)
    try planner.types(request, &asked)
    try planner.qualities(request, &asked)
    if request.rankBy == .distance, planner.capability.support(.rankByDistance) != .native { asked.rankBy = .relevance }
    try planner.price(.search, asked: asked.fields, wanted: request.fields, allowed: allowPrice)
    asked.limit = planner.filter.drops ? planner.capability.maximumRows : min(request.limit, planner.capability.maximumRows)
    return Plan(call: .search(asked), filter: planner.filter)
  }
}

extension Planner {
  /// The fields asked for that this provider has.
  func fields(_ wanted: Set<PlaceField>) throws(Skip) -> Set<PlaceField> {
    let fields = wanted.intersection(capability.fields)
    guard !fields.isEmpty || wanted.isEmpty || capability.fields.isEmpty else {
      throw Skip("fields", "\(manifest.name) has none of the fields asked for")
    }
    return fields
  }

  fileprivate mutating func types(_ request: SearchRequest, _ asked: inout SearchRequest) throws(Skip) {
    guard let type = request.includedType else {
      asked.strictTypeFiltering = false
      return
    }
    if try !applies(.includedType, cause: "types") {
      filter.types = [type]
      asked.includedType = nil
      asked.strictTypeFiltering = false
    } else if request.strictTypeFiltering, try !applies(.strictTypeFiltering, cause: "types") {
      filter.types = [type]
      asked.strictTypeFiltering = false
    }
  }

  /// Filters by what is known of a place: each, where the daemon applies it, needs a field of every row.
  fileprivate mutating func qualities(_ request: SearchRequest, _ asked: inout SearchRequest) throws(Skip) {
    if request.openNow, try !applies(.openNow, cause: "open_now") {
      filter.openNow = true
      asked.openNow = false
      try need([.openingHours, .utcOffsetMinutes], atLeast: .openingHours, for: "openNow", &asked.fields)
    }
    if let rating = request.minRating, try !applies(.minRating, cause: "rating") {
      filter.minRating = rating
      asked.minRating = nil
      try need([.rating], atLeast: .rating, for: "minRating", &asked.fields)
    }
    if !request.priceLevels.isEmpty, try !applies(.priceLevels, cause: "price_levels") {
      filter.priceLevels = request.priceLevels
      asked.priceLevels = []
      try need([.priceLevel], atLeast: .priceLevel, for: "priceLevels", &asked.fields)
    }
  }

  private func need(
    _ needed: Set<PlaceField>, atLeast least: PlaceField, for parameter: String, _ fields: inout Set<PlaceField>
  ) throws(Skip) {
    guard capability.fields.contains(least) else {
      throw Skip("fields", "\(manifest.name) does not tell what \(parameter) needs to know")
    }
    fields.formUnion(needed.intersection(capability.fields))
  }

  /// A filter must not make a call dearer behind the caller's back.
  fileprivate func price(_ call: Call, asked: Set<PlaceField>, wanted: Set<PlaceField>, allowed: Bool) throws(Skip) {
    guard !allowed else { return }
    let own = manifest.prices.priceClass(of: call, fields: wanted)?.micros ?? 0
    let filtered = manifest.prices.priceClass(of: call, fields: asked)?.micros ?? 0
    if filtered > own {
      throw Skip("price", "filtering makes a call of \(manifest.name) dearer than its fields; allowPrice: true permits it")
    }
  }
}
