import Resilience
import Storage
import PlacesAPI
import PlacesKit

extension ProviderClient {
  /// This provider's part of a request: from the cache, narrowed from what the session knows, or asked; never later than a moment after
  /// the waiting task is cancelled.
  func answer(_ ask: ProviderRequest) async -> Outcome {
    let start = now
    var outcome = await found(ask)
    if let answer = outcome.answer {
      let kept = ask.plan.filter.applied(to: answer, now: time.wall())
      outcome.answer = kept
      outcome.word = kept.count == 0 ? .empty : .ok
    }
    outcome.latency = now - start
    return outcome
  }

  private func found(_ ask: ProviderRequest) async -> Outcome {
    let key = SharedCall.Key(call: ask.plan.call, audience: ask.audience(for: instance))
    var spare: Outcome?
    switch await kept(key, ask) {
    case .fresh(let outcome): return outcome
    case .spare(let outcome): spare = outcome
    case .nothing: break
    }
    // Whoever left while the disk was read needs no call.
    if Task.isCancelled { return spare ?? (now >= ask.deadline ? .timeout() : .cancelled) }
    if ask.cache == .only { return spare ?? .skipped(Skip(Skip.notKept, "\(id) has nothing in the cache for this request")) }
    if ask.cache == .standard, let narrowed = ask.session?.narrowed(ask.plan.call, by: self) {
      save(ask.plan.call, user: ask.user, by: .cache)
      return narrowed
    }
    // Down or over its limits: what is at hand serves at once, without a wait for what cannot come.
    if let suspension = gate.suspension(at: now) { return spare ?? .suspended(suspension, now: now) }
    let outcome = await instance.answersAtOnce ? asked(key, ask) : flown(key, ask, spare: spare)
    return outcome.isAnswer ? outcome : spare ?? outcome
  }

  /// Asks a service that answers at once from the request's own task: no queue, no flight, no timer.
  private func asked(_ key: SharedCall.Key, _ ask: ProviderRequest) async -> Outcome {
    let (start, purges) = (now, purges)
    let pass: ProviderGate.Pass
    switch gate.admit(at: start) {
    case .go(let given): pass = given
    case .suspended(let suspension): return .suspended(suspension, now: start)
    case .wait(let moment): return .rateLimited(id, retryAfter: moment - start)
    }
    let outcome: Outcome
    switch await ask.plan.call.ask(service, until: ask.deadline) {
    case .success(let answer):
      outcome = .answered(answer, served: .live, fetchedAt: stamp)
      finish(pass, .success)
    case .failure(let error):
      outcome = .failed(error)
      // Who has no time for the answer says nothing about the service.
      let isAbandoned = error.cause == .cancelled || now >= ask.deadline
      finish(pass, isAbandoned ? .abandoned : .failure(error))
    }
    record(outcome, since: start)
    keep(outcome, key, since: purges)
    return outcome
  }

  /// Takes part in a flight; gives a spare answer when the fresh one is not there soon, and lets that go on into the cache.
  private func flown(_ key: SharedCall.Key, _ ask: ProviderRequest, spare: Outcome?) async -> Outcome {
    let sharedCall: SharedCall
    switch board(key, ask) {
    case .aboard(let boarded): sharedCall = boarded
    case .landed(let outcome): return outcome
    case .full: return .full(id)
    }
    if let spare {
      let fresh = await until(min(ask.deadline, now + ask.staleWait), of: time, "\(id): fresh answer") { await sharedCall.wait() }
      if fresh == nil, !Task.isCancelled { sharedCall.keep() }
      leave(sharedCall, ask)
      return fresh ?? spare
    }
    let outcome = await sharedCall.wait()
    leave(sharedCall, ask)
    if let outcome { ask.session?.remember(outcome, to: ask.plan.call, from: self) }
    return outcome ?? (now >= ask.deadline ? .timeout() : .cancelled)
  }

}
