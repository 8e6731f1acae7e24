import PlacesAPI
import PlacesKit

/// Waits for the providers of one request: until all have answered, until its deadline, or until a newer request or the caller ends it.
struct OutcomeCollector {
  /// The event for which one of the tasks in `collect` waits.
  private enum Event: Sendable {
    /// The candidate with this index has answered.
    case answered(Int, ProviderOutcome)
    /// A starting provider runs or has failed.
    case started(ProviderStart)
    /// The request's deadline is reached.
    case deadline
    /// A newer request of the session has begun.
    case superseded
    /// The pause after the last partial answer is over.
    case partialDue
  }

  /// Receives the outcomes so far, in the order of the context's candidates. An outcome is nil if its candidate has not answered.
  /// Returns false if nothing was sent.
  typealias Show = (_ queryContext: QueryContext, _ outcomes: [ProviderOutcome?]) -> Bool

  /// The minimum number of seconds between two partial answers.
  static let minShowInterval = 0.04
  /// Seconds from the first provider's answer to the first partial answer. Cached answers arrive within this time. The pause lets the first
  /// partial answer contain them, because rows that arrive later cannot be placed before rows that were shown.
  static let firstShowPause = 0.01
  /// The pause in seconds while a provider that computes its answers in this process has not answered. Such a provider answers within a
  /// millisecond unless the machine is busy.
  static let firstShowPauseForLocalRows = 0.05

  let time: any TimeSource
  /// Seconds to wait for a fresh answer before a stale one is returned.
  let staleWait: Double
  /// Waits until a starting provider runs or has failed.
  let waitForStart: @Sendable (_ provider: String) async -> ProviderStart

  /// Returns the outcomes in the order of the candidates, and the context with the providers that have started in the meantime.
  /// - Parameter show: called with the outcomes so far if new ones have arrived: first 10 to 50 ms after the first outcome, then at most
  ///   once in 40 ms; nil if no partial answers are sent.
  func outcomes(of queryContext: QueryContext, show: Show?) async throws(APIError) -> (QueryContext, [ProviderOutcome]) {
    var queryContext = queryContext
    var outcomes = queryContext.candidates.map(\.knownOutcome)
    let waitingIndices = outcomes.indices.filter { outcomes[$0] == nil }
    let startingIDs = queryContext.startingIDs
    if waitingIndices.count == 1, startingIDs.isEmpty, let index = waitingIndices.first,
      queryContext.candidates[index].client.instance.answersImmediately
    {
      outcomes[index] = await outcome(of: queryContext.candidates[index], queryContext)
    } else if !waitingIndices.isEmpty || !startingIDs.isEmpty {
      await collect(waitingIndices, startingIDs, of: &queryContext, into: &outcomes, show: show)
    }
    if queryContext.activeRequest?.superseded.current != nil { throw .superseded }
    if Task.isCancelled { throw APIError(.cancelled, "the request was cancelled") }
    queryContext.isWaitOver = true
    return (queryContext, outcomes.map { $0 ?? .timeout() })
  }

  private func outcome(of candidate: CandidateProvider, _ queryContext: QueryContext) async -> ProviderOutcome {
    guard let plan = candidate.plan else { return .cancelled }
    let request = ProviderRequest(
      plan: plan, user: queryContext.user, session: queryContext.session, cache: queryContext.cache, deadline: queryContext.deadline,
      staleWait: staleWait)
    return queryContext.markedOverloaded(await candidate.client.answer(request), of: candidate.client.id)
  }

  /// Calls the candidates with the indices in `waitingIndices` concurrently, and the providers in `startingIDs` when they have started. A
  /// task waits for each of them, for the deadline, for a newer request and for the next partial answer, and returns an event. The loop
  /// handles the events until no outcome is missing or the wait ends. Then the other tasks are cancelled, and their outcomes are collected.
  private func collect(
    _ waitingIndices: [Int], _ startingIDs: [String], of queryContext: inout QueryContext, into outcomes: inout [ProviderOutcome?],
    show: Show?
  ) async {
    var missingCount = waitingIndices.count + startingIDs.count
    var (context, collectedOutcomes) = (queryContext, outcomes)
    var lastShowTime: Double?
    // When the next partial answer is due; nil if none is planned. If an earlier time replaces a later one, the later alarm is ignored.
    var showTime: Double?
    await withTaskGroup(of: Event.self) { group in
      for index in waitingIndices { addCall(index, of: context, &group) }
      for id in startingIDs { group.addImmediateTask { .started(await waitForStart(id)) } }
      addAlarm(&group, .deadline, at: context.deadline)
      if let activeRequest = context.activeRequest, activeRequest.seq != nil {
        group.addImmediateTask {
          _ = await activeRequest.superseded.value()
          return .superseded
        }
      }
      while missingCount > 0, !Task.isCancelled, let event = await group.next() {
        switch event {
        case .answered(let index, let outcome):
          collectedOutcomes[index] = outcome
          missingCount -= 1
        case .started(.running(let candidate)):
          context.add(candidate)
          collectedOutcomes.append(candidate.knownOutcome)
          if candidate.plan == nil { missingCount -= 1 } else { addCall(collectedOutcomes.count - 1, of: context, &group) }
        case .started(.failed(let status)):
          context.replace(status)
          missingCount -= 1
        case .started(.cancelled): missingCount -= 1
        case .partialDue:
          guard let due = showTime, due <= time.monotonic() else { break }
          showTime = nil
          if show?(context, collectedOutcomes) == true { lastShowTime = time.monotonic() }
        case .deadline, .superseded:
          missingCount = 0
        }
        guard case .answered = event, show != nil, missingCount > 0 else { continue }
        let now = time.monotonic()
        let due = lastShowTime.map { max(now, $0 + OutcomeCollector.minShowInterval) } ?? now + firstShowPause(context, collectedOutcomes)
        guard due < showTime ?? .infinity else { continue }
        showTime = due
        addAlarm(&group, .partialDue, at: due)
      }
      group.cancelAll()
      // When a call's task is cancelled at the deadline, the provider returns a stale answer, or a timeout with the waiting time.
      for await case .answered(let index, let outcome) in group where outcome.isAnswer || outcome.status == .timeout {
        collectedOutcomes[index] = outcome
      }
    }
    (queryContext, outcomes) = (context, collectedOutcomes)
  }

  private func firstShowPause(_ context: QueryContext, _ outcomes: [ProviderOutcome?]) -> Double {
    let waitsForLocalRows = zip(context.candidates, outcomes).contains { $1 == nil && $0.client.instance.answersImmediately }
    return waitsForLocalRows ? Self.firstShowPauseForLocalRows : Self.firstShowPause
  }

  private func addCall(_ index: Int, of queryContext: QueryContext, _ group: inout TaskGroup<Event>) {
    let candidate = queryContext.candidates[index]
    // A call of a service begins at once in this thread. A provider that computes its answer in this process waits for a thread of the
    // pool, so that it does not delay the other calls.
    if candidate.client.instance.answersImmediately {
      group.addTask(name: "waiting for \(candidate.client.id)") { .answered(index, await outcome(of: candidate, queryContext)) }
    } else {
      group.addImmediateTask { .answered(index, await outcome(of: candidate, queryContext)) }
    }
  }

  /// Adds a task that returns the event at a time in monotonic seconds.
  private func addAlarm(_ group: inout TaskGroup<Event>, _ event: Event, at moment: Double) {
    group.addImmediateTask {
      try? await time.sleep(until: moment)
      return event
    }
  }
}

extension APIError {
  static let superseded = APIError(.cancelled, "a newer request of the session replaced this one")
}
