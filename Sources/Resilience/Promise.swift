import Synchronization

/// A value that is set once and that any number of tasks wait for; each may be cancelled.
///
/// Inlinable, so that other modules have it compiled for their own types: a provider call makes two, and as generic code they take twelve
/// thousand instructions.
@usableFromInline package final class Promise<Value: Sendable>: Sendable {
  @usableFromInline struct State: ~Copyable {
    @usableFromInline var value: Value?
    @usableFromInline var nextWaiter = 0
    @usableFromInline var waiters: [Int: CheckedContinuation<Value?, Never>] = [:]

    @inlinable init() {}
  }
  @usableFromInline let state: Mutex<State>

  /// The state is made here, since an initial value beside the property would be generic code again.
  @inlinable package init() { state = Mutex(State()) }

  /// The value, if it is there.
  @inlinable package var current: Value? { state.withLock { $0.value } }

  /// Sets the value for all tasks that wait or will wait. False if it is set already.
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
          // The flag is set before the handler runs: a task that the handler missed sees it here.
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
