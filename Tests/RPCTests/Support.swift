import Glibc
import Linux
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import RPC

/// A handler whose methods are made for tests.
final class Script: RequestHandler {
  /// Cached results, by method and params.
  private let known: [String: String]
  /// The user that may send requests on behalf of others.
  private let gatewayUser: UInt32?
  /// Called by the method `hook`.
  private let hook: @Sendable (RequestContext) async -> Reply

  init(
    known: [String: String] = [:], gatewayUser: UInt32? = nil,
    hook: @escaping @Sendable (RequestContext) async -> Reply = { _ in .result(Array("null".utf8)) }
  ) {
    self.known = known
    self.gatewayUser = gatewayUser
    self.hook = hook
  }

  func cachedReply(to text: Span<UInt8>, _ outline: RequestOutline, maxBytes: Int, user: UInt32) -> CachedResult? {
    guard !known.isEmpty else { return nil }
    let key = text.string(in: outline.method) + " " + text.string(in: outline.params)
    return known[key].map { CachedResult(Array($0.utf8)) }.flatMap { $0.count <= maxBytes ? $0 : nil }
  }

  func mayRepresentUsers(_ caller: Peer) -> Bool { !caller.isRepresented && caller.user == gatewayUser }

  func reply(to request: Request, context: RequestContext) async -> Reply {
    let params: JSONValue?
    do { params = try request.decodedParams() } catch { return .error(error) }
    switch request.method {
    case "echo": return .value(params ?? .null)
    case "subtract":
      guard let params = params?.object else { return .error(.invalidParams("by name, please")) }
      guard let a = params["minuend"]?.integer, let b = params["subtrahend"]?.integer else { return .error(.invalidParams("two numbers")) }
      return .value(.integer(Int64(a - b)))
    case "size": return .result([UInt8](repeating: UInt8(ascii: "1"), count: params?["bytes"]?.integer ?? 0))
    case "never":
      await waitForCancellation()
      return .error(.cancelled)
    case "hook": return await hook(context)
    default: return .error(.methodNotFound("There is no method `\(Log.escaped(request.method))`."))
    }
  }
}

/// A server in its own directory.
struct Service {
  let server: Server
  let path: String
  let log: Lines
  private let folder: TemporaryFolder

  init(_ script: Script = Script(), _ options: ServerOptions = ServerOptions()) throws {
    folder = try TemporaryFolder()
    path = folder.file("s")
    let log = Lines()
    self.log = log
    server = try Server(options: options, log: Log(level: .debug, write: { log.append($0) }), handler: script)
  }

  /// Serves while the body runs.
  func whileRunning(_ body: @escaping @Sendable (Service) async throws -> Void) async throws {
    let socket = try ListeningSocket(path: path)
    let running = Serving(socket)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { if let socket = running.take() { try await server.run(on: socket) } }
      do { try await body(self) } catch {
        group.cancelAll()
        throw error
      }
      group.cancelAll()
    }
  }

  /// Sends bytes, half-closes, and returns all bytes received until the server closed.
  func exchange(_ bytes: [UInt8]) async throws -> String {
    let socket = try RawSocket(path)
    socket.send(bytes)
    socket.finishSending()
    return await socket.untilEnd()
  }
}

/// Hands a socket to a task.
private final class Serving: Sendable {
  private let socket: Mutex<ListeningSocket?>
  init(_ socket: consuming ListeningSocket) { self.socket = Mutex(consume socket) }
  func take() -> ListeningSocket? {
    socket.withLock { socket in
      let taken = socket.take()
      return taken
    }
  }
}

/// Waits until a descriptor has something to read.
func waitUntilReadable(_ descriptor: borrowing FileDescriptor) async throws {
  let number = descriptor.number
  try await waitUntil {
    var watched = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, 0) == 1
  }
}

/// Lines that a log wrote.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])
  func append(_ line: String) { lines.withLock { $0.append(line) } }
  var all: [String] { lines.withLock { $0 } }
}

/// A client that sends any bytes.
final class RawSocket: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var isEnded = false
    var waiting: [(@Sendable (State) -> Bool, CheckedContinuation<Void, Never>)] = []
  }
  private static let loop: EventLoop? = {
    let loop = try? EventLoop(name: "test-client")
    try? loop?.start()
    return loop
  }()
  private final class Received: Sendable { let state = Mutex(State()) }
  private let received = Received()
  private let stream: ByteStream

  struct NoLoop: Error {}

  init(_ path: String) throws {
    guard let loop = RawSocket.loop else { throw NoLoop() }
    let received = self.received
    stream = ByteStream(
      socket: try FileDescriptor.connect(to: path), loop: loop,
      receiver: .init(
        bytes: { bytes in RawSocket.change(received) { $0.bytes += bytes.array(in: 0..<bytes.count) } },
        end: { RawSocket.change(received) { $0.isEnded = true } }))
    stream.begin()
  }

  deinit { stream.close() }

  func send(_ bytes: [UInt8]) { stream.send(bytes) }
  func send(_ text: String) { stream.send(Array(text.utf8)) }
  func finishSending() { stream.finishSending() }
  func close() { stream.close() }

  var text: String { String(decoding: received.state.withLock { $0.bytes }, as: UTF8.self) }
  var isEnded: Bool { received.state.withLock { $0.isEnded } }

  func untilEnd() async -> String {
    await wait { $0.isEnded }
    return text
  }

  /// Waits for this many whole lines, or the end.
  func lines(_ count: Int) async -> [String] {
    await wait { state in state.isEnded || state.bytes.count { $0 == 0x0A } >= count }
    return text.split(separator: "\n").map(String.init)
  }

  private func wait(_ condition: @escaping @Sendable (State) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isMet = received.state.withLock { state in
        if condition(state) { return true }
        state.waiting.append((condition, continuation))
        return false
      }
      if isMet { continuation.resume() }
    }
  }

  private static func change(_ received: Received, _ body: (inout State) -> Void) {
    let ready = received.state.withLock { state in
      body(&state)
      let now = state
      let ready = now.waiting.filter { $0.0(now) }
      state.waiting = now.waiting.filter { !$0.0(now) }
      return ready
    }
    for (_, continuation) in ready { continuation.resume() }
  }
}
