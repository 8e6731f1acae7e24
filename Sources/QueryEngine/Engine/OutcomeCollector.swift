import PlacesAPI
import PlacesKit

/// Waits for the providers of one inquiry: until all have answered, its deadline, or its end by a newer request or the caller.
struct OutcomeCollector {
  private enum Event: Sendable {
    case answered(Int, Outcome)
    case deadline, superseded, showing
  }

  /// Seconds between two partial answers.
  static let pause = 0.04

  let queryContext: QueryContext
  let time: any TimeSource
  let staleWait: Double

  /// The outcome of every participant, in their order. `show` is called with what is known so far when something new came, at
  /// most once in 40 ms; without it nothing is shown.
  func outcomes(show: (([Outcome?]) -> Void)?) async throws(APIError) -> [Outcome] {
    var outcomes: [Outcome?] = queryContext.candidates.map { candidate in
      if case .known(let outcome) = candidate.part { outcome } else { nil }
    }
    let waiting = outcomes.indices.filter { outcomes[$0] == nil }
    if waiting.count == 1, let index = waiting.first, queryContext.candidates[index].client.instance.answersAtOnce {
      outcomes[index] = await outcome(of: index)
    } else if !waiting.isEmpty {
      try await collect(waiting, into: &outcomes, show: show)
    }
    try refuseEnded()
    return outcomes.map { $0 ?? .timeout() }
  }

  private func outcome(of index: Int) async -> Outcome {
    let candidate = queryContext.candidates[index]
    guard let plan = candidate.plan else { return .cancelled }
    let ask = ProviderRequest(
      plan: plan, user: queryContext.user, session: queryContext.session, cache: queryContext.cache, deadline: queryContext.deadline,
      staleWait: staleWait)
    return queryContext.told(await candidate.client.answer(ask), of: candidate.client.id)
  }

  private func collect(
    _ waiting: [Int], into outcomes: inout [Outcome?], show: (([Outcome?]) -> Void)?
  ) async throws(APIError) {
    var missing = waiting.count
    var collected = outcomes
    var shownAt = -Double.infinity
    var isShowing = false
    await withTaskGroup(of: Event.self) { group in
      for index in waiting {
        let client = queryContext.candidates[index].client
        // Who asks a service does so at once, without waiting for his turn in the pool; who computes his answer here waits, and holds up nobody.
        if client.instance.answersAtOnce {
          group.addTask(name: "waiting for \(client.id)") { .answered(index, await outcome(of: index)) }
        } else {
          group.addImmediateTask { .answered(index, await outcome(of: index)) }
        }
      }
      addAlarm(&group, .deadline, at: queryContext.deadline)
      if let turn = queryContext.turn, turn.seq != nil {
        group.addImmediateTask {
          _ = await turn.superseded.value()
          return .superseded
        }
      }
      while missing > 0, !Task.isCancelled, let event = await group.next() {
        switch event {
        case .answered(let index, let outcome):
          collected[index] = outcome
          missing -= 1
          guard show != nil, missing > 0, !isShowing else { continue }
          isShowing = true
          addAlarm(&group, .showing, at: max(time.monotonic(), shownAt + OutcomeCollector.pause))
        case .showing:
          isShowing = false
          shownAt = time.monotonic()
          show?(collected)
        case .deadline, .superseded:
          missing = 0
        }
      }
      group.cancelAll()
      // What somebody had at hand when the time was up, such as an answer that is stale; else how long he was waited for.
      for await case .answered(let index, let outcome) in group where outcome.isAnswer || outcome.word == .timeout {
        collected[index] = outcome
      }
    }
    outcomes = collected
  }

  private func addAlarm(_ group: inout TaskGroup<Event>, _ event: Event, at moment: Double) {
    group.addImmediateTask {
      try? await time.sleep(until: moment)
      return event
    }
  }

  private func refuseEnded() throws(APIError) {
    if queryContext.turn?.superseded.current != nil { throw .superseded }
    if Task.isCancelled { throw APIError(.cancelled, "the request was cancelled") }
  }
}

extension APIError {
  static let superseded = APIError(.cancelled, "a newer request of the session took this one's place")
}
