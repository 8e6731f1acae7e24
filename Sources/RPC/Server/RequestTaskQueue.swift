import Synchronization

/// Passes requests from the loop's thread to the task of `Server.run`, which takes all queued commands at once, and starts and cancels the
/// requests' tasks. `ServerOptions.inFlight` bounds the length of the queue.
final class RequestTaskQueue: Sendable {
  enum Command: Sendable {
    case start(RequestTask)
    /// Requests are not cancelled on the loop's thread, because their cancellation handlers are code of the request handler.
    case cancel(RequestTask)
  }

  private struct State {
    var commands: [Command] = []
    var takeContinuation: CheckedContinuation<[Command], Never>?
    var isFinished = false
  }

  private let state = Mutex(State())

  /// Adds a command. It may be called from any thread. After `finish`, commands are dropped.
  func add(_ command: Command) {
    let takeContinuation = state.withLock { state -> CheckedContinuation<[Command], Never>? in
      guard !state.isFinished else { return nil }
      guard let takeContinuation = state.takeContinuation.take() else {
        state.commands.append(command)
        return nil
      }
      return takeContinuation
    }
    takeContinuation?.resume(returning: [command])
  }

  /// Closes the queue. It may be called from any thread. Queued commands are still taken, and later ones are dropped.
  func finish() {
    let takeContinuation = state.withLock { state in
      state.isFinished = true
      return state.takeContinuation.take()
    }
    takeContinuation?.resume(returning: [])
  }

  /// Waits for at least one command, and returns all queued commands. After `finish`, returns the remaining commands, and then none. Only
  /// one task at a time may call this. `finish` ends the wait, but a cancellation of the task does not.
  func take() async -> [Command] {
    await withCheckedContinuation { takeContinuation in
      let commands = state.withLock { state -> [Command]? in
        guard !state.commands.isEmpty || state.isFinished else {
          state.takeContinuation = takeContinuation
          return nil
        }
        defer { state.commands = [] }
        return state.commands
      }
      if let commands { takeContinuation.resume(returning: commands) }
    }
  }
}
