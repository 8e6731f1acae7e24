import Linux
import Synchronization

/// A JSON-RPC 2.0 server on a Unix socket. Bytes are moved and cached answers given on event loops; every other request is a
/// child task of `run`.
public final class Server: Sendable {
  private let loops: [ServerLoop]
  /// Whether the loops get on with their work.
  public let pulse: Pulse
  private let shared: SharedState
  private let handler: any RequestHandler
  private let log: Log
  private let acceptor = Mutex<AcceptorBox?>(nil)

  /// Prepares the loops; nothing is served before `run`.
  public init(options: ServerOptions = ServerOptions(), log: Log, handler: any RequestHandler) throws(SystemError) {
    let shared = SharedState(options)
    var loops: [ServerLoop] = []
    for index in 0..<max(1, options.loops) {
      let loop = try EventLoop(name: "rpc-\(index)")
      loops.append(ServerLoop(loop: loop, handler: handler, options: options, log: log, shared: shared))
    }
    self.loops = loops
    pulse = Pulse(of: loops.map(\.loop))
    self.shared = shared
    self.handler = handler
    self.log = log
  }

  /// How many connections there are.
  public var connections: Int { shared.connections.total }
  /// Bytes of unfinished requests and unread replies.
  var heldBytes: Int { shared.held.total }
  /// How many requests wait for their replies.
  public var inFlight: Int { shared.running.total }

  /// Serves the socket until `drain` has ended, or at once until the calling task is cancelled. Throws where it cannot be served at all.
  public func run(on socket: consuming ListeningSocket) async throws(SystemError) {
    let path = socket.path
    let box = AcceptorBox(Acceptor(socket, loops: loops, shared: shared, log: log), path: path)
    acceptor.withLock { $0 = box }
    try begin(box)
    await withTaskCancellationHandler {
      await withDiscardingTaskGroup { group in
        group.addTask(name: "rpc loops") {
          for loop in self.loops { await loop.loop.waitUntilEnded() }
          self.shared.jobs.finish()
        }
        var jobs = await shared.jobs.take()
        while !jobs.isEmpty {
          for job in jobs { group.addTask(name: job.request.method) { await job.run(self.handler) } }
          jobs = await shared.jobs.take()
        }
      }
    } onCancel: {
      stopAccepting()
      shared.jobs.finish()
      for loop in loops { loop.loop.enqueue { loop.finish() } }
    }
  }

  private func begin(_ box: AcceptorBox) throws(SystemError) {
    // No loop has a thread yet, so this one may touch the first loop. What is enqueued instead never runs where a drain came first.
    try box.acceptor.begin()
    var started = 0
    do throws(SystemError) {
      for loop in loops {
        try loop.loop.start()
        started += 1
      }
    } catch {
      for loop in loops.prefix(started) { loop.loop.stop() }
      throw error
    }
  }

  /// Takes no more connections, refuses new requests with -32009, and ends `run` when those in flight are answered, at the latest
  /// after so many seconds.
  public func drain(within seconds: Double = 5) {
    stopAccepting()
    for loop in loops { loop.loop.enqueue { loop.drain(within: seconds) } }
  }

  /// Listens anew where the socket's file was removed, so that clients find the daemon again. To be called now and then.
  public func restoreSocket() {
    guard let box = acceptor.withLock({ $0 }), let path = box.path, ListeningSocket.isGone(path) else { return }
    loops[0].loop.enqueue { box.acceptor.restore(path) }
  }

  private func stopAccepting() {
    guard let box = acceptor.withLock({ $0 }) else { return }
    loops[0].loop.enqueue { box.acceptor.end() }
  }
}

/// Carries the acceptor to its loop. `@unchecked Sendable`: the acceptor is touched on the first loop's thread only.
private final class AcceptorBox: @unchecked Sendable {
  let acceptor: Acceptor
  /// Where the socket's file is; nil for a socket that the service manager made.
  let path: String?
  init(_ acceptor: Acceptor, path: String?) {
    self.acceptor = acceptor
    self.path = path
  }
}

/// What the loops of a server have in common.
final class SharedState: Sendable {
  let connections: UserCounts
  let running: UserCounts
  let held: HeldBytes
  let jobs = JobQueue()

  init(_ options: ServerOptions) {
    connections = .connections(options)
    running = .running(options)
    held = HeldBytes(options)
  }
}
