import Storage
import PlacesKit
import Synchronization

/// One call to a provider, shared by everybody who asks the same at the same time.
final class SharedCall: Sendable {
  /// What makes two calls the same: the question, and who may see the answer.
  struct Key: Sendable, Hashable {
    let call: ProviderCall
    let audience: Audience
    /// Of both. A call has many parts, and its key is looked up several times on its way.
    private let hash: Int

    init(call: ProviderCall, audience: Audience) {
      self.call = call
      self.audience = audience
      var hasher = Hasher()
      hasher.combine(call)
      hasher.combine(audience)
      hash = hasher.finalize()
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  private struct State {
    var waiting = 0
    var latestDeadline = 0.0
    /// Somebody wants the answer in the cache, or money was spent for it: it is not aborted when nobody waits.
    var isKept = false
    /// Somebody stayed to the end of his deadline and would like to have the answer in the cache.
    var isLate = false
    var isAbandoned = false
  }

  let key: Key
  let user: UInt32
  /// The session that caused it.
  let session: Session?
  /// Where the cache's purges stood when it was asked for.
  let purges: Int
  private let outcome = Promise<Outcome>()
  private let abandonment = Promise<Void>()
  private let state = Mutex(State())

  init(_ key: Key, user: UInt32, session: Session?, purges: Int) {
    self.key = key
    self.user = user
    self.session = session
    self.purges = purges
  }

  /// Whether the call should be sent still. One that nobody waits for any more is given up, unless it is to be kept.
  /// - Parameter late: whether an answer after everybody's deadline is worth the call.
  func isWanted(at now: Double, late: Bool) -> Bool {
    state.withLock { state in
      guard !state.isAbandoned else { return false }
      state.isAbandoned = !(state.isKept || (state.waiting > 0 && now < state.latestDeadline) || (late && state.isLate))
      return !state.isAbandoned
    }
  }

  /// The last moment at which somebody waits for the answer, in monotonic seconds.
  var latestDeadline: Double { state.withLock { $0.latestDeadline } }

  /// Counts somebody in who waits until a moment; false when the call was given up already.
  func join(deadline: Double) -> Bool {
    state.withLock { state in
      guard !state.isAbandoned else { return false }
      state.waiting += 1
      state.latestDeadline = max(state.latestDeadline, deadline)
      return true
    }
  }

  /// Counts somebody out. Who stays to the end of his deadline wants the late answer in the cache; when the last one has left
  /// earlier, the call is given up.
  func leave(late: Bool) {
    let abandoned = state.withLock { state in
      state.waiting -= 1
      if late { state.isLate = true }
      guard state.waiting == 0, !state.isKept, !state.isLate, !state.isAbandoned else { return false }
      state.isAbandoned = true
      return true
    }
    if abandoned { abandonment.fulfil(()) }
  }

  /// Lets the call go on even when nobody waits; false when it was given up already.
  @discardableResult func keep() -> Bool {
    state.withLock { state in
      guard !state.isAbandoned else { return false }
      state.isKept = true
      return true
    }
  }

  /// The outcome; nil when the waiting task is cancelled first.
  func wait() async -> Outcome? { await outcome.value() }

  /// Returns when the call is given up or the task cancelled.
  func abandoned() async { _ = await abandonment.value() }

  @discardableResult func finish(_ outcome: Outcome) -> Bool { self.outcome.fulfil(outcome) }
}
