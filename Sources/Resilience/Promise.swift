import Synchronization

/// A value that is set once. Any number of tasks can wait for it, and each can be cancelled.
///
/// Inlinable, so that other modules specialise it: a provider call creates two promises, which take twelve thousand instructions as
/// unspecialised generic code.
@usableFromInline package final class Promise<Value: Sendable>: Sendable {
  @usableFromInline struct State: ~Copyable {
    @usableFromInline var value: Value?
    @usableFromInline var nextWaiter = 0
    @usableFromInline var waiters: [Int: CheckedContinuation<Value?, Never>] = [:]

    @inlinable init() {}
  }
  @usableFromInline let state: Mutex<State>

  /// The state is initialised here: an initial value at the property would be unspecialised code.
  @inlinable package init() { state = Mutex(State()) }

  /// The value, if it is set.
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

  /// Waits for the value; nil as soon as the waiting task is cancelled.
  @inlinable package func value() async -> Value? {
    if let value = current { return value }
    let waiter = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Value?? = state.withLock { state in
          if let value = state.value { return .some(value) }
          // The task's cancellation flag is set before its handler runs, so a task that the handler missed sees the flag here.
          if Task.isCancelled { return .some(nil) }
          state.waiters[waiter] = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume(returning: nil)
    }
  }
}
