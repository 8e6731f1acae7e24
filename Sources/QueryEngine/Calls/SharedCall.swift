import PlacesKit
import Storage
import Resilience
import Synchronization

/// One call to a provider. Callers with equal requests at the same time share it.
final class SharedCall: Sendable {
  /// Identifies a call by its parameters and by the users who may see the answer. `partition` is nil if the answer is for one request only;
  /// such a call is not shared.
  struct Key: Sendable, Hashable {
    let call: ProviderCall
    let partition: Partition?
  }

  let key: Key
  let client: ProviderClient
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

  /// Creates a call with the caller of `request`.
  init(_ key: Key, for request: ProviderRequest, on client: ProviderClient) {
    self.key = key
    self.client = client
    user = request.user
    session = request.session
    purgeCount = client.cache?.purgeCount ?? 0
    state = Mutex(CallState(isStorable: client.isStorable(key.partition)))
    _ = join(deadline: request.deadline)
  }

  /// Adds a caller that waits until `deadline`. Returns false if the call is abandoned.
  func join(deadline: Double) -> Bool { state.withLock { $0.join(deadline: deadline) } }

  /// Removes a caller, and abandons the call if nothing else needs it. See `CallState.leave`.
  func leave(isLate: Bool) { if state.withLock({ $0.leave(isLate: isLate) }) { abandonment.fulfil(()) } }
}
