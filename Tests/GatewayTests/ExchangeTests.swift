import Glibc
import Linux
import PlacesTesting
import Synchronization
import Testing

@testable import places_gateway

@Suite("An exchange over HTTP", .timeLimit(.minutes(1)))
struct ExchangeTests {
  /// A server on a free port of 127.0.0.1, at a daemon's socket; everything shares one loop and one clock.
  private struct TestServer {
    let loop: EventLoop
    let port: UInt16
    let clock = Clock()

    init(daemon path: String) throws {
      let listener = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
      try #require(TestServer.on(port: 0, listener, bind) && listen(listener, 8) == 0)
      port = try #require(TCPEndpoint(of: listener)).port
      loop = try EventLoop(name: "test-gateway")
      let clock = clock
      let caller = DaemonCaller(loop, paths: [path]) { clock.now }
      let handler = GatewayHandler(
        rules: RequestGuard(hosts: ["localhost"], ports: [port], allowedOrigins: []),
        callers: UserCallers(own: caller) { _ in caller }, directory: ProviderDirectory(caller),
        page: PageFiles(folder: "/nowhere", leaflet: "/nowhere", tilesURL: nil, tilesAttribution: nil), baseURL: "http://localhost:\(port)")
      let limits = HTTPServer.Limits(
        connections: 8, connectionsPerAddress: 8, connectionsPerUser: 8, headerBytes: 8_192, bodyBytes: 8_192, requestSeconds: 30,
        keepAliveSeconds: 30)
      let server = HTTPServer(loop: loop, limits: limits, handler: handler, log: Log(level: .error), time: { clock.now }) { _, _ in
        .admitted(user: nil, isLocal: true)
      }
      try server.start([listener])
      try loop.start()
    }

    private typealias SocketCall = (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32

    /// Binds or connects a socket at 127.0.0.1.
    private static func on(port: UInt16, _ socket: Int32, _ call: SocketCall) -> Bool {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      let size = socklen_t(MemoryLayout<sockaddr_in>.size)
      return withUnsafePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call(socket, $0, size) } } == 0
    }

    /// A connection that has sent a request.
    func send(_ target: String) throws -> Int32 {
      let client = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      try #require(TestServer.on(port: port, client, connect))
      var limit = timeval(tv_sec: 20, tv_usec: 0)
      setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
      let request = Array("GET \(target) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n".utf8)
      try #require(Glibc.send(client, request, request.count, Int32(MSG_NOSIGNAL)) == request.count)
      return client
    }
  }

  private final class Clock: Sendable {
    private let time = Mutex(1_000.0)
    var now: Double { time.withLock { $0 } }
    func advance(by seconds: Double) { time.withLock { $0 += seconds } }
  }

  @Test("with a daemon that stops answering ends with an error in the shape of the API, before its connection is closed")
  func silentDaemon() async throws {
    let folder = try TemporaryFolder()
    let daemon = try ScriptedDaemon(folder.file("s"), silentOn: "places.details")
    defer { daemon.stop() }
    let server = try TestServer(daemon: folder.file("s"))
    defer { server.loop.stop() }
    // Calls one after the other, none of which is answered.
    let client = try server.send("/nominatim/lookup?osm_ids=N1,W2,R3&format=json")
    defer { close(client) }
    try await eventually("the first call") { daemon.methods.contains("places.details") ? () : nil }
    server.clock.advance(by: 38)
    let answer = try await text(from: client)
    #expect(answer.hasPrefix("HTTP/1.1 504 "), "\(answer)")
    #expect(answer.hasSuffix(#"{"error":{"code":504,"message":"the places daemon did not answer in time"}}"#), "\(answer)")
    #expect(daemon.methods.filter { $0 == "places.details" }.count == 1)
  }

  /// Everything until the end of the connection.
  private func text(from socket: Int32) async throws -> String {
    let flags = fcntl(socket, F_GETFL)
    _ = fcntl(socket, F_SETFL, flags | O_NONBLOCK)
    let bytes = Mutex([UInt8]())
    try await eventually("the end of the connection") {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let count = recv(socket, &buffer, buffer.count, 0)
      if count > 0 { bytes.withLock { $0 += buffer[..<count] } }
      return count == 0 ? () : nil
    }
    return bytes.withLock { String(decoding: $0, as: UTF8.self) }
  }
}

@Suite("A stream of events")
struct EventStreamTests {
  /// Reads at most `count` bytes.
  private func read(_ stream: EventStream, _ count: Int) -> [UInt8] {
    var bytes = [CChar](repeating: 0, count: count)
    let read = bytes.withUnsafeMutableBufferPointer { $0.baseAddress.map { stream.read(into: $0, count) } ?? -1 }
    return bytes.prefix(max(0, read)).map { UInt8(bitPattern: $0) }
  }

  @Test("holds no more than twice the limit for a client that is always a little behind, and loses nothing")
  func bounded() {
    let stream = EventStream()
    let event = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
    stream.append(event)
    var (most, received) = (0, [UInt8]())
    for _ in 0..<2_000 {
      stream.append(event)
      received += read(stream, event.count)
      most = max(most, stream.heldBytes)
    }
    #expect(most <= 4 * event.count)
    while stream.heldBytes > event.count { received += read(stream, 4_096) }
    #expect(received.indices.allSatisfy { received[$0] == event[$0 % event.count] })
  }

  @Test("ends for a client that does not read")
  func unread() {
    let stream = EventStream()
    let event = [UInt8](repeating: 1, count: 10_000)
    for _ in 0..<2_000 { stream.append(event) }
    #expect(stream.heldBytes <= EventStream.maxUnreadBytes + event.count)
    while stream.heldBytes > 0 { _ = read(stream, 1 << 16) }
    #expect(read(stream, 10).isEmpty)
  }
}
