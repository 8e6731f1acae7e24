import Merging
import PlacesAPI
import PlacesKit

extension Engine {
  /// Receives a partial answer: its number (1 for the request's first one), the rows so far, the providers' reports, and the credits of the
  /// rows.
  public typealias ShowSuggestions =
    @Sendable (
      _ revision: Int, _ rows: [SuggestionRow], _ providers: [ProviderReport], _ attributions: [AttributionRow]
    ) -> Void

  /// Returns suggestions for a partially typed text.
  /// - Parameter partial: receives partial answers, at most one in 40 ms, if the request has `stream`.
  public func autocomplete(
    _ parameters: Autocomplete.Parameters, caller: EngineCaller, partial: ShowSuggestions? = nil
  ) async throws(APIError) -> Autocomplete.Result {
    try await answer(parameters, caller: caller, partial: partial).result
  }

  /// Returns the answer, and the outcome of each candidate of the query context.
  func answer(
    _ parameters: Autocomplete.Parameters, caller: EngineCaller, partial: ShowSuggestions?
  ) async throws(APIError) -> (result: Autocomplete.Result, queryContext: QueryContext, outcomes: [ProviderOutcome]) {
    let request = AutocompleteRequest(parameters, settings: settings.withLock { $0 })
    let common = CommonParameters(
      caller: caller, deadlineMs: parameters.deadlineMs, cache: parameters.cache, providers: parameters.providers,
      keystroke: parameters.session.map { Keystroke(session: $0, seq: parameters.seq, query: request.query) })
    return try await withAdmission(common) { manifest throws(Skip) in
      try Plan.autocomplete(request, manifest)
    } body: { queryContext, collector throws(APIError) in
      let knownBoosts = await boosts(for: request.query, of: caller.user, deadline: queryContext.deadline)
      let boosts = knownBoosts ?? [:]
      var queryContext = queryContext.withEqualDepth().requestingChosenRows(boosts)
      queryContext.knowsChoices = knownBoosts != nil
      let context = MergeContext(request, parameters, boosts: boosts, preferred: preferredProviders)
      var stream = parameters.stream ? partial.map { SuggestionStream(context, show: $0) } : nil
      let outcomes: [ProviderOutcome]
      (queryContext, outcomes) = try await collector.outcomes(
        of: queryContext, show: stream == nil ? nil : { stream?.show($0, $1) ?? false })
      try queryContext.throwIfUnanswered(outcomes)
      let batches = queryContext.batches(outcomes, \.suggestions)
      let rows = stream?.final(batches) ?? Merger().suggestions(batches, context: context)
      for index in rows.indices where rows[index].sources.count > 1 || !rows[index].alternatives.isEmpty {
        shownRows.recordRow(rows[index].allSources.compactMap(\.id), for: caller.user)
      }
      let credits = queryContext.credits
      let result = Autocomplete.Result(
        suggestions: [SuggestionRow](rows, commonCredits: credits), providers: queryContext.reports(outcomes),
        attributions: [AttributionRow](of: rows), complete: queryContext.isComplete(outcomes), revision: (stream?.revision ?? 0) + 1)
      return (result, queryContext, outcomes)
    }
  }
}

/// The partial answers of one request.
struct SuggestionStream {
  private let show: Engine.ShowSuggestions
  private var merge: PartialMerge<Suggestion>
  private(set) var revision = 0

  init(_ context: MergeContext, show: @escaping Engine.ShowSuggestions) {
    self.show = show
    merge = PartialMerge(context: context)
  }

  /// Merges the answers so far, and sends the rows. Returns false, and sends nothing, if there are no rows.
  mutating func show(_ queryContext: QueryContext, _ outcomes: [ProviderOutcome?]) -> Bool {
    let rows = merge.show(queryContext.batches(outcomes, \.suggestions))
    guard !rows.isEmpty else { return false }
    revision += 1
    show(revision, [SuggestionRow](rows, commonCredits: queryContext.credits), queryContext.reports(outcomes), [AttributionRow](of: rows))
    return true
  }

  /// The rows of the reply: those that partial answers contained, and later ones.
  mutating func final(_ batches: [ProviderBatch<Suggestion>]) -> [MergedSuggestion] { merge.final(batches) }
}

extension Engine {
  /// The ids of the providers that the configuration prefers.
  var preferredProviders: [String] { settings.withLock { $0.prefer } }
}

extension QueryContext {
  /// The credits that apply to all rows of the providers.
  var credits: [AttributionRow] {
    candidates.flatMap { candidate in
      candidate.client.instance.manifest.attributions.map { AttributionRow(provider: candidate.client.id, $0) }
    }
  }
}

extension AutocompleteRequest {
  /// The request with the configuration's defaults for absent parameters.
  init(_ parameters: Autocomplete.Parameters, settings: EngineSettings) {
    let inputOffset = parameters.inputOffset.flatMap { $0 > 0 ? $0 : nil }
    self.init(
      query: parameters.trimmedQuery, limit: parameters.limit, language: parameters.language ?? settings.language,
      region: parameters.region ?? settings.region,
      bias: parameters.bias ?? (parameters.restriction == nil ? settings.bias : nil), restriction: parameters.restriction,
      origin: parameters.origin, types: parameters.types.types, collection: parameters.types.collection,
      countries: parameters.countries, kinds: parameters.kinds, inputOffset: inputOffset,
      endsWord: inputOffset == nil && parameters.endsWord)
  }
}

extension MergeContext {
  fileprivate init(
    _ request: AutocompleteRequest, _ parameters: Autocomplete.Parameters, boosts: [String: Double], preferred: [String]
  ) {
    self.init(
      query: request.query, language: request.language, region: request.region, bias: request.bias, origin: request.origin,
      types: request.types, limit: request.limit, boosts: boosts, prefer: parameters.prefer + preferred, folds: parameters.fold,
      explain: parameters.explain)
  }
}
