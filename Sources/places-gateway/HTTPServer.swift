import CLinux
import CMicrohttpd
import EmulatedAPIs
import Glibc
import Linux

/// An HTTP server on an event loop. libmicrohttpd reads requests and writes responses. This class accepts and counts connections, and
/// closes those whose deadlines have passed. Everything happens on the loop's thread.
///
/// `@unchecked Sendable`: mutable state is used on the loop's thread only.
final class HTTPServer: EventHandler, @unchecked Sendable {
  struct Limits: Sendable {
    var connections: Int
    var connectionsPerAddress: Int
    var connectionsPerUser: Int
    var headerBytes: Int
    var bodyBytes: Int
    /// Seconds within which the headers of a request must have arrived once it has begun, and then its body.
    var requestSeconds: Double
    /// Seconds that a connection may be open without a request.
    var keepAliveSeconds: Double
    /// Seconds within which an answer must be complete: more than the daemon's longest deadline and the client's grace period.
    var answerSeconds = 40.0
  }

  /// The decision on an accepted connection.
  enum Admission {
    /// - Parameters:
    ///   - user: the user on whose behalf the daemon is called; nil for the gateway's own user.
    ///   - isLocal: true if the client is a program of this machine.
    case admitted(user: UInt32?, isLocal: Bool)
    /// The connection is refused for this reason.
    case refused(String)
    /// The client has gone.
    case closed
  }

  /// A user or an address. Its connections are counted together.
  fileprivate enum Client: Hashable {
    case user(UInt32)
    case address([UInt8])
  }

  /// An open connection. It watches for the client's end of the connection itself, because libmicrohttpd does not watch a connection that
  /// waits for its answer.
  final class Connection: EventHandler {
    let socket: Int32
    /// The user on whose behalf the daemon is called; nil for the gateway itself.
    let user: UInt32?
    /// True if the client is a program of this machine.
    let isLocal: Bool
    /// The client among whose connections this one is counted; nil if it is not counted.
    fileprivate let client: Client?
    /// The time at which the connection will be closed, unless the deadline is extended before.
    var deadline: Double
    /// The request that is being read or answered; nil once it has ended.
    var exchange: Exchange?
    fileprivate var watch: EventLoop.Registration?

    fileprivate init(socket: Int32, user: UInt32?, isLocal: Bool, client: Client?, deadline: Double) {
      self.socket = socket
      self.user = user
      self.isLocal = isLocal
      self.client = client
      self.deadline = deadline
    }

    /// True if the client has closed its side of the connection. The kernel reports that once.
    private(set) var hasEnded = false

    func ready(_ events: EventLoop.Events) {
      hasEnded = true
      exchange?.abandon()
    }
  }

  let loop: EventLoop
  let limits: Limits
  let handler: any ExchangeHandler
  private let admission: (_ socket: Int32, _ peer: TCPEndpoint) -> Admission
  private let log: Log
  /// The clock of all limits, in seconds.
  let time: @Sendable () -> Double
  private var server: OpaquePointer?
  private var registration: EventLoop.Registration?
  private var connections: [Int32: Connection] = [:]
  /// The number of open connections of each client.
  private var connectionCounts: [Client: Int] = [:]
  /// The number of refused connections that are still open.
  private var refusedCount = 0
  /// The maximum number of refused connections that stay open for a moment, so that their clients read the reason.
  private static let maxRefused = 64
  /// True if a timer has been started that will check the connections' deadlines.
  private var hasSweepTimer = false
  /// True if the loop will call `ready` at the end of its round.
  private var willRunLater = false
  /// The time of the latest call of `run`, which is exact enough for the deadlines of connections.
  private(set) var now: Double
  /// The time at which the last connection was closed; nil while there is a connection.
  private(set) var idleSince: Double?

  init(
    loop: EventLoop, limits: Limits, handler: any ExchangeHandler, log: Log, time: @escaping @Sendable () -> Double = monotonicSeconds,
    admission: @escaping (_ socket: Int32, _ peer: TCPEndpoint) -> Admission
  ) {
    self.loop = loop
    self.limits = limits
    self.handler = handler
    self.log = log
    self.time = time
    now = time()
    self.admission = admission
  }

  /// Starts to accept connections on these sockets. Must be called on the loop's thread.
  func start(_ listeners: [Int32]) throws(SystemError) {
    var callbacks = cmhd_callbacks()
    // The server lives as long as the process.
    callbacks.context = Unmanaged.passRetained(self).toOpaque()
    callbacks.began = { context, connection, target in
      guard let context, let connection, let target else { return nil }
      let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
      return Unmanaged.passRetained(server.begin(connection, target)).toOpaque()
    }
    callbacks.received = { request, connection, method, bytes, count in
      guard let request, let connection, let method else { return 0 }
      let exchange = Unmanaged<Exchange>.fromOpaque(request).takeUnretainedValue()
      return exchange.receive(connection, method: method, bytes: UnsafeBufferPointer(start: bytes, count: count)) ? 1 : 0
    }
    callbacks.ended = { request in
      if let request { Unmanaged<Exchange>.fromOpaque(request).takeRetainedValue().end() }
    }
    callbacks.closed = { context, socket in
      if let context { Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue().removeClosed(socket) }
    }
    // The limits of libmicrohttpd itself, of connections and of inactivity, are higher than those of this class, and so never apply. In
    // particular, it does not close a connection that waits for an answer.
    server = cmhd_start(
      &callbacks, limits.headerBytes, UInt32(limits.connections + 16), UInt32(limits.answerSeconds + limits.keepAliveSeconds))
    guard let server else { throw SystemError("start libmicrohttpd", code: ENOMEM) }
    registration = try loop.add(cmhd_epoll(server), .readable, self)
    for listener in listeners { _ = try loop.add(listener, .readable, Listener(listener, self)) }
    idleSince = time()
  }

  func ready(_ events: EventLoop.Events) {
    if events.isEmpty { willRunLater = false }
    run()
  }

  /// Runs libmicrohttpd at the end of the loop's round, once for all answers of the round.
  func runLater() {
    guard !willRunLater else { return }
    willRunLater = true
    loop.callAtEndOfRound(self)
  }

  private func run() {
    guard let server else { return }
    now = time()
    // Most connections need a second run, in which libmicrohttpd finds that no further request has arrived.
    for _ in 0..<2 {
      cmhd_run(server)
      if cmhd_is_busy(server) == 0 { return }
    }
    runLater()
  }

  // MARK: Connections

  /// Admits or refuses an accepted connection.
  fileprivate func admit(_ accepted: consuming FileDescriptor) {
    guard let server, let peer = TCPEndpoint(peerOf: accepted.number) else { return }
    if connections.count >= limits.connections { return refuse(accepted, 503, "there are too many connections") }
    let (user, isLocal): (UInt32?, Bool)
    switch admission(accepted.number, peer) {
    case .closed: return
    case .admitted(let admittedUser, let isLocalClient): (user, isLocal) = (admittedUser, isLocalClient)
    case .refused(let reason):
      log(.warning, "refused a connection", "refused a connection from \(peer.host): \(reason)")
      return refuse(accepted, 403, reason)
    }
    let client: Client? = user.map { .user($0) } ?? (peer.isLoopback ? nil : .address(peer.address))
    if let client {
      let isUser = user != nil
      guard connectionCounts[client, default: 0] < (isUser ? limits.connectionsPerUser : limits.connectionsPerAddress) else {
        return refuse(accepted, 503, "there are too many connections \(isUser ? "of this user" : "from this address")")
      }
      connectionCounts[client, default: 0] += 1
    }
    let socket = accepted.released()
    let connection = Connection(
      socket: socket, user: user, isLocal: isLocal, client: client, deadline: time() + limits.keepAliveSeconds)
    connections[socket] = connection
    // The watch is added once for each connection, so that requests need no further system call.
    connection.watch = try? loop.add(socket, EventLoop.Events(rawValue: EPOLLRDHUP.rawValue | EPOLLET.rawValue), connection)
    idleSince = nil
    var address = sockaddr()
    address.sa_family = sa_family_t(AF_UNIX)
    // libmicrohttpd needs an address only for its own limits, which are not used.
    guard cmhd_add(server, socket, &address, socklen_t(MemoryLayout<sockaddr>.size)) != 0 else { return removeClosed(socket) }
    startSweepTimer()
  }

  /// Sends an error and closes the connection.
  private func refuse(_ socket: consuming FileDescriptor, _ status: Int, _ reason: String) {
    let body = reason + "\n"
    let head =
      "HTTP/1.1 \(status) \(status == 403 ? "Forbidden" : "Service Unavailable")\r\nContent-Type: text/plain; charset=utf-8\r\n"
      + "Content-Length: \(body.utf8.count)\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n"
    _ = socket.send(Array((head + body).utf8).span)
    socket.finishSending()
    // The socket stays open for half a second. If it were closed at once, the kernel would answer the client's request with a reset, and
    // the client might not read the reason.
    guard refusedCount < HTTPServer.maxRefused else { return }
    refusedCount += 1
    let descriptor = socket.released()
    loop.after(0.5) { [self] in
      refusedCount -= 1
      close(descriptor)
    }
  }

  /// Forgets a connection that libmicrohttpd closes.
  fileprivate func removeClosed(_ socket: Int32) {
    guard let connection = connections.removeValue(forKey: socket) else { return }
    connection.exchange = nil
    if let watch = connection.watch { loop.remove(watch) }
    if let client = connection.client, let count = connectionCounts[client] { connectionCounts[client] = count > 1 ? count - 1 : nil }
    if connections.isEmpty { idleSince = time() }
  }

  /// Creates the exchange of a request whose first line has been read.
  private func begin(_ connection: OpaquePointer, _ target: UnsafePointer<CChar>) -> Exchange {
    let record = connections[cmhd_socket(connection)]
    let exchange = Exchange(self, connection, target: target, on: record)
    record?.exchange = exchange
    // The deadline is not extended, because a client could send the request line byte by byte.
    if let record { record.deadline = min(record.deadline, now + limits.requestSeconds) }
    return exchange
  }

  /// Checks once a second for connections whose deadlines have passed, as long as there are connections.
  private func startSweepTimer() {
    guard !hasSweepTimer, !connections.isEmpty else { return }
    hasSweepTimer = true
    loop.after(1) { [self] in
      hasSweepTimer = false
      let now = time()
      for connection in connections.values where connection.deadline <= now {
        // The socket is closed by libmicrohttpd, which finds that the connection has ended.
        shutdown(connection.socket, Int32(SHUT_RDWR))
        connection.exchange?.abandon()
      }
      runLater()
      startSweepTimer()
    }
  }
}

/// Accepts connections on one listening socket.
private final class Listener: EventHandler {
  private let socket: FileDescriptor
  private let server: HTTPServer

  init(_ socket: Int32, _ server: HTTPServer) {
    self.socket = FileDescriptor(owning: socket)
    self.server = server
  }

  func ready(_ events: EventLoop.Events) {
    // At most 64 connections are accepted at a time, so that many new clients do not delay the others. epoll reports the remaining ones
    // again.
    for _ in 0..<64 {
      guard let accepted = try? socket.accept() else { break }
      server.admit(accepted)
    }
    server.runLater()
  }
}
