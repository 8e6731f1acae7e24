import Glibc
import Linux

/// Accepts connections from the listening socket. It is used on the loop's thread only.
final class Acceptor: EventHandler {
  private var socket: ListeningSocket
  private let host: ServerLoop
  private let log: Log
  private var registration: EventLoop.Registration?
  /// A descriptor that is closed to accept one connection if the process has no other descriptors left.
  private var spare: FileDescriptor?
  /// The number of the latest connection.
  private var number: UInt64 = 0
  /// The latest peer of each user. Nearly all connections of a user have the same groups, and share this value.
  private var callers: [UInt32: Peer] = [:]
  /// The timer that ends a pause; nil while connections are accepted.
  private(set) var pauseEnd: TimerQueue.ID?
  /// The maximum number of connections accepted before other events are handled.
  private static let perTurn = 64

  init(_ socket: consuming ListeningSocket, host: ServerLoop, log: Log) {
    self.socket = socket
    self.host = host
    self.log = log
    spare = Acceptor.makeSpare()
  }

  func begin() throws(SystemError) { registration = try host.loop.add(socket.descriptor.number, .readable, self) }

  /// Listens at the same path again, if its file was removed.
  func restore(_ path: String) {
    guard let registration, ListeningSocket.isGone(path) else { return }
    do {
      // Clients that wait at the old socket are accepted first.
      for _ in 0..<Int(ListeningSocket.usualBacklog) / Acceptor.perTurn { ready(.readable) }
      host.loop.remove(registration)
      self.registration = nil
      try socket.bindAnew()
      log(.warning, "socket", "\(path) was removed; the daemon listens there again")
    } catch { log(.error, "socket", "\(path) was removed, and the daemon cannot listen there again: \(error)") }
    do throws(SystemError) { try begin() } catch { log(.error, "listen", "cannot serve the socket: \(error)") }
  }

  /// Ends accepting connections.
  func end() {
    if let registration { host.loop.remove(registration) }
    registration = nil
    socket.unlinkPath()
  }

  func ready(_ events: EventLoop.Events) {
    for _ in 0..<Acceptor.perTurn where pauseEnd == nil {
      do throws(SystemError) {
        admit(try socket.descriptor.accept())
      } catch {
        switch error.code {
        case EAGAIN: return
        // The client disconnected before the connection was accepted.
        case ECONNABORTED, EINTR, EPROTO: continue
        case EMFILE, ENFILE: dropOne()
        default: pause(error)
        }
      }
    }
  }

  private func admit(_ descriptor: consuming FileDescriptor) {
    guard let caller = try? Peer(of: descriptor.number) else { return }
    number += 1
    guard let reason = host.admit(descriptor, number: number, caller: interned(caller)) else { return }
    log(.warning, "connections", "refused a connection of user \(caller.user): \(reason)")
  }

  /// The stored peer if it is equal, so that connections share it; otherwise this peer, which is stored.
  private func interned(_ caller: Peer) -> Peer {
    if let known = callers[caller.user], known == caller { return known }
    if callers.count > 1_000 { callers = [:] }
    callers[caller.user] = caller
    return caller
  }

  /// Closes the next client's connection, for which no descriptor is left. It is accepted with the spare descriptor first, because a
  /// waiting client would keep the socket readable.
  private func dropOne() {
    spare = nil
    _ = try? socket.descriptor.accept()
    spare = Acceptor.makeSpare()
    log(.warning, "descriptors", "refused a connection: the process has no file descriptors left (raise LimitNOFILE)")
    if spare == nil { pause(SystemError("keep a spare descriptor", code: EMFILE)) }
  }

  /// Pauses accepting connections for a tenth of a second.
  private func pause(_ error: SystemError) {
    guard let registration, pauseEnd == nil else { return }
    log(.warning, "accept", "paused accepting connections for 0.1 s: \(error)")
    host.loop.change(registration, [])
    pauseEnd = host.loop.after(0.1) { [weak self] in
      guard let self else { return }
      pauseEnd = nil
      if spare == nil { spare = Acceptor.makeSpare() }
      if let registration = self.registration { host.loop.change(registration, .readable) }
    }
  }

  private static func makeSpare() -> FileDescriptor? {
    let number = open("/dev/null", O_RDONLY | O_CLOEXEC)
    return number < 0 ? nil : FileDescriptor(owning: number)
  }
}
