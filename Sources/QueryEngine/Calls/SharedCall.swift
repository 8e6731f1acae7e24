import PlacesKit
import Storage
import Resilience
import Synchronization

/// One call to a provider. Callers with equal requests at the same time share it.
final class SharedCall: Sendable {
  /// Identifies a call: its parameters, and the users who may see the answer.
  struct Key: Sendable, Hashable {
    let call: ProviderCall
    /// The users who may see the answer; nil if it is for one request only.
    let partition: Partition?
    /// Differs between the calls that are for one request only; 0 for other calls.
    private let serialNumber: Int

    init(call: ProviderCall, partition: Partition?) {
      self.call = call
      self.partition = partition
      serialNumber = partition == nil ? SerialNumber.next() : 0
    }
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

  /// Creates a call with the caller of `request`.
  init(_ key: Key, for request: ProviderRequest, purgeCount: Int, isStorable: Bool) {
    self.key = key
    user = request.user
    session = request.session
    self.purgeCount = purgeCount
    state = Mutex(CallState(isStorable: isStorable))
    _ = join(deadline: request.deadline)
  }

  /// Adds a caller that waits until `deadline`. Returns false if the call is abandoned.
  func join(deadline: Double) -> Bool { state.withLock { $0.join(deadline: deadline) } }

  /// Removes a caller, and abandons the call if nothing else needs it. See `CallState.leave`.
  func leave(isLate: Bool) { if state.withLock({ $0.leave(isLate: isLate) }) { abandonment.fulfil(()) } }
}
