import Merging
import PlacesAPI
import PlacesKit

extension Engine {
  /// Called with the number of the partial answer, what can be shown so far, who has answered, and the credits that go with it.
  public typealias ShowSuggestions =
    @Sendable (
      _ revision: Int, _ rows: [SuggestionRow], _ providers: [ProviderReport], _ attributions: [AttributionRow]
    ) -> Void

  /// Suggestions for what somebody types.
  /// - Parameter partial: gets provisional answers, at most one in 40 ms, where the request wants to have them.
  public func autocomplete(
    _ parameters: Autocomplete.Parameters, caller: EngineCaller, partial: ShowSuggestions? = nil
  ) async throws(APIError) -> Autocomplete.Result {
    try await answer(parameters, caller: caller, partial: partial).result
  }

  /// The answer, with what became of every provider's part.
  func answer(
    _ parameters: Autocomplete.Parameters, caller: EngineCaller, partial: ShowSuggestions?
  ) async throws(APIError) -> (result: Autocomplete.Result, inquiry: Inquiry, outcomes: [Outcome]) {
    let request = AutocompleteRequest(parameters, settings: settings.withLock { $0 })
    let common = Common(
      user: caller.user, deadlineMs: parameters.deadlineMs, cache: parameters.cache, providers: parameters.providers,
      keystroke: parameters.session.map { Keystroke(session: $0, seq: parameters.seq, query: parameters.query) })
    return try await inquire(common) { manifest throws(Skip) in
      try Plan.autocomplete(request, manifest)
    } body: { inquiry throws(APIError) in
      let chosen = await boosts(for: request.query, of: caller.user, deadline: inquiry.deadline)
      let boosts = chosen ?? [:]
      var inquiry = inquiry.compared().reaching(boosts)
      inquiry.knowsChoices = chosen != nil
      let context = MergeContext(request, boosts: boosts, explain: parameters.explain)
      var stream = parameters.stream ? partial.map { SuggestionStream(inquiry, context, show: $0) } : nil
      let outcomes = try await collecting(inquiry).outcomes(show: stream == nil ? nil : { stream?.show($0) })
      try inquiry.refuse(outcomes)
      let rows = stream?.final(outcomes) ?? Merger().suggestions(inquiry.batches(outcomes, \.suggestions), context: context)
      for index in rows.indices where rows[index].sources.count > 1 {
        shown.join(rows[index].sources.compactMap(\.id), for: caller.user)
      }
      let credits = inquiry.credits
      let result = Autocomplete.Result(
        suggestions: [SuggestionRow](rows, common: credits), providers: inquiry.reports(outcomes),
        attributions: [AttributionRow](of: rows), complete: Inquiry.isComplete(outcomes), revision: (stream?.revision ?? 0) + 1)
      return (result, inquiry, outcomes)
    }
  }
}

/// The partial answers of one request.
struct SuggestionStream {
  private let inquiry: Inquiry
  private let show: Engine.ShowSuggestions
  private var merge: PartialMerge<Suggestion>
  private let credits: [AttributionRow]
  private var merged: Set<String> = []
  private(set) var revision = 0

  init(_ inquiry: Inquiry, _ context: MergeContext, show: @escaping Engine.ShowSuggestions) {
    self.inquiry = inquiry
    self.show = show
    credits = inquiry.credits
    merge = PartialMerge(context: context)
  }

  mutating func show(_ outcomes: [Outcome?]) {
    add(outcomes)
    revision += 1
    let rows = merge.rows
    show(revision, [SuggestionRow](rows, common: credits), inquiry.reports(outcomes), [AttributionRow](of: rows))
  }

  /// The rows that all answers together give.
  mutating func final(_ outcomes: [Outcome]) -> [MergedSuggestion] {
    add(outcomes)
    return merge.final()
  }

  private mutating func add(_ outcomes: [Outcome?]) {
    for batch in inquiry.batches(outcomes, \.suggestions) where merged.insert(batch.provider).inserted { merge.add(batch) }
  }
}

extension Inquiry {
  /// The credits that every row of the providers carries.
  var credits: [AttributionRow] {
    participants.flatMap { participant in
      participant.lane.instance.manifest.attributions.map { AttributionRow(provider: participant.lane.id, $0) }
    }
  }
}

extension AutocompleteRequest {
  /// The request as it was made, with the configuration's defaults where it is silent.
  init(_ parameters: Autocomplete.Parameters, settings: EngineSettings) {
    self.init(
      query: parameters.query, limit: parameters.limit, language: parameters.language ?? settings.language,
      region: parameters.region ?? settings.region,
      bias: parameters.bias ?? (parameters.restriction == nil ? settings.bias : nil), restriction: parameters.restriction,
      origin: parameters.origin, types: parameters.types.types, collection: parameters.types.collection,
      countries: parameters.countries, kinds: parameters.kinds, inputOffset: parameters.inputOffset.flatMap { $0 > 0 ? $0 : nil })
  }
}

extension MergeContext {
  fileprivate init(_ request: AutocompleteRequest, boosts: [String: Double], explain: Bool) {
    self.init(
      query: request.query, language: request.language, region: request.region, bias: request.bias, origin: request.origin,
      types: request.types, limit: request.limit, boosts: boosts, explain: explain)
  }
}
