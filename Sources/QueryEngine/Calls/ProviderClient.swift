import Resilience
import Storage
import PlacesAPI
import PlacesKit
import Synchronization

/// One provider's calls. They belong to the lane, which lives as long as the daemon, and not to the requests that wait for them: so
/// a late answer reaches the cache, a shared call outlives who asked first, and a paid one is not thrown away.
final class ProviderClient: Sendable {
  /// Calls past their limit that the service never gave back; with more, it is not asked.
  private static let mostStrays = 256

  private struct State {
    var sharedCalls: [SharedCall.Key: SharedCall] = [:]
    var strays = 0
    /// Calls that wait for the provider's rate.
    var line = RateQueue()
  }

  let instance: ProviderInstance
  let gate: ProviderGate
  let time: any TimeSource
  /// Nil where nobody counts what calls cost.
  let budgets: BudgetService?
  /// Nil where nothing is kept.
  let cache: (any AnswerStore)?
  /// What a call for suggestions costs, in micros.
  let suggestionPrice: Int
  /// The fingerprint of the terms under which answers are kept.
  let terms: Int64
  let limiter: ConcurrencyLimiter
  /// Lines for the administrator; they hold no query.
  let log: @Sendable (LogLevel, String) -> Void
  let onRefusal: @Sendable (_ provider: String, _ start: Int?) -> Void
  private let state: Mutex<State>

  /// - Parameter known: those of the provider as it was before, with other settings or until it was switched off; what is counted goes on.
  init(
    _ instance: ProviderInstance, limiter known: ConcurrencyLimiter?, gate: ProviderGate, time: any TimeSource, budgets: BudgetService?,
    cache: (any AnswerStore)?, log: @escaping @Sendable (LogLevel, String) -> Void,
    onRefusal: @escaping @Sendable (_ provider: String, _ start: Int?) -> Void
  ) {
    self.log = log
    self.onRefusal = onRefusal
    self.instance = instance
    self.gate = gate
    self.time = time
    self.budgets = budgets
    self.cache = cache
    terms = instance.manifest.terms.fingerprint
    suggestionPrice = instance.manifest.prices.priceClass(of: .autocomplete)?.micros ?? 0
    limiter = known ?? ConcurrencyLimiter(concurrent: instance.manifest.rate.concurrent)
    limiter.allow(instance.manifest.rate.concurrent)
    state = Mutex(State())
  }

  var id: String { instance.id }
  var service: any PlaceService { instance.service }
  var now: Double { time.monotonic() }

  func record(_ outcome: Outcome, since start: Double, isSent: Bool = true) {
    let seconds = now - start
    limiter.statistics.withLock { $0.add(outcome, seconds: seconds, isSent: isSent) }
  }

  /// Where the cache's purges stand: what is asked for now is not kept when one comes before the answer.
  var purges: Int { cache?.purges ?? 0 }

  /// What an answer that comes now is stamped with, in seconds since 1970, by the clock that tells the ages of answers.
  var stamp: Double { cache?.now ?? time.wall() }

  func recordSaved() { limiter.saved.add(1, ordering: .relaxed) }

  /// Whether nobody waits for the provider's rate.
  var isLineEmpty: Bool { state.withLock { $0.line.isEmpty } }

  /// Joins those who wait for the provider's rate; gives how many go before.
  func joinLine(_ place: RateQueue.Place) -> Int { state.withLock { $0.line.join(place) } }

  func leaveLine(_ place: RateQueue.Place) { state.withLock { $0.line.leave(place) } }

  enum Boarding {
    case aboard(SharedCall)
    /// The call ended a moment ago.
    case landed(Outcome)
    /// Too many calls wait, or were never given back by the service.
    case full
  }

  /// The call that is under way for this question, or a new one; counts the caller in until his deadline.
  func board(_ key: SharedCall.Key, _ ask: ProviderRequest) -> Boarding {
    if let sharedCall = state.withLock({ $0.sharedCalls[key] }), sharedCall.join(deadline: ask.deadline) { return shared(sharedCall, ask) }
    // An answer is kept before its flight is gone: whoever finds no flight here finds the answer, if there was one since he looked.
    if ask.cache == .standard, let outcome = remembered(key), !paysToCall(ask) { return .landed(outcome) }
    let (sharedCall, isShared, shed) = state.withLock { state -> (SharedCall?, Bool, ConcurrencyLimiter.Departure?) in
      if let sharedCall = state.sharedCalls[key], sharedCall.join(deadline: ask.deadline) { return (sharedCall, true, nil) }
      guard state.strays < ProviderClient.mostStrays else { return (nil, false, nil) }
      let (sharedCall, shed) = limiter.submit(of: ask.user) {
        let sharedCall = SharedCall(key, user: ask.user, session: ask.session, purges: purges)
        _ = sharedCall.join(deadline: ask.deadline)
        return ConcurrencyLimiter.Departure(client: self, sharedCall: sharedCall)
      }
      if let sharedCall { state.sharedCalls[key] = sharedCall }
      return (sharedCall, false, shed)
    }
    // Outside the lock, which may be this lane's own.
    if let shed { shed.client.shed(shed.sharedCall) }
    guard let sharedCall else { return .full }
    return isShared ? shared(sharedCall, ask) : .aboard(sharedCall)
  }

  private func shared(_ sharedCall: SharedCall, _ ask: ProviderRequest) -> Boarding {
    save(sharedCall.key.call, user: ask.user, by: .coalescing)
    recordSaved()
    return .aboard(sharedCall)
  }

  /// One call from its departure to its end. It ends in time even when the service does not: what the service leaves behind
  /// then is a stray, which the lane waits for without counting on it.
  func fly(_ sharedCall: SharedCall) async {
    guard isWanted(sharedCall, sending: sharedCall.key.call) else { return skip(sharedCall) }
    let sending = Sending(sharedCall, on: self, limit: now + instance.timeout)
    // Each begins at once. They have no names: an immediate task with a name forgets its executor in an unoptimised program (Swift 6.3.1).
    let isStray = await withTaskGroup(of: Bool.self) { group in
      group.addImmediateTask {
        if (try? await self.time.sleep(until: sending.limit)) != nil { sending.expire() }
        return false
      }
      group.addImmediateTask {
        await sharedCall.abandoned()
        if !Task.isCancelled { sending.giveUp() }
        return false
      }
      let send: @Sendable () async -> Bool = {
        self.arrive(sharedCall, await sending.run())
        return true
      }
      // Who computes must leave this task free to call him off, and the next calls of the lane to depart.
      if instance.manifest.leavesMachine { group.addImmediateTask { await send() } } else { group.addTask { await send() } }
      let isBack = await group.next() ?? true
      group.cancelAll()
      land(sharedCall, isStray: !isBack)
      await group.waitForAll()
      return !isBack
    }
    if isStray { state.withLock { $0.strays -= 1 } }
  }

  /// An answer is kept before it is given, so that who asks next finds it.
  private func arrive(_ sharedCall: SharedCall, _ outcome: Outcome) {
    if outcome.isAnswer { keep(outcome, sharedCall.key, since: sharedCall.purges) }
    sharedCall.finish(outcome)
  }

  /// Whether a call should be sent now: somebody waits for it, or it costs nothing and its answer will be kept.
  func isWanted(_ sharedCall: SharedCall, sending call: ProviderCall) -> Bool {
    sharedCall.isWanted(at: now, late: isFree(call) && isKeepable(sharedCall))
  }

  /// Whether an answer may be kept for who asks next. Every row has a text, which is neither an id nor a coordinate.
  private func isKeepable(_ sharedCall: SharedCall) -> Bool {
    cache != nil && sharedCall.key.audience.partition != nil && instance.manifest.terms.otherSeconds.map { $0 > 0 } ?? true
  }

  /// Counts out who asked for a flight. One that is late leaves the call to go on where its answer may be kept.
  func leave(_ sharedCall: SharedCall, _ ask: ProviderRequest) { sharedCall.leave(late: now >= ask.deadline && isKeepable(sharedCall)) }

  /// It loses its place in the line to somebody who has fewer there.
  private func shed(_ sharedCall: SharedCall) {
    sharedCall.finish(.full(id))
    forget(sharedCall)
  }

  /// Everybody left before it departed.
  private func skip(_ sharedCall: SharedCall) {
    sharedCall.finish(.cancelled)
    land(sharedCall, isStray: false)
  }

  /// Frees the flight's place and lets the next one depart. One that the service has not given back is a stray until it does.
  private func land(_ sharedCall: SharedCall, isStray: Bool) {
    forget(sharedCall)
    if isStray { state.withLock { $0.strays += 1 } }
    limiter.free(sharedCall.user)
  }

  private func forget(_ sharedCall: SharedCall) {
    state.withLock { state in
      guard let place = state.sharedCalls.index(forKey: sharedCall.key), state.sharedCalls[place].value === sharedCall else { return }
      state.sharedCalls.remove(at: place)
    }
  }
}
