import Resilience
import Merging
import PlacesAPI
import PlacesKit

extension Engine {
  /// Returns the details of one place from the provider that the id names (the leading provider). Fields that this provider lacks come from
  /// the other sources of the row that was shown, if these are free and may be blended. Ends the session.
  public func details(_ parameters: Details.Parameters, caller: EngineCaller) async throws(APIError) -> Details.Result {
    let settings = settings.withLock { $0 }
    let session = parameters.session.flatMap { sessions.openSession($0, of: caller.user, at: time.monotonic()) }
    let otherIDs = session == nil ? [] : shownRows.otherIDs(of: parameters.id, for: caller.user)
    let request = DetailsRequest(
      id: parameters.id.native, fields: parameters.fields, language: parameters.language ?? settings.language,
      region: parameters.region ?? settings.region)
    let common = CommonParameters(
      caller: caller, deadlineMs: parameters.deadlineMs, cache: parameters.cache, providers: [parameters.id.provider], session: session)
    try checkProvider(of: parameters.id)
    let (answer, deadline) = try await withAdmission(common) { manifest throws(Skip) in
      try Plan.details(request, manifest)
    } body: { queryContext, collector throws(APIError) in
      var queryContext = queryContext
      queryContext.candidates += supplementaryCandidates(otherIDs, for: queryContext, request)
      let outcomes: [ProviderOutcome]
      (queryContext, outcomes) = try await collector.outcomes(of: queryContext, show: nil)
      return (try queryContext.place(parameters, outcomes), queryContext.deadline)
    }
    // The session ends with this choice, even if no call was made. Its tokens are then not used again.
    if let session { await finish(session, choosing: parameters.id, before: deadline) }
    return answer
  }

  /// Ends a session with the chosen place, without calling a provider.
  public func select(_ parameters: Select.Parameters, caller: EngineCaller) async throws(APIError) {
    try checkProvider(of: parameters.id)
    guard let session = sessions.openSession(parameters.session, of: caller.user, at: time.monotonic()) else { return }
    await finish(session, choosing: parameters.id)
  }

  /// True if the session is open. Then a choice ends it.
  public func isOpen(_ session: SessionID, of user: UInt32) -> Bool {
    sessions.openSession(session, of: user, at: time.monotonic()) != nil
  }

  /// Throws if the id names a provider that is not configured.
  func checkProvider(of id: PlaceID) throws(APIError) {
    guard isConfigured(id.provider) else {
      throw APIError(.notFound, "no provider named \(id.provider) is configured, so its places are unknown")
    }
  }

  /// - Parameter deadline: when the reply must be sent, in monotonic seconds; nil if it may wait for the disk.
  private func finish(_ session: Session, choosing id: PlaceID, before deadline: Double? = nil) async {
    sessions.end(session.id, of: session.key.user)
    cache?.endSession(session.id.text, of: session.key.user)
    await learn(id, after: session.query, of: session.key.user, before: deadline)
  }

  /// The providers of the row's other sources that may supply fields which the leading provider lacks.
  private func supplementaryCandidates(_ otherIDs: [PlaceID], for queryContext: QueryContext, _ request: DetailsRequest)
    -> [CandidateProvider]
  {
    guard let leadingCandidate = queryContext.candidates.first, let plan = leadingCandidate.plan else { return [] }
    let missingFields = request.fields.subtracting(plan.call.fields)
    guard !missingFields.isEmpty else { return [] }
    let registry = registry.withLock { $0 }
    return otherIDs.compactMap { otherID in
      guard let client = registry[otherID.provider], client.id != leadingCandidate.client.id,
        Merger.mayBlend(
          (client.id, client.instance.manifest.terms), (leadingCandidate.client.id, leadingCandidate.client.instance.manifest.terms))
      else { return nil }
      var request = request
      request.id = otherID.native
      request.fields = missingFields
      guard let plan = try? Plan.details(request, client.instance.manifest), client.isFree(plan.call) else { return nil }
      return CandidateProvider(client: client, decision: .call(plan))
    }
  }
}

extension QueryContext {
  /// Combines the answers of all providers into one place. Each field comes from the first provider that has it.
  fileprivate func place(_ parameters: Details.Parameters, _ outcomes: [ProviderOutcome]) throws(APIError) -> Details.Result {
    let reports = reports(outcomes)
    guard let leadingOutcome = outcomes.first else {
      throw APIError(.unsupported, "no provider can return this place", providers: reports)
    }
    if leadingOutcome.cause == ProviderError.Cause.notFound.rawValue {
      throw APIError(.notFound, "\(parameters.id) does not exist or no longer exists", providers: reports)
    }
    // The other providers only add fields. If the leading provider did not answer, the request fails even if others did.
    var leadingOnly = self
    leadingOnly.candidates = Array(candidates.prefix(1))
    try leadingOnly.throwIfUnanswered([leadingOutcome])
    var row: PlaceRow?
    var attributions: [AttributionRow] = []
    for (candidate, outcome) in zip(candidates, outcomes) {
      guard let place = outcome.answer?.places.first else { continue }
      let credits = (candidate.client.instance.manifest.attributions + place.attributions).map {
        AttributionRow(provider: candidate.client.id, $0)
      }
      let source = Source(provider: candidate.client.id, id: PlaceID(provider: candidate.client.id, native: place.id), rank: 1)
      let origin = PlaceRow.Provenance(provider: candidate.client.id, at: Timestamp.rfc3339(outcome.fetchedAt))
      var filledRow = row ?? PlaceRow(id: parameters.id, row: "r1", values: [:], sources: [], attributions: [], provenance: [:])
      guard filledRow.fill(from: place, fields: parameters.fields, origin) || row == nil else { continue }
      filledRow.sources.append(source)
      for credit in credits where !attributions.contains(credit) { attributions.append(credit) }
      row = filledRow
    }
    guard var row else { throw APIError(.notFound, "\(parameters.id) does not exist or no longer exists", providers: reports) }
    row.attributions = attributions
    if !parameters.explain { row.provenance = nil }
    return Details.Result(place: row, providers: reports, attributions: attributions)
  }
}

extension PlaceRow {
  /// Adds missing fields; returns true if any were added.
  fileprivate mutating func fill(from place: Place, fields: Set<PlaceField>, _ origin: Provenance) -> Bool {
    var newValues = place.values
    newValues[.placeID] = .string(id.text)
    if let moved = newValues[.movedPlaceID]?.string {
      newValues[.movedPlaceID] = .string(PlaceID(provider: origin.provider, native: moved).text)
    }
    if newValues[.coordinate] == nil, let location = place.location {
      newValues[.coordinate] = ["latitude": .number(location.latitude), "longitude": .number(location.longitude)]
    }
    if newValues[.types] == nil, !place.types.isEmpty { newValues[.types] = .array(place.types.map { .string($0.rawValue) }) }
    var hasAdded = false
    for (field, value) in newValues where fields.contains(field) && values[field] == nil {
      values[field] = value
      provenance?[field] = origin
      hasAdded = true
    }
    return hasAdded
  }
}
