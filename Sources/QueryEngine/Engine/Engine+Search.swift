import Merging
import PlacesAPI
import PlacesKit

extension Engine {
  /// Receives a partial answer; the parameters are those of `ShowSuggestions`.
  public typealias ShowPlaces =
    @Sendable (
      _ revision: Int, _ rows: [PlaceRow], _ providers: [ProviderReport], _ attributions: [AttributionRow]
    ) -> Void

  /// Returns the places that match a text and filters.
  /// - Parameter partial: receives partial answers, as in `autocomplete`.
  public func search(
    _ parameters: Search.Parameters, caller: EngineCaller, partial: ShowPlaces? = nil
  ) async throws(APIError) -> PlacesResult {
    let request = SearchRequest(parameters, settings: settings.withLock { $0 })
    let earlierPage = try parameters.pageToken.map { token throws(APIError) in try page(token, of: parameters, caller: caller) }
    let common = CommonParameters(
      caller: caller, deadlineMs: parameters.deadlineMs, cache: parameters.cache, providers: parameters.providers,
      session: parameters.session.flatMap { sessions.openSession($0, of: caller.user, at: time.monotonic()) })
    let context = MergeContext(request, parameters, preferred: preferredProviders)
    return try await withAdmission(common) { manifest throws(Skip) in
      try Plan.search(request, manifest, allowPrice: parameters.allowPrice)
    } body: { queryContext, collector throws(APIError) in
      var queryContext = queryContext
      if let earlierPage { queryContext.continueAfter(earlierPage, limit: request.limit) }
      var stream = parameters.stream ? partial.map { PlaceStream(context, earlierPage, fields: request.fields, show: $0) } : nil
      let outcomes: [ProviderOutcome]
      (queryContext, outcomes) = try await collector.outcomes(
        of: queryContext, show: stream == nil ? nil : { stream?.show($0, $1) ?? false })
      try queryContext.throwIfUnanswered(outcomes)
      let batches = queryContext.places(outcomes, after: earlierPage)
      let rows = stream?.final(batches) ?? Merger().places(batches, context: context)
      return PlacesResult(
        places: rows.compactMap { PlaceRow($0, fields: request.fields, explain: parameters.explain) },
        providers: queryContext.reports(outcomes), attributions: [AttributionRow](of: rows), complete: queryContext.isComplete(outcomes),
        nextPageToken: caller.isAdmitted
          ? nil
          : nextPage(
            after: rows, of: batches, queryContext, outcomes, earlierPage: earlierPage, parameters: parameters, caller: caller))
    }
  }

  /// Returns the places at a point.
  public func reverse(_ parameters: Reverse.Parameters, caller: EngineCaller) async throws(APIError) -> PlacesResult {
    let settings = settings.withLock { $0 }
    let request = ReverseRequest(
      location: parameters.location, radius: parameters.radius, types: parameters.types.types, limit: parameters.limit,
      fields: parameters.fields, language: parameters.language ?? settings.language)
    let common = CommonParameters(
      caller: caller, deadlineMs: parameters.deadlineMs, cache: parameters.cache, providers: parameters.providers)
    let context = MergeContext(
      query: "", language: request.language, region: parameters.region ?? settings.region, origin: request.location,
      types: request.types, limit: request.limit, nearestFirst: true, prefer: parameters.prefer + settings.prefer, folds: parameters.fold,
      explain: parameters.explain)
    return try await withAdmission(common) { manifest throws(Skip) in
      try Plan.reverse(request, collection: parameters.types.collection, manifest)
    } body: { queryContext, collector throws(APIError) in
      let (queryContext, outcomes) = try await collector.outcomes(of: queryContext, show: nil)
      try queryContext.throwIfUnanswered(outcomes)
      let rows = Merger().places(queryContext.batches(outcomes, \.places), context: context)
      return PlacesResult(
        places: rows.compactMap { PlaceRow($0, fields: request.fields, explain: parameters.explain) },
        providers: queryContext.reports(outcomes), attributions: [AttributionRow](of: rows), complete: queryContext.isComplete(outcomes))
    }
  }
}

/// The partial answers of one search.
struct PlaceStream {
  private let earlierPage: SearchPageState?
  private let fields: Set<PlaceField>
  private let show: Engine.ShowPlaces
  private var merge: PartialMerge<Place>
  private var revision = 0

  /// - Parameter earlierPage: the state after the earlier page; nil for the first page.
  init(_ context: MergeContext, _ earlierPage: SearchPageState?, fields: Set<PlaceField>, show: @escaping Engine.ShowPlaces) {
    self.earlierPage = earlierPage
    self.fields = fields
    self.show = show
    merge = PartialMerge(context: context)
  }

  /// Merges the answers so far, and sends the rows. Returns false, and sends nothing, if there are no rows.
  mutating func show(_ queryContext: QueryContext, _ outcomes: [ProviderOutcome?]) -> Bool {
    let rows = merge.show(queryContext.places(outcomes, after: earlierPage))
    guard !rows.isEmpty else { return false }
    revision += 1
    show(
      revision, rows.compactMap { PlaceRow($0, fields: fields, explain: false) }, queryContext.reports(outcomes), [AttributionRow](of: rows)
    )
    return true
  }

  /// The rows of the reply: those that partial answers contained, and later ones.
  mutating func final(_ batches: [ProviderBatch<Place>]) -> [MergedPlace] { merge.final(batches) }
}

extension Search.Parameters {
  /// A circle around the origin with a radius of 5 km; nil if there is no origin or the search does not need an area. A search that is
  /// ranked by distance or has no text needs an area, which is sent as the bias, because most services have no origin in searches.
  fileprivate var areaAroundOrigin: Area? {
    rankBy == .distance || query.isEmpty ? origin.map { .circle(center: $0, radius: 5_000) } : nil
  }
}

extension SearchRequest {
  init(_ parameters: Search.Parameters, settings: EngineSettings) {
    self.init(
      query: parameters.query, fields: parameters.fields, includedType: parameters.includedType,
      strictTypeFiltering: parameters.strictTypeFiltering, openNow: parameters.openNow, minRating: parameters.minRating,
      priceLevels: parameters.priceLevels, rankBy: parameters.rankBy, limit: parameters.limit,
      language: parameters.language ?? settings.language, region: parameters.region ?? settings.region,
      bias: parameters.bias ?? (parameters.restriction == nil ? parameters.areaAroundOrigin ?? settings.bias : nil),
      restriction: parameters.restriction,
      origin: parameters.origin, countries: parameters.countries)
  }
}

extension MergeContext {
  fileprivate init(_ request: SearchRequest, _ parameters: Search.Parameters, preferred: [String]) {
    self.init(
      query: request.query, language: request.language, region: request.region, bias: request.bias,
      origin: request.origin ?? (request.rankBy == .distance ? (request.bias ?? request.restriction)?.center : nil),
      types: request.includedType.map { [$0] } ?? [], limit: request.limit, nearestFirst: request.rankBy == .distance,
      prefer: parameters.prefer + preferred, folds: parameters.fold, explain: parameters.explain)
  }
}
