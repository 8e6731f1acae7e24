import Configuration
import EmulatedAPIs
import Glibc
import Linux
import PlacesKit

/// Creates the server, and runs it until the program ends.
struct Gateway: Sendable {
  private let settings: GatewaySettings
  /// The listening sockets that systemd passed. They replace `listen`; empty if systemd passed none.
  private let inheritedSockets: [Int32]
  /// The result of `UserNamespace.readMap`.
  private let userMap: String?

  init(_ settings: GatewaySettings, _ inheritedSockets: [Int32], userMap: String? = UserNamespace.readMap()) {
    self.settings = settings
    self.inheritedSockets = inheritedSockets
    self.userMap = userMap
  }

  /// The reason why the gateway must not start; nil if it may start.
  var refusal: String? {
    guard settings.allUsers, !UserNamespace.mapsEveryUser(userMap) else { return nil }
    return
      "`all_users` does not work in a user namespace that does not map every user, because all other users would look like one: run the"
      + " gateway outside of it (without PrivateUsers= of systemd, or a rootless container), or set `all_users = false`"
  }

  /// Runs until a signal arrives, or until no client has been connected for `idleSeconds`. Returns the exit code.
  func run() -> Int32 {
    let log = Log(level: Log.Level(settings.logLevel))
    if let refusal {
      log(.error, "cannot start", refusal)
      return 1
    }
    do {
      let listeners = try inheritedSockets.isEmpty ? settings.listen.compactMap { TCPEndpoint($0) }.map(listen) : inheritedSockets
      let endpoints = listeners.compactMap { TCPEndpoint(of: $0) }
      guard !endpoints.isEmpty, endpoints.count == listeners.count else { throw SystemError("listen", "not a TCP socket", code: EINVAL) }
      let loop = try EventLoop(name: "http")
      let exitCode = ExitCode()
      let server = makeServer(loop, endpoints, log)
      try Signals.watch([SIGTERM, SIGINT], on: loop) { _ in exitCode.set(0) }
      try server.start(listeners)
      try loop.start()
      if !inheritedSockets.isEmpty, settings.idleSeconds > 0 {
        loop.enqueue { endWhenIdle(loop, server, exitCode) }
      }
      log(.notice, "started", "listening at \(endpoints.map(\.description).joined(separator: ", "))")
      ServiceManager.notify("READY=1")
      let code = exitCode.wait()
      ServiceManager.notify("STOPPING=1")
      return code
    } catch {
      log(.error, "cannot go on", "\(error)")
      return 1
    }
  }

  private func listen(_ endpoint: TCPEndpoint) throws(SystemError) -> Int32 { try FileDescriptor.listen(at: endpoint).released() }

  private func makeServer(_ loop: EventLoop, _ endpoints: [TCPEndpoint], _ log: Log) -> HTTPServer {
    let rules = RequestGuard(
      hosts: ["localhost"] + endpoints.map(\.host) + settings.hosts, ports: Set(endpoints.map(\.port)),
      allowedOrigins: settings.allowOrigins)
    let page = PageFiles(
      folder: settings.pageDirectory ?? Gateway.pageDirectory, leaflet: settings.leafletDirectory, tilesURL: settings.tilesURL,
      tilesAttribution: settings.tilesAttribution)
    let caller = DaemonCaller(loop)
    let handler = GatewayHandler(
      rules: rules, callers: UserCallers(own: caller) { DaemonCaller(loop, onBehalfOf: $0) }, directory: ProviderDirectory(caller),
      page: page,
      baseURL: "http://localhost:\(endpoints.first?.port ?? 0)")
    let limits = HTTPServer.Limits(
      connections: settings.connections, connectionsPerAddress: settings.connectionsPerAddress,
      connectionsPerUser: settings.connectionsPerUser, headerBytes: settings.headerBytes, bodyBytes: settings.bodyBytes,
      requestSeconds: Double(settings.requestSeconds), keepAliveSeconds: Double(settings.keepAliveSeconds))
    let networks = settings.allowFrom.compactMap { NetworkPrefix($0) }
    let (ownUser, servesAllUsers) = (geteuid(), settings.allUsers)
    return HTTPServer(loop: loop, limits: limits, handler: handler, log: log) { socket, peer in
      // A program of this machine may connect to a loopback address or to the machine's address in a network. In both cases it has a user.
      let localUser: UInt32?
      do throws(SystemError) { localUser = try userOfPeer(of: socket) } catch { return .refused("\(error)") }
      // The other end of a connection from this machine has no user only if it is already closed.
      if peer.isLoopback, localUser == nil { return .closed }
      if let user = localUser {
        if servesAllUsers { return .admitted(user: user, isLocal: true) }
        // The daemon treats every request as one of the gateway's own user, whose identity, budget and cache other users must not use.
        return user == ownUser
          ? .admitted(user: nil, isLocal: true) : .refused("this gateway serves its own user only; see `all_users` in places-gateway(8)")
      }
      guard networks.contains(where: { $0.contains(peer.address) }) else {
        return .refused("this address is not allowed; see `allow_from` in places-gateway(8)")
      }
      return .admitted(user: nil, isLocal: false)
    }
  }

  /// The folder of the search page. If the program is in a directory `bin`, the folder is in the directory `share` beside it.
  private static var pageDirectory: String {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0, let slash = buffer[..<count].lastIndex(of: UInt8(ascii: "/")) else { return "/usr/share/placesd/page" }
    return String(decoding: buffer[..<slash], as: UTF8.self) + "/../share/placesd/page"
  }

  /// Sets the exit code once no client has been connected for `idleSeconds`. Checks this every ten seconds, or more often if `idleSeconds`
  /// is shorter.
  private func endWhenIdle(_ loop: EventLoop, _ server: HTTPServer, _ exitCode: ExitCode) {
    loop.after(min(10, Double(settings.idleSeconds))) {
      if let since = server.idleSince, monotonicSeconds() - since >= Double(settings.idleSeconds) { return exitCode.set(0) }
      endWhenIdle(loop, server, exitCode)
    }
  }
}

/// The program's exit code, for which the main thread waits. `@unchecked Sendable`: `code` is written before `sem_post` and read after
/// `sem_wait`.
private final class ExitCode: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  private var code: Int32 = 0

  init() { sem_init(semaphore, 0, 0) }

  func set(_ code: Int32) {
    self.code = code
    sem_post(semaphore)
  }

  func wait() -> Int32 {
    while sem_wait(semaphore) != 0, errno == EINTR {}
    return code
  }
}

extension Log.Level {
  init(_ level: LogLevel) {
    self =
      switch level {
      case .error: .error
      case .warning: .warning
      case .notice: .notice
      case .info: .info
      case .debug: .debug
      }
  }
}
