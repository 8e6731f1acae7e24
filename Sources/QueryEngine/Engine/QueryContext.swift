import Resilience
import PlacesAPI
import PlacesKit

/// A request in progress: the user, the deadline, the session, and the candidate providers.
struct QueryContext: Sendable {
  var user: UInt32
  /// When the wait for providers ends, in monotonic seconds: `Engine.replyMargin` before the reply is due.
  var deadline: Double
  var cache: CacheMode
  /// Nil for a request without a session.
  var session: Session?
  /// The entry of this request among its session's active requests; nil if the request is not autocomplete or has no session.
  var activeRequest: Session.ActiveRequest?
  /// The running providers, in the order of the configuration, followed by those that started while the request waited.
  var candidates: [CandidateProvider] = []
  /// Providers that do not run, although they are enabled or the request names them.
  var absentProviders: [ProviderStatus] = []
  /// True when the wait for providers has ended.
  var isWaitOver = false
  /// The seconds after which the client may retry, if the daemon is overloaded and answers from the cache only; nil if it is not
  /// overloaded.
  var overloadRetryAfter: Double?
  /// True if the user's earlier choices were read in time; otherwise the order of rows may soon be different.
  var knowsChoices = true
}

/// The result of waiting for a starting provider.
enum ProviderStart: Sendable {
  /// The provider runs.
  case running(CandidateProvider)
  /// The provider could not be started, was disabled, or was removed from the configuration.
  case failed(ProviderStatus)
  /// The request no longer waits.
  case cancelled
}

/// A running provider that a request could call.
struct CandidateProvider: Sendable {
  /// Whether the request calls the provider.
  enum Decision: Sendable {
    /// The provider is called with this plan.
    case call(Plan)
    /// No call is made, because the outcome is already known.
    case noCall(ProviderOutcome)
  }
  var client: ProviderClient
  var decision: Decision

  var plan: Plan? { if case .call(let plan) = decision { plan } else { nil } }
  var knownOutcome: ProviderOutcome? { if case .noCall(let outcome) = decision { outcome } else { nil } }
}

extension QueryContext {
  /// The ids of the starting providers that the request waits for.
  var startingIDs: [String] { cache == .only ? [] : absentProviders.filter { $0.state == .starting }.map(\.id) }

  /// Adds a provider that has started.
  mutating func add(_ candidate: CandidateProvider) {
    absentProviders.removeAll { $0.id == candidate.client.id }
    candidates.append(candidate)
  }

  /// Replaces the status of a provider that did not start.
  mutating func replace(_ status: ProviderStatus) {
    for index in absentProviders.indices where absentProviders[index].id == status.id { absentProviders[index] = status }
  }

  /// The outcome of a provider that does not run; nil while the request waits for its start.
  private func outcome(of status: ProviderStatus) -> ProviderOutcome? {
    guard startingIDs.contains(status.id) else {
      return .skipped(Skip(status.state.rawValue, status.reason ?? "\(status.id) does not run"))
    }
    return isWaitOver ? .starting(status.id) : nil
  }

  /// Returns a copy in which every provider, even one on this machine, is asked for as many rows as a service on the network, because the
  /// lower rows of a provider on this machine may rank before the first rows of the services. If fewer than two providers are called,
  /// returns this context unchanged.
  func withEqualDepth() -> QueryContext {
    guard candidates.lazy.filter({ $0.plan != nil }).count > 1 else { return self }
    var queryContext = self
    for (index, candidate) in candidates.enumerated() {
      guard var plan = candidate.plan, case .autocomplete(var request) = plan.call,
        let maxRows = candidate.client.instance.manifest.autocomplete?.maximumRows
      else { continue }
      request.limit = max(request.limit, min(maxRows, Autocomplete.depth(for: request.limit)))
      plan.call = .autocomplete(request)
      queryContext.candidates[index].decision = .call(plan)
    }
    return queryContext
  }

  /// A copy in which each free provider that answers immediately is asked for as many rows as it can return, if the user chose one of its
  /// places after a similar text. Otherwise a chosen place after the requested number of rows would be missing.
  /// - Parameter chosen: the amount that is added to each chosen place's score, by the place's id in replies.
  func requestingChosenRows(_ chosen: [String: Double]) -> QueryContext {
    guard !chosen.isEmpty else { return self }
    var queryContext = self
    for (index, candidate) in candidates.enumerated() {
      let client = candidate.client
      guard client.instance.answersImmediately, var plan = candidate.plan, case .autocomplete(var request) = plan.call,
        client.isFree(plan.call), let maxRows = client.instance.manifest.autocomplete?.maximumRows, request.limit < maxRows
      else { continue }
      let ids = chosen.keys.compactMap { PlaceID($0) }.filter { $0.provider == client.id }.map(\.native)
      guard !ids.isEmpty else { continue }
      plan.filter.beyondLimit = RowFilter.BeyondLimit(limit: request.limit, ids: Set(ids))
      request.limit = maxRows
      plan.call = .autocomplete(request)
      queryContext.candidates[index].decision = .call(plan)
    }
    return queryContext
  }

  /// The reports of the candidates, followed by those of the absent providers. Providers that have not answered yet have none.
  func reports(_ outcomes: [ProviderOutcome?]) -> [ProviderReport] {
    zip(candidates, outcomes).compactMap { candidate, outcome in
      outcome?.report(candidate.client.id, isLocal: !candidate.client.instance.manifest.leavesMachine)
    }
      + absentProviders.compactMap { status in outcome(of: status)?.report(status.id) }
  }

  /// Throws if no provider answered: none could be called, or all calls failed.
  func throwIfUnanswered(_ outcomes: [ProviderOutcome]) throws(APIError) {
    guard !outcomes.contains(where: \.isAnswer) else { return }
    let reports = reports(outcomes)
    let calledOutcomes = (outcomes + absentProviders.compactMap(outcome)).filter { $0.status != .skipped }
    guard !calledOutcomes.isEmpty else {
      if !outcomes.isEmpty, outcomes.allSatisfy({ $0.cause == Skip.notCached }) {
        throw APIError(.unsupported, "the cache has no answer to this request; retry without `cache: only`", providers: reports)
      }
      // This case has its own message, because the same providers may be able to answer a request with a text.
      if outcomes.contains(where: { $0.cause == Skip.withoutText }), outcomes.allSatisfy({ $0.status == .skipped }) {
        throw APIError(
          .unsupported,
          "no enabled provider searches without a text: send a `query`, or enable a provider that can; data.providers gives the reason for each",
          providers: reports)
      }
      throw APIError(.unsupported, reasonForNoCandidate, providers: reports)
    }
    if calledOutcomes.allSatisfy({ $0.status == .timeout }) {
      throw APIError(
        .deadlineExceeded, "no provider answered before the deadline; retry, or use a larger `deadlineMs`", providers: reports)
    }
    if calledOutcomes.allSatisfy(\.isOverUsersQuota) {
      var error = APIError(
        .quotaExceeded, "your quota of paid calls is used up today, and no other provider can answer", providers: reports)
      error.data["retryAfterMs"] = reports.compactMap(\.retryAfterMs).min().map { .integer(Int64($0)) }
      throw error
    }
    throw APIError(
      .allProvidersFailed, "all providers that were called failed; data.providers gives the reason for each", providers: reports)
  }

  private var reasonForNoCandidate: String {
    if candidates.isEmpty, absentProviders.isEmpty {
      return "no provider is enabled; enable one in the configuration, or with providers.enable"
    }
    if candidates.isEmpty, absentProviders.contains(where: { $0.state == .starting }) {
      return "the providers are still starting; retry in a moment"
    }
    if candidates.isEmpty, absentProviders.allSatisfy({ $0.state == .failed }) {
      return "no enabled provider could be started; data.providers gives the reason for each"
    }
    return "no enabled provider can serve this request; data.providers gives the reason for each"
  }

  /// The outcome of a candidate, changed to `overloaded` if the candidate was not called because the daemon is overloaded.
  func markedOverloaded(_ outcome: ProviderOutcome, of id: String) -> ProviderOutcome {
    guard let overloadRetryAfter, outcome.cause == Skip.notCached else { return outcome }
    return .overloaded(id, retryAfter: overloadRetryAfter)
  }

  /// True if every provider that was called, or whose start the request waited for, has answered.
  func isComplete(_ outcomes: [ProviderOutcome]) -> Bool {
    startingIDs.isEmpty && outcomes.allSatisfy { $0.isAnswer || $0.status == .skipped }
  }
}
