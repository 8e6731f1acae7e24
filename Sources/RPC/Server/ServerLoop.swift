import Linux

/// One event loop of a server with the connections that it serves.
///
/// `@unchecked Sendable`: whatever is mutable is touched on the loop's thread only.
final class ServerLoop: @unchecked Sendable {
  let loop: EventLoop
  let handler: any RequestHandler
  let options: ServerOptions
  let log: Log
  private let shared: SharedState
  private var connections: [UInt64: Connection] = [:]
  private(set) var isDraining = false
  private var isFinished = false

  /// Lent to one connection at a time, so that an idle one needs no buffer.
  private var scratch: [UInt8] = []

  init(loop: EventLoop, handler: any RequestHandler, options: ServerOptions, log: Log, shared: SharedState) {
    self.loop = loop
    self.handler = handler
    self.options = options
    self.log = log
    self.shared = shared
  }

  /// Takes over a connection that was counted.
  func adopt(_ socket: consuming FileDescriptor, number: UInt64, caller: Peer) {
    guard !isFinished else { return shared.connections.remove(caller.user) }
    let connection = Connection(socket, number: number, caller: caller, host: self)
    do throws(SystemError) {
      try connection.begin()
      connections[number] = connection
    } catch {
      shared.connections.remove(caller.user)
      log(.warning, "accept", "refused a connection: \(error)")
    }
  }

  func closed(_ connection: Connection) {
    guard connections.removeValue(forKey: connection.number) != nil else { return }
    shared.connections.remove(connection.caller.user)
  }

  /// A connection of the user's holds so many bytes more, or fewer; false where that is too much.
  func hold(_ bytes: Int, of user: UInt32) -> Bool { shared.held.change(user, by: bytes) }

  // MARK: Requests

  /// Why no more requests of the user may run now, or nil.
  func refusal(of user: UInt32) -> String? { shared.running.refusal(of: user) }

  func run(_ job: Job) {
    shared.running.add(job.context.caller.user)
    running += 1
    if job.context.id == nil { unheard[job.number] = job }
    shared.jobs.add(job)
  }

  /// A job of this loop has ended.
  func ended(_ job: JobNumber, of user: UInt32) {
    unheard[job] = nil
    shared.running.remove(user)
    running -= 1
    finishIfDrained()
  }

  private var running = 0

  /// Notifications that are acted on: they outlive their connection, but not the loop.
  private var unheard: [JobNumber: Job] = [:]

  // MARK: Buffers

  func lendOutput(to connection: Connection) {
    if connection.output.isEmpty { swap(&connection.output, &scratch) }
  }

  func takeOutput(back connection: Connection) {
    // What was lent for one large reply is not kept for ever.
    if connection.output.isEmpty, scratch.capacity == 0, connection.output.capacity <= 1 << 20 { swap(&connection.output, &scratch) }
    if connection.output.isEmpty { connection.output = [] }
  }

  // MARK: The end

  /// New requests are refused from now on; when those in flight have their replies, or after so many seconds, the loop ends.
  func drain(within seconds: Double) {
    guard !isDraining else { return }
    isDraining = true
    loop.after(seconds) { [weak self] in
      guard let self, !isFinished else { return }
      for connection in connections.values { connection.giveUp() }
      finish()
    }
    finishIfDrained()
  }

  /// A connection has sent what it could: perhaps the last thing that the end waited for.
  func hasFlushed() {
    if isDraining, !isFinished { loop.enqueue { [weak self] in self?.finishIfDrained() } }
  }

  private func finishIfDrained() {
    guard isDraining, !isFinished, running == 0, connections.values.allSatisfy(\.output.isEmpty) else { return }
    // Whoever asked in the meantime learns why he gets no answer.
    for connection in connections.values { connection.receiveRest() }
    finish()
  }

  /// Closes everything and ends the loop.
  func finish() {
    guard !isFinished else { return }
    isFinished = true
    isDraining = true
    for connection in connections.values { connection.close() }
    for job in unheard.values { job.cancel() }
    loop.stop()
  }
}
