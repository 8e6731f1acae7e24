import Linux
import Synchronization

/// A JSON-RPC 2.0 server on a Unix socket. The thread of one event loop receives and sends bytes, parses messages and sends cached replies.
/// Every other request is handled by a child task of `run`, on threads that the users share fairly.
public final class Server: Sendable {
  private let serverLoop: ServerLoop
  /// Reports whether the loop's thread makes progress.
  public let watchdog: LoopWatchdog
  private let gauges: ServerGauges
  private let tasks: RequestTaskQueue
  private let executor: FairExecutor
  private let log: Log
  private let acceptor = Mutex<AcceptorBox?>(nil)

  /// Creates a server that serves nothing before `run`.
  /// - Parameter gauges: receives the totals.
  public init(
    options: ServerOptions = ServerOptions(), log: Log, handler: any RequestHandler, gauges: ServerGauges = ServerGauges()
  ) throws(SystemError) {
    let tasks = RequestTaskQueue()
    serverLoop = ServerLoop(loop: try EventLoop(name: "rpc"), handler: handler, options: options, log: log, tasks: tasks, gauges: gauges)
    watchdog = LoopWatchdog(of: [serverLoop.loop])
    self.gauges = gauges
    executor = FairExecutor(gauges: gauges)
    self.tasks = tasks
    self.log = log
  }

  /// The number of connections.
  public var connections: Int { gauges.connections.load(ordering: .relaxed) }
  /// The number of requests that wait for their replies.
  public var inFlight: Int { gauges.inFlight.load(ordering: .relaxed) }
  /// The number of bytes that are held for all users. See `ServerOptions.heldBytesPerUser`.
  public var heldBytes: Int { gauges.heldBytes.load(ordering: .relaxed) }

  /// Serves the socket until `drain` has ended or the calling task is cancelled. Throws if it cannot start serving.
  public func run(on socket: consuming ListeningSocket) async throws(SystemError) {
    let path = socket.path
    let box = AcceptorBox(Acceptor(socket, serverLoop: serverLoop, log: log), path: path)
    acceptor.withLock { $0 = box }
    // This thread may use the loop, because the loop's thread does not run yet. `begin` is not enqueued: if `drain` was called earlier, the
    // loop would end before it ran work that is enqueued now.
    try box.acceptor.begin()
    try executor.start()
    defer { executor.stop() }
    try serverLoop.loop.start()
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        group.addTask(name: "rpc loop") {
          await self.serverLoop.loop.waitUntilEnded()
          self.tasks.finish()
        }
        var commands = await tasks.take()
        while !commands.isEmpty {
          for command in commands { perform(command, in: &group) }
          commands = await tasks.take()
        }
      }
    } onCancel: {
      stopAccepting()
      tasks.finish()
      serverLoop.loop.enqueue { self.serverLoop.finish() }
    }
  }

  private func perform(_ command: RequestTaskQueue.Command, in group: inout DiscardingTaskGroup) {
    switch command {
    case .cancel(let task): task.cancel()
    case .start(let task):
      let executor = executor.executor(of: task.context.caller.user)
      group.addTask(name: task.request.method, executorPreference: executor) { await task.run(self.serverLoop.handler) }
    }
  }

  /// Accepts no more connections, and refuses new requests with -32009. Ends `run` when the requests in flight have their replies, but at
  /// the latest after this many seconds.
  public func drain(within seconds: Double = 5) {
    stopAccepting()
    serverLoop.loop.enqueue { self.serverLoop.drain(within: seconds) }
  }

  /// Listens again if the socket's file was removed, so that clients find the daemon. It must be called regularly.
  public func restoreSocket() {
    guard let box = acceptor.withLock({ $0 }), let path = box.path, ListeningSocket.isGone(path) else { return }
    serverLoop.loop.enqueue { box.acceptor.restore(path) }
  }

  private func stopAccepting() {
    guard let box = acceptor.withLock({ $0 }) else { return }
    serverLoop.loop.enqueue { box.acceptor.end() }
  }
}

/// Passes the acceptor to its loop. `@unchecked Sendable`: the acceptor is used on the loop's thread only.
private final class AcceptorBox: @unchecked Sendable {
  let acceptor: Acceptor
  /// The path of the socket; nil for a socket that the service manager created.
  let path: String?

  init(_ acceptor: Acceptor, path: String?) {
    self.acceptor = acceptor
    self.path = path
  }
}

/// The totals of a server, which its loop writes and other threads read.
public final class ServerGauges: Sendable {
  /// The number of connections.
  public let connections = Atomic(0)
  /// The number of requests that wait for their replies.
  public let inFlight = Atomic(0)
  /// The number of bytes that are held for all users. See `ServerOptions.heldBytesPerUser`.
  public let heldBytes = Atomic(0)
  /// The last time at which input came from another user than the input before it: CLOCK_MONOTONIC in nanoseconds; `Int64.min` before that.
  private let lastUserChange = Atomic<Int64>(.min)

  public init() {}

  /// Records that a user's input follows another user's input.
  func recordUserChange(at seconds: Double) { lastUserChange.store(Int64(seconds * 1e9), ordering: .relaxed) }

  /// True if a user's input followed another user's input within the last second.
  func hasSeveralUsers(at seconds: @autoclosure () -> Double) -> Bool {
    let lastUserChange = lastUserChange.load(ordering: .relaxed)
    // The clock is not read as long as there is one user only.
    return lastUserChange > .min && Int64(seconds() * 1e9) - lastUserChange < 1_000_000_000
  }
}
