import Glibc
import Linux

/// Takes connections from the listening socket and gives them to the loops. Lives on the first loop's thread.
final class Acceptor: EventHandler {
  private var socket: ListeningSocket
  private let loops: [ServerLoop]
  private let shared: SharedState
  private let log: Log
  private var registration: EventLoop.Registration?
  private var spare: FileDescriptor?
  private var number: UInt64 = 0
  /// Groups are the same for nearly all connections of a user: one copy serves them.
  private var callers: [UInt32: Peer] = [:]
  /// The first descriptor that no client is given: this and what lies above is for files, providers' services and processes.
  private let reserved: Int32
  /// Connections that are taken before the others have their turn.
  private static let perTurn = 64
  /// A quarter of all descriptors is kept from clients, and no more than these.
  private static let mostReserved: Int32 = 256

  init(_ socket: consuming ListeningSocket, loops: [ServerLoop], shared: SharedState, log: Log) {
    self.socket = socket
    self.loops = loops
    self.shared = shared
    self.log = log
    spare = Acceptor.makeSpare()
    let limit = FileDescriptor.limit
    reserved = limit - min(Acceptor.mostReserved, limit / 4)
  }

  private var loop: EventLoop { loops[0].loop }

  func begin() throws(SystemError) { registration = try loop.add(socket.descriptor.number, .readable, self) }

  /// Listens at the same path again, where its file was removed.
  func restore(_ path: String) {
    guard let registration, ListeningSocket.isGone(path) else { return }
    do {
      // Whoever came before the file went is served, as far as the backlog reaches.
      for _ in 0..<Int(ListeningSocket.usualBacklog) / Acceptor.perTurn { ready(.readable) }
      loop.remove(registration)
      self.registration = nil
      try socket.bindAnew()
      log(.warning, "socket", "\(path) was removed; the daemon listens there again")
    } catch { log(.error, "socket", "\(path) was removed, and the daemon cannot listen there again: \(error)") }
    do throws(SystemError) { try begin() } catch { log(.error, "listen", "cannot serve the socket: \(error)") }
  }

  /// Accepts no more.
  func end() {
    if let registration { loop.remove(registration) }
    registration = nil
    socket.unlinkPath()
  }

  func ready(_ events: EventLoop.Events) {
    for _ in 0..<Acceptor.perTurn {
      do throws(SystemError) {
        admit(try socket.descriptor.accept())
      } catch {
        switch error.code {
        case EAGAIN: return
        // The client was quicker to leave than we to accept.
        case ECONNABORTED, EINTR, EPROTO: continue
        case EMFILE, ENFILE: dropOne()
        default: return pause(error)
        }
      }
    }
  }

  private func admit(_ descriptor: consuming FileDescriptor) {
    guard let caller = try? Peer(of: descriptor.number) else { return }
    // A new descriptor has the lowest number that is free, so all below are in use.
    guard descriptor.number < reserved else {
      refuse(descriptor, "The daemon has no file descriptors left for another connection.")
      return log(.warning, "descriptors", "refused a connection: no file descriptors left for clients (raise LimitNOFILE)")
    }
    if let reason = shared.connections.admit(caller.user) {
      refuse(descriptor, reason)
      return log(.warning, "connections", "refused a connection of user \(caller.user): \(reason)")
    }
    number += 1
    let (loop, number, known) = (loops[Int(number % UInt64(loops.count))], number, interned(caller))
    guard loops.count > 1 else { return loop.adopt(descriptor, number: number, caller: known) }
    let socket = descriptor.released()
    loop.loop.enqueue { loop.adopt(FileDescriptor(owning: socket), number: number, caller: known) }
  }

  /// Lets a client go with a reason.
  private func refuse(_ descriptor: consuming FileDescriptor, _ reason: String) {
    var message: [UInt8] = []
    Encoding.append(.error(.overloaded(reason, retryAfterMs: 1_000)), id: RequestID.null.raw, to: &message)
    message.append(0x0A)
    _ = descriptor.send(message.span)
  }

  private func interned(_ caller: Peer) -> Peer {
    if let known = callers[caller.user], known == caller { return known }
    if callers.count > 1_000 { callers = [:] }
    callers[caller.user] = caller
    return caller
  }

  /// No descriptor is left for the next client: with the spare one he is taken and let go, else he would wake us for ever.
  private func dropOne() {
    spare = nil
    _ = try? socket.descriptor.accept()
    spare = Acceptor.makeSpare()
    log(.warning, "descriptors", "refused a connection: the process has no file descriptors left (raise LimitNOFILE)")
    if spare == nil { pause(SystemError("keep a spare descriptor", code: EMFILE)) }
  }

  /// Leaves the clients waiting for a tenth of a second.
  private func pause(_ error: SystemError) {
    guard let registration else { return }
    log(.warning, "accept", "no connections for a moment: \(error)")
    loop.change(registration, [])
    loop.after(0.1) { [weak self] in
      guard let self, let registration = self.registration else { return }
      if spare == nil { spare = Acceptor.makeSpare() }
      loop.change(registration, .readable)
    }
  }

  private static func makeSpare() -> FileDescriptor? {
    let number = open("/dev/null", O_RDONLY | O_CLOEXEC)
    return number < 0 ? nil : FileDescriptor(owning: number)
  }
}
