import Synchronization

/// A value that is set once. Any number of tasks can wait for it. The wait of a task ends early if the task is cancelled.
///
/// The code is inlinable, so that other modules specialise it. Every provider call creates promises, and unspecialised generic code would
/// make them slow.
@usableFromInline package final class Promise<Value: Sendable>: Sendable {
  @usableFromInline struct State: ~Copyable {
    @usableFromInline var value: Value?
    @usableFromInline var latestWaiterID = 0
    /// The continuations of the waiting tasks, by ids that ascend in the order of arrival.
    @usableFromInline var waiters: [Int: CheckedContinuation<Value?, Never>] = [:]

    @inlinable init() {}
  }
  @usableFromInline let state: Mutex<State>

  /// Creates the state in the initializer, because an initial value at the property would be unspecialised code.
  @inlinable package init() { state = Mutex(State()) }

  /// The value; nil if it is not set.
  @inlinable package var current: Value? { state.withLock { $0.value } }

  /// Sets the value for all tasks that wait or will wait. Returns false if it was already set.
  @inlinable @discardableResult package func fulfil(_ value: Value) -> Bool {
    let waiters: [Int: CheckedContinuation<Value?, Never>]? = state.withLock { state in
      guard state.value == nil else { return nil }
      state.value = value
      defer { state.waiters = [:] }
      return state.waiters
    }
    guard let waiters else { return false }
    for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { waiter.resume(returning: value) }
    return true
  }

  /// Waits for the value. Returns nil as soon as the waiting task is cancelled.
  @inlinable package func value() async -> Value? {
    if let value = current { return value }
    let waiterID = state.withLock { state in
      state.latestWaiterID += 1
      return state.latestWaiterID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let result: Value?? = state.withLock { state in
          if let value = state.value { return .some(value) }
          // If the cancellation handler ran before the continuation is stored, the task's cancellation flag is already set.
          if Task.isCancelled { return .some(nil) }
          state.waiters[waiterID] = continuation
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: waiterID) }?.resume(returning: nil)
    }
  }
}
