import PlacesAPI
import PlacesKit

extension Engine {
  /// Finds the one place that a text most likely means. The cheapest providers are queried first: the providers on this machine, then the
  /// free services, then the paid services one by one. The time that remains is divided equally among the remaining steps.
  public func resolve(_ parameters: Resolve.Parameters, caller: EngineCaller) async throws(APIError) -> Resolve.Result {
    let start = time.monotonic()
    try admit(caller.user, at: start)
    try checkConfigured(parameters.providers)
    let providers = status.filter { parameters.providers.isEmpty || parameters.providers.contains($0.id) }
    let steps = [ResolveStep](providers, for: parameters) { manifest(of: $0)?.prices }
    let seconds =
      parameters.deadlineMs.map { Double($0) / 1000 } ?? min(Engine.maxResolveTime, settings.withLock { $0.deadline } * Double(steps.count))
    var caller = caller
    caller.isAdmitted = true
    var resolver = Resolver(
      text: parameters.query, bias: parameters.bias, type: parameters.includedType, fields: parameters.fields,
      localProviders: Set(providers.filter { !$0.leavesMachine }.map(\.id)))
    var remainingStepCount = steps.count
    try await resolver.query(steps) { step throws(APIError) in
      let now = time.monotonic()
      let remainingSeconds = start + seconds - now
      guard remainingSeconds >= Engine.minStepTime || remainingStepCount == steps.count else { return nil }
      let stepSeconds = max(remainingSeconds / Double(remainingStepCount), Engine.minStepTime)
      remainingStepCount -= 1
      return try await answer(of: step, parameters, until: now + min(remainingSeconds, stepSeconds), caller)
    }
    return try resolver.result()
  }

  /// The longest deadline of the protocol, in seconds.
  private static let maxResolveTime = 30.0
  /// The minimum time for one step in seconds. A provider on this machine needs less.
  private static let minStepTime = 0.01

  private func answer(
    of step: ResolveStep, _ parameters: Resolve.Parameters, until deadline: Double, _ caller: EngineCaller
  ) async throws(APIError) -> Resolver.Answer {
    if step.callKind == .suggest { return try await detailsOfFirstSuggestion(by: step, parameters, until: deadline, caller) }
    var search = Search.Parameters(query: parameters.query, fields: parameters.fields.union(step.matchingFields))
    search.includedType = parameters.includedType ?? (step.callKind == .geocode ? "street_address" : nil)
    // Free services are asked for more rows, because an exact match may follow many prefix matches.
    search.limit = step.isFree ? 20 : Resolve.maxCandidates
    (search.language, search.region, search.origin) = (parameters.language, parameters.region, parameters.origin)
    (search.bias, search.restriction, search.countries) = (parameters.bias, parameters.restriction, parameters.countries)
    (search.session, search.providers, search.cache) = (parameters.session, step.providers, parameters.cache)
    search.deadlineMs = milliseconds(until: deadline)
    // `PlaceRating` reads the explanation.
    search.explain = true
    let result = try await self.search(search, caller: caller)
    return (result.places, result.providers)
  }

  /// The details of the first suggested place, for providers that do not search.
  private func detailsOfFirstSuggestion(
    by step: ResolveStep, _ parameters: Resolve.Parameters, until deadline: Double, _ caller: EngineCaller
  ) async throws(APIError) -> Resolver.Answer {
    let fields = parameters.fields.union(step.matchingFields)
    var suggest = Autocomplete.Parameters(query: parameters.query)
    suggest.limit = 1
    suggest.kinds = [.place]
    suggest.types = TypeFilter(types: parameters.includedType.map { [$0] } ?? [])
    (suggest.language, suggest.region, suggest.origin) = (parameters.language, parameters.region, parameters.origin)
    (suggest.bias, suggest.restriction, suggest.countries) = (parameters.bias, parameters.restriction, parameters.countries)
    (suggest.providers, suggest.deadlineMs, suggest.cache) = (step.providers, milliseconds(until: deadline), parameters.cache)
    suggest.explain = true
    let result = try await autocomplete(suggest, caller: caller)
    guard let row = result.suggestions.first, let id = row.id else { return ([], result.providers) }
    // If too little time remains, details are not requested, because they might cost money and could not arrive in time.
    guard deadline - time.monotonic() >= Engine.minStepTime else {
      return ([PlaceRow(row, id: id, fields: fields, commonCredits: result.attributions)], result.providers)
    }
    var details = Details.Parameters(id: id, fields: fields)
    (details.language, details.region, details.cache) = (parameters.language, parameters.region, parameters.cache)
    details.deadlineMs = milliseconds(until: deadline)
    do throws(APIError) {
      var place = try await self.details(details, caller: caller).place
      place.explain = row.explain
      return ([place], result.providers)
    } catch {
      if error.name == .cancelled { throw error }
      // Without details, the suggestion's own data is used.
      return ([PlaceRow(row, id: id, fields: fields, commonCredits: result.attributions)], result.providers)
    }
  }

  private func milliseconds(until deadline: Double) -> Int { max(1, Int((deadline - time.monotonic()) * 1000)) }
}

extension PlaceRow {
  /// The suggestion as a place.
  /// - Parameter commonCredits: the credits of the answer, which the row does not repeat.
  fileprivate init(_ row: SuggestionRow, id: PlaceID, fields: Set<PlaceField>, commonCredits: [AttributionRow]) {
    var values: [PlaceField: JSONValue] = [.placeID: .string(id.text), .name: .string((row.primary ?? row.text).text)]
    values[.formattedAddress] = .string(row.text.text)
    if !row.types.isEmpty { values[.types] = .array(row.types.map { .string($0.rawValue) }) }
    if let point = row.location { values[.coordinate] = ["latitude": .number(point.latitude), "longitude": .number(point.longitude)] }
    self.init(
      id: id, row: row.row, values: values.filter { fields.contains($0.key) }, distance: row.distance, sources: row.sources,
      attributions: commonCredits + (row.attributions ?? []), explain: row.explain)
  }
}
