import Linux
import Synchronization

/// Tells the jobs of a server apart.
struct JobNumber: Hashable, Sendable {
  var connection: UInt64
  /// Of the connection.
  var ticket: UInt64
}

/// A request between its arrival and its reply.
final class Job: Sendable {
  let number: JobNumber
  let request: Request
  let context: RequestContext
  private let deliver: @Sendable (Reply) -> Void
  private let state = Mutex(State.waiting)

  /// `UnsafeCurrentTask` is used only while its task runs `run`, which takes it out of the state before it returns; `cancel` is one of
  /// the calls that other threads may make on it.
  private struct Running: @unchecked Sendable { var task: UnsafeCurrentTask }
  private enum State: Sendable { case waiting, running(Running), cancelled, ended }

  init(_ number: JobNumber, _ request: Request, _ context: RequestContext, deliver: @escaping @Sendable (Reply) -> Void) {
    self.number = number
    self.request = request
    self.context = context
    self.deliver = deliver
  }

  /// Has the handler answer, in the calling task.
  func run(_ handler: some RequestHandler) async {
    let reply = await withUnsafeCurrentTask { task in
      if let task, begin(Running(task: task)) { task.cancel() }
      defer { state.withLock { $0 = .ended } }
      return await handler.reply(to: request, context: context)
    }
    deliver(reply)
  }

  /// Cancels the task, now or as soon as it begins.
  func cancel() {
    state.withLock { state in
      switch state {
      case .waiting: state = .cancelled
      case .running(let running): running.task.cancel()
      case .cancelled, .ended: break
      }
    }
  }

  /// Whether it was cancelled before.
  private func begin(_ running: Running) -> Bool {
    state.withLock { state in
      if case .cancelled = state { return true }
      state = .running(running)
      return false
    }
  }
}
