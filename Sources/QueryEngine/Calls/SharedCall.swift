import PlacesKit
import Storage
import Resilience
import Synchronization

/// One call to a provider. Callers with equal requests at the same time share it.
final class SharedCall: Sendable {
  /// Identifies a call: its parameters, and the users who may see the answer.
  struct Key: Sendable, Hashable {
    let call: ProviderCall
    let audience: Audience
    /// The hash of the call and the audience. It is stored because the key is looked up several times, and a call has many parts.
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

  let key: Key
  /// The user and the session of the request that caused the call.
  let user: UInt32
  let session: Session?
  /// The cache's `purgeCount` before the call was made.
  let purgeCount: Int
  let state: Mutex<CallState>
  /// Fulfilled once, with the outcome for all callers.
  let outcome = Promise<ProviderOutcome>()
  /// Fulfilled when the call is abandoned.
  let abandonment = Promise<Void>()

  init(_ key: Key, user: UInt32, session: Session?, purgeCount: Int, isStorable: Bool) {
    self.key = key
    self.user = user
    self.session = session
    self.purgeCount = purgeCount
    state = Mutex(CallState(isStorable: isStorable))
  }

  /// Adds a caller that waits until `deadline`. Returns false if the call is abandoned.
  func join(deadline: Double) -> Bool { state.withLock { $0.join(deadline: deadline) } }

  /// Removes a caller, and abandons the call if nothing else needs it. See `CallState.leave`.
  func leave(isLate: Bool) { if state.withLock({ $0.leave(isLate: isLate) }) { abandonment.fulfil(()) } }
}
