import Resilience
import PlacesAPI
import PlacesKit

/// A request on its way: who asks, until when, in which session, and which providers take part.
struct QueryContext: Sendable {
  var user: UInt32
  /// When the wait for providers ends, in monotonic seconds: a moment before the reply is due.
  var deadline: Double
  var cache: CacheMode
  var session: Session?
  var turn: Session.Turn?
  /// In the order of the configuration.
  var candidates: [CandidateProvider] = []
  /// Providers that do not run, though they are switched on or the request names them.
  var absent: [ProviderStatus] = []
  /// Seconds after which an overloaded daemon may be asked again, which serves from the cache alone; nil for one that is not.
  var overload: Double?
  /// Whether the disk has told what the user chose before: else his rows may stand in another order a moment later.
  var knowsChoices = true
}

/// A provider and its part.
struct CandidateProvider: Sendable {
  enum Part: Sendable {
    case asked(Plan)
    /// Nothing is to be asked.
    case known(Outcome)
  }
  var client: ProviderClient
  var part: Part

  var plan: Plan? { if case .asked(let plan) = part { plan } else { nil } }
}

extension QueryContext {
  /// The same, where a provider on this machine that is one of several is asked for as many rows as services on the network are: what it has
  /// further down may stand before their first rows.
  func compared() -> QueryContext {
    guard candidates.lazy.filter({ $0.plan != nil }).count > 1 else { return self }
    var queryContext = self
    for (index, candidate) in candidates.enumerated() {
      guard var plan = candidate.plan, case .autocomplete(var request) = plan.call,
        let most = candidate.client.instance.manifest.autocomplete?.maximumRows
      else { continue }
      request.limit = max(request.limit, min(most, Autocomplete.depth(for: request.limit)))
      plan.call = .autocomplete(request)
      queryContext.candidates[index].part = .asked(plan)
    }
    return queryContext
  }

  /// The same, where providers that answer at once, and for nothing, are asked for as many rows as they have, if the user chose places of theirs
  /// for such a text: these may stand below the rows that the request wants.
  /// - Parameter chosen: how much each place rises, by its wire id.
  func reaching(_ chosen: [String: Double]) -> QueryContext {
    guard !chosen.isEmpty else { return self }
    var queryContext = self
    for (index, candidate) in candidates.enumerated() {
      let client = candidate.client
      guard client.instance.answersAtOnce, var plan = candidate.plan, case .autocomplete(var request) = plan.call, client.isFree(plan.call),
        let most = client.instance.manifest.autocomplete?.maximumRows, request.limit < most
      else { continue }
      let ids = chosen.keys.compactMap { PlaceID($0) }.filter { $0.provider == client.id }.map(\.native)
      guard !ids.isEmpty else { continue }
      plan.filter.further = RowFilter.Further(limit: request.limit, ids: Set(ids))
      request.limit = most
      plan.call = .autocomplete(request)
      queryContext.candidates[index].part = .asked(plan)
    }
    return queryContext
  }

  /// Reports in the order of the configuration; who has not answered yet is left out.
  func reports(_ outcomes: [Outcome?]) -> [ProviderReport] {
    zip(candidates, outcomes).compactMap { candidate, outcome in outcome?.report(candidate.client.id) }
      + absent.map(\.absence)
  }

  /// Throws where there is nothing to answer with: nobody could be asked, or everybody who was asked failed.
  func refuse(_ outcomes: [Outcome]) throws(APIError) {
    guard !outcomes.contains(where: \.isAnswer) else { return }
    let reports = reports(outcomes)
    let asked = outcomes.filter { $0.word != .skipped }
    guard !asked.isEmpty else {
      if !outcomes.isEmpty, outcomes.allSatisfy({ $0.cause == Skip.notKept }) {
        throw APIError(.unsupported, "no answer to this is kept; ask again without `cache: only`", providers: reports)
      }
      throw APIError(
        .unsupported, reasonForAskingNobody, providers: reports)
    }
    if asked.allSatisfy({ $0.word == .timeout }) {
      throw APIError(
        .deadlineExceeded, "no provider answered before the deadline; ask again or with a larger deadlineMs", providers: reports)
    }
    if asked.allSatisfy(\.isOverUsersQuota) {
      var error = APIError(
        .quotaExceeded, "your quota of calls that cost something is used up today, and no other provider can answer", providers: reports)
      error.data["retryAfterMs"] = reports.compactMap(\.retryAfterMs).min().map { .integer(Int64($0)) }
      throw error
    }
    throw APIError(.allProvidersFailed, "all providers that were asked failed; data.providers says why each", providers: reports)
  }

  private var reasonForAskingNobody: String {
    if candidates.isEmpty, absent.isEmpty { return "no provider is enabled; enable one in the configuration, or with providers.enable" }
    if candidates.isEmpty, absent.contains(where: { $0.state == .starting }) {
      return "the providers are still being started; ask again in a moment"
    }
    if candidates.isEmpty, absent.allSatisfy({ $0.state == .failed }) {
      return "no enabled provider could be started; data.providers says why each"
    }
    return "no enabled provider can serve this request; data.providers says why each"
  }

  /// The outcome of a participant, who would have been asked if the daemon were not overloaded.
  func told(_ outcome: Outcome, of id: String) -> Outcome {
    guard let overload, outcome.cause == Skip.notKept else { return outcome }
    return .overloaded(id, retryAfter: overload)
  }

  /// Whether every provider that was asked has answered.
  static func isComplete(_ outcomes: [Outcome]) -> Bool { outcomes.allSatisfy { $0.isAnswer || $0.word == .skipped } }
}

extension ProviderStatus {
  /// What is reported of a provider that does not run.
  var absence: ProviderReport { Outcome.skipped(Skip(state.rawValue, reason ?? "\(id) does not run")).report(id) }
}
