import Glibc
import Linux

/// Accepts connections from the listening socket. It is used on the loop's thread only.
final class Acceptor: EventHandler {
  private var socket: ListeningSocket
  private let serverLoop: ServerLoop
  private let log: Log
  private var registration: EventLoop.Registration?
  /// A reserved descriptor. If the process has no other descriptors left, the reserved one is closed, so that one connection can be
  /// accepted and refused.
  private var spareDescriptor: FileDescriptor?
  /// The number of connections that were accepted so far. It identifies the latest connection.
  private var connectionCount: UInt64 = 0
  /// The peer of each user's latest connection, by the user's id. Most connections of a user have equal peers (the same groups), and share
  /// this value.
  private var latestPeers: [UInt32: Peer] = [:]
  /// The timer that ends a pause; nil while connections are accepted.
  private(set) var pauseTimer: TimerQueue.ID?
  /// The maximum number of connections accepted before other events are handled.
  private static let connectionsPerTurn = 64

  init(_ socket: consuming ListeningSocket, serverLoop: ServerLoop, log: Log) {
    self.socket = socket
    self.serverLoop = serverLoop
    self.log = log
    spareDescriptor = Acceptor.openSpareDescriptor()
  }

  func begin() throws(SystemError) { registration = try serverLoop.loop.add(socket.descriptor.number, .readable, self) }

  /// Listens at the same path again, if its file was removed. Does nothing while accepting is paused; `Server.restoreSocket` calls it again
  /// later.
  func restore(_ path: String) {
    guard pauseTimer == nil, let registration, ListeningSocket.isGone(path) else { return }
    do {
      // Clients that wait at the old socket are accepted first, because `rebind` drops them. At most `defaultBacklog` clients wait.
      for _ in 0..<Int(ListeningSocket.defaultBacklog) / Acceptor.connectionsPerTurn { ready(.readable) }
      serverLoop.loop.remove(registration)
      self.registration = nil
      try socket.rebind()
      log(.warning, "socket", "\(path) was removed; the daemon listens there again")
    } catch { log(.error, "socket", "\(path) was removed, and the daemon cannot listen there again: \(error)") }
    do throws(SystemError) { try begin() } catch { log(.error, "listen", "cannot serve the socket: \(error)") }
  }

  /// Stops accepting connections, and removes the socket's file.
  func end() {
    if let registration { serverLoop.loop.remove(registration) }
    registration = nil
    socket.unlinkPath()
  }

  /// Accepts the waiting connections, at most `connectionsPerTurn`.
  func ready(_ events: EventLoop.Events) {
    for _ in 0..<Acceptor.connectionsPerTurn where pauseTimer == nil {
      do throws(SystemError) {
        admit(try socket.descriptor.accept())
      } catch {
        switch error.code {
        case EAGAIN: return
        // The client disconnected before the connection was accepted.
        case ECONNABORTED, EINTR, EPROTO: continue
        case EMFILE, ENFILE: refuseNextClient()
        default: pause(error)
        }
      }
    }
  }

  private func admit(_ descriptor: consuming FileDescriptor) {
    guard let caller = try? Peer(of: descriptor.number) else { return }
    connectionCount += 1
    guard let reason = serverLoop.admit(descriptor, number: connectionCount, caller: sharedPeer(caller)) else { return }
    log(.warning, "connections", "refused a connection of user \(caller.user): \(reason)")
  }

  /// Returns the stored peer if it is equal to `caller`, so that connections share it. Otherwise stores and returns `caller`.
  private func sharedPeer(_ caller: Peer) -> Peer {
    if let stored = latestPeers[caller.user], stored == caller { return stored }
    // The number of entries is bounded. A dropped entry is stored again when its user connects.
    if latestPeers.count > 1_000 { latestPeers = [:] }
    latestPeers[caller.user] = caller
    return caller
  }

  /// Closes the next client's connection, for which no descriptor is left. The spare descriptor is used to accept the connection first,
  /// because a waiting client would keep the listening socket readable.
  private func refuseNextClient() {
    spareDescriptor = nil
    _ = try? socket.descriptor.accept()
    spareDescriptor = Acceptor.openSpareDescriptor()
    log(.warning, "descriptors", "refused a connection: the process has no file descriptors left (raise LimitNOFILE)")
    if spareDescriptor == nil { pause(SystemError("keep a spare descriptor", code: EMFILE)) }
  }

  /// Pauses accepting connections for a tenth of a second.
  private func pause(_ error: SystemError) {
    guard let registration, pauseTimer == nil else { return }
    log(.warning, "accept", "paused accepting connections for 0.1 s: \(error)")
    serverLoop.loop.change(registration, [])
    pauseTimer = serverLoop.loop.after(0.1) { [weak self] in
      guard let self else { return }
      pauseTimer = nil
      if spareDescriptor == nil { spareDescriptor = Acceptor.openSpareDescriptor() }
      if let registration = self.registration { serverLoop.loop.change(registration, .readable) }
    }
  }

  private static func openSpareDescriptor() -> FileDescriptor? {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    return descriptor < 0 ? nil : FileDescriptor(owning: descriptor)
  }
}
