import Synchronization

/// Lets somebody outside of a task's family end one piece of its work.
final class CancelSignal: Sendable {
  private enum State {
    case idle
    case awaited(CheckedContinuation<Void, Never>)
    case fired
  }
  private let state = Mutex(State.idle)

  func fire() {
    let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
      defer { state = .fired }
      if case .awaited(let continuation) = state { return continuation }
      return nil
    }
    waiting?.resume()
  }

  /// Does the work; once the signal fires, the work's task is cancelled. It is waited for all the same.
  func during<T: Sendable>(_ name: String, _ work: @escaping @Sendable () async -> T) async -> T? {
    await withTaskGroup(of: T?.self) { group in
      group.addTask(name: name) { await work() }
      group.addTask(name: "\(name), until cancelled") {
        await self.wait()
        return nil
      }
      var result: T?
      while let next = await group.next() {
        group.cancelAll()
        if let next { result = next }
      }
      return result
    }
  }

  private func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if case .fired = state { return true }
          if Task.isCancelled { return true }
          state = .awaited(continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      fire()
    }
  }
}
