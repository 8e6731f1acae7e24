import PlacesKit

extension Plan {
  /// The plan for a text search.
  /// - Parameter allowPrice: true if a filter may make the call more expensive than its fields alone.
  static func search(_ request: SearchRequest, _ manifest: Manifest, allowPrice: Bool) throws(Skip) -> Plan {
    // For an address, the service's geocoder is called if there is one: it knows more addresses and costs less.
    let call: Call = request.includedType?.group == .address && manifest.geocode != nil && !request.query.isEmpty ? .geocode : .search
    var planner = try Planner(manifest, for: call)
    if request.query.isEmpty { try planner.withoutQuery(request) } else { try planner.letters(of: request.query) }
    try planner.coverage(countries: request.countries, restriction: request.restriction)

    var asked = request
    asked.fields = try planner.fields(request.fields)
    asked.language = planner.language(request.language)
    asked.region = planner.ifSupported(request.region, .region)
    asked.origin = planner.rounded(planner.ifSupported(request.origin, .origin))
    asked.restriction = try planner.restriction(request.restriction)
    asked.bias = planner.bias(request.bias ?? (asked.restriction == nil ? request.restriction : nil))
    asked.countries = try planner.countries(request.countries)
    if call == .geocode { planner.addresses(&asked) } else { try planner.types(request, &asked) }
    if request.query.isEmpty {
      guard asked.includedType != nil else { throw Skip("types", "\(manifest.name) cannot search for a type of that kind without a text") }
      // Such a search costs at least what one for coordinates does.
      asked.fields.formUnion(planner.capability.fields.intersection([.coordinate]))
    }
    try planner.qualities(request, &asked)
    if request.rankBy == .distance, planner.capability.support(.rankByDistance) != .native { asked.rankBy = nil }
    asked.fields.formUnion(try planner.fieldsToFilter(call, wanted: request.fields, allowPrice: allowPrice))
    if request.origin != nil || request.rankBy == .distance {
      asked.fields.formUnion(planner.withoutCost([.coordinate], call, asked: asked.fields))
    }
    asked.limit = planner.filter.drops ? planner.capability.maximumRows : min(request.limit, planner.capability.maximumRows)
    return Plan(call: call == .geocode ? .geocode(asked) : .search(asked), filter: planner.filter)
  }
}

extension Planner {
  /// The requested fields that this provider has.
  func fields(_ wanted: Set<PlaceField>) throws(Skip) -> Set<PlaceField> {
    let fields = wanted.intersection(capability.fields)
    guard !fields.isEmpty || wanted.isEmpty || capability.fields.isEmpty else {
      throw Skip("fields", "\(manifest.name) has none of the requested fields")
    }
    return fields
  }

  /// Skips the provider for a search without a text if it has none, or if the search has no area.
  fileprivate func withoutQuery(_ request: SearchRequest) throws(Skip) {
    guard capability.support(.withoutQuery) == .native else {
      throw Skip(Skip.withoutText, "\(manifest.name) does not search without a text")
    }
    guard request.bias != nil || request.restriction != nil else {
      throw Skip("area", "a search without a text needs a bias, a restriction or an origin")
    }
  }

  /// A geocoder also finds towns and businesses. Rows that are not addresses are dropped; with a strict type, all rows of other types.
  fileprivate mutating func addresses(_ asked: inout SearchRequest) {
    if asked.strictTypeFiltering { filter.types = Set([asked.includedType].compactMap { $0 }) } else { filter.collection = .address }
    asked.includedType = nil
    asked.strictTypeFiltering = false
  }

  fileprivate mutating func types(_ request: SearchRequest, _ asked: inout SearchRequest) throws(Skip) {
    guard let type = request.includedType else {
      asked.strictTypeFiltering = false
      return
    }
    let isWord = manifest.typeWords[type.rawValue]?.count == 1
    if try !applies(.includedType, cause: "types", sayable: manifest.typeWords.isEmpty || isWord) {
      guard capability.support(.includedType) == .emulated || manifest.typeWords[type.rawValue] != nil else {
        throw Skip("types", "\(manifest.name) does not distinguish the type \(type.rawValue)")
      }
      filter.types = [type]
      // The narrowest wider type that the service supports makes it return more rows for the filter.
      asked.includedType =
        capability.support(.includedType) == .partly ? type.ancestors.first { manifest.typeWords[$0.rawValue]?.count == 1 } : nil
      asked.strictTypeFiltering = asked.includedType != nil && capability.support(.strictTypeFiltering) == .native
    } else if request.strictTypeFiltering, try !applies(.strictTypeFiltering, cause: "types") {
      filter.types = [type]
      asked.strictTypeFiltering = false
    } else if type.group == .address, !request.strictTypeFiltering {
      // A search for an address must return no town, even from a service that only prefers the type.
      filter.collection = .address
    }
  }

  /// Filters by a place's fields: by the service itself, or by the daemon if the service returns the fields.
  fileprivate mutating func qualities(_ request: SearchRequest, _ asked: inout SearchRequest) throws(Skip) {
    if request.openNow, try !applies(.openNow, cause: "open_now") {
      try demand(.openingHours, for: "openNow")
      filter.openNow = true
      asked.openNow = false
    }
    if let rating = request.minRating, try !applies(.minRating, cause: "rating") {
      try demand(.rating, for: "minRating")
      filter.minRating = rating
      asked.minRating = nil
    }
    if !request.priceLevels.isEmpty, try !applies(.priceLevels, cause: "price_levels", sayable: request.priceLevels.isRange) {
      try demand(.priceLevel, for: "priceLevels")
      filter.priceLevels = request.priceLevels
      asked.priceLevels = []
    }
  }

  private func demand(_ field: PlaceField, for parameter: String) throws(Skip) {
    guard capability.fields.contains(field) else {
      throw Skip("fields", "\(manifest.name) does not return what \(parameter) needs to know")
    }
  }

  /// The fields that the daemon's filters need besides the requested ones. A filter must not make a call more expensive without the
  /// caller's consent.
  func fieldsToFilter(_ call: Call, wanted: Set<PlaceField>, allowPrice: Bool) throws(Skip) -> Set<PlaceField> {
    let needed = filter.fields.intersection(capability.fields)
    guard allowPrice || !costs(more: needed, call, than: wanted) else {
      let names = needed.map(\.rawValue).sorted().joined(separator: ", ")
      let remedy = call == .search ? "allowPrice: true permits it" : "ask for \(names) too"
      throw Skip("price", "filtering makes a call of \(manifest.name) more expensive than its fields alone; \(remedy)")
    }
    return needed
  }

  /// Optional fields, if the call costs no more with them.
  fileprivate func withoutCost(_ fields: Set<PlaceField>, _ call: Call, asked: Set<PlaceField>) -> Set<PlaceField> {
    let fields = fields.intersection(capability.fields)
    return costs(more: fields, call, than: asked) ? [] : fields
  }

  private func costs(more fields: Set<PlaceField>, _ call: Call, than asked: Set<PlaceField>) -> Bool {
    manifest.prices.mayCostMore(call, for: asked, and: fields)
  }
}

extension Set<PriceLevel> {
  /// True if a minimum and a maximum level describe the same set. Free places have no price level to compare.
  fileprivate var isRange: Bool {
    let places = PriceLevel.allCases.indices.filter { contains(PriceLevel.allCases[$0]) }
    guard let first = places.first, let last = places.last, !contains(.free) else { return false }
    return last - first == places.count - 1
  }
}
