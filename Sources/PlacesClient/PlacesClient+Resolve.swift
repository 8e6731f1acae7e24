import PlacesAPI
import PlacesKit

extension PlacesClient {
  /// Finds the place that a text most likely means, cheapest first: one search of the providers on this machine, then one of the free
  /// services, then the paid services one by one, ordered by the price of a search for these fields or of geocoding; services that only
  /// suggest follow those that search. The first place that has all words of the text ends the search, even if several places have them:
  /// a further service could not decide which one is meant. Returns nil if no provider knows a place, throws if none could answer.
  public func resolve(
    _ text: String, fields: Set<PlaceField> = Resolution.usualFields,
    adjust: @Sendable (inout Search.Parameters) -> Void = { _ in }
  ) async throws(ClientError) -> Resolution? {
    var parameters = Search.Parameters(query: text, fields: fields)
    adjust(&parameters)
    // The explanation shows how the name fits.
    parameters.explain = true
    let wanted = parameters.providers
    let all = try await call(ProvidersList.self, NoParameters()).providers.filter { wanted.isEmpty || wanted.contains($0.id) }
    let local = Set(all.filter { !$0.leavesMachine }.map(\.id))
    var best: Resolution?
    var failure: ClientError?
    var reports: [ProviderReport] = []
    var isAnswered = false
    var steps = ResolveSteps(all, for: parameters, of: self)
    while let step = try await steps.next() {
      do throws(ClientError) {
        parameters.providers = step.providers
        // An exact match may follow many prefix matches, and more rows cost nothing here.
        parameters.limit = step.isFree ? 20 : Resolution.maxCandidates
        parameters.fields = fields.union(step.matchingFields)
        let found = try await places(by: step.way, parameters)
        reports += found.reports
        isAnswered = true
        guard
          let resolution = Resolution(
            rows: found.places, for: text, isLocal: found.places.first.map { local.contains($0.id.provider) } ?? false,
            fields: fields)
        else { continue }
        // Another way of the same provider may return the same place again.
        if resolution.place.id == best?.place.id { continue }
        // A place that has none of the words is not better than a similar one, and further queries for a typing error may cost money.
        let isSecondAttempt = best?.fit == .alike && resolution.fit != .part && resolution.fit < .words
        if best.map({ resolution.fit > $0.fit }) ?? true { best = resolution }
        // A place that fits only by the service's own judgement ends the search, unless it is a geocoder's guess.
        if isSecondAttempt || resolution.fit >= .words || (resolution.fit == .other && step.way != .geocode) { break }
      } catch {
        // If a provider fails or does not support these filters, the next one is queried.
        guard case .refused(let refusal) = error else { throw error }
        reports += refusal.providers
        if step.way != .suggest || failure == nil { failure = error }
      }
    }
    if !isAnswered, let failure { throw failure }
    best?.providers = reports
    return best
  }

  private typealias Found = (places: [PlaceRow], reports: [ProviderReport])

  private func places(by way: ResolveSteps.Step.Way, _ search: Search.Parameters) async throws(ClientError) -> Found {
    switch way {
    case .search: return try await searched(search)
    case .suggest: return try await suggested(search)
    case .geocode:
      var address = search
      address.includedType = address.includedType ?? "street_address"
      return try await searched(address)
    }
  }

  private func searched(_ search: Search.Parameters) async throws(ClientError) -> Found {
    let result = try await self.search(search)
    return (result.places, result.providers)
  }

  /// The details of the first suggested place.
  private func suggested(_ search: Search.Parameters) async throws(ClientError) -> Found {
    // Autocomplete does not support these filters, so its rows would not satisfy them.
    guard !search.openNow, search.minRating == nil, search.priceLevels.isEmpty else { return ([], []) }
    var parameters = Autocomplete.Parameters(query: search.query)
    parameters.limit = 1
    parameters.kinds = [.place]
    parameters.types = TypeFilter(types: search.includedType.map { [$0] } ?? [])
    (parameters.language, parameters.region, parameters.origin) = (search.language, search.region, search.origin)
    (parameters.bias, parameters.restriction, parameters.countries) = (search.bias, search.restriction, search.countries)
    (parameters.providers, parameters.deadlineMs, parameters.cache) = (search.providers, search.deadlineMs, search.cache)
    parameters.explain = true
    let result = try await autocomplete(parameters)
    guard let row = result.suggestions.first, let id = row.id else { return ([], result.providers) }
    var details = Details.Parameters(id: id, fields: search.fields)
    (details.language, details.region, details.deadlineMs) = (search.language, search.region, search.deadlineMs)
    do throws(ClientError) {
      var place = try await self.details(details).place
      place.explain = row.explain
      return ([place], result.providers)
    } catch {
      // Its provider has no details: the row's own data is used.
      guard case .refused = error else { throw error }
      return ([PlaceRow(row, id: id, fields: search.fields)], result.providers)
    }
  }
}

extension PlaceRow {
  fileprivate init(_ row: SuggestionRow, id: PlaceID, fields: Set<PlaceField>) {
    var values: [PlaceField: JSONValue] = [.placeID: .string(id.text), .name: .string((row.primary ?? row.text).text)]
    values[.formattedAddress] = .string(row.text.text)
    if !row.types.isEmpty { values[.types] = .array(row.types.map { .string($0.rawValue) }) }
    if let point = row.location { values[.coordinate] = ["latitude": .number(point.latitude), "longitude": .number(point.longitude)] }
    self.init(
      id: id, row: row.row, values: values.filter { fields.contains($0.key) }, distance: row.distance, sources: row.sources,
      attributions: row.attributions ?? [], explain: row.explain)
  }
}
