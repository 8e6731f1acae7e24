import EmulatedAPIs
import Foundation
import Glibc
import JSON
import Linux
import PlacesTesting
import Synchronization
import Testing

@testable import places_gateway

/// A connection to a daemon that is replaced by another one.
@Suite("The gateway's connection to the daemon", .timeLimit(.minutes(1)))
struct DaemonConnectionTests {
  @Test(
    "makes the first call after a restart of the daemon on a new connection, also for a user, and also one that may not be made twice",
    arguments: [nil, UInt32(1_000)])
  func restart(user: UInt32?) async throws {
    let folder = try TemporaryFolder()
    let loop = try EventLoop(name: "test-gateway")
    try loop.start()
    defer { loop.stop() }
    let connection = DaemonConnection(loop, paths: [folder.file("s")], onBehalfOf: user)
    for _ in 0..<3 {
      let daemon = try ScriptedDaemon(folder.file("s"))
      let reply = await reply(to: "places.select", on: connection, loop)
      guard case .result = reply else {
        Issue.record("\(reply)")
        return
      }
      #expect(daemon.methods == (user == nil ? [] : ["$/onBehalfOf"]) + ["places.select"])
      daemon.stop()
      // The loop sees the end before the next call: in each round, descriptors come before what was enqueued.
      for _ in 0..<2 { await withCheckedContinuation { continuation in loop.enqueue { continuation.resume() } } }
    }
  }

  @Test("ends the calls of a user whom the daemon neither accepts nor refuses")
  func silence() async throws {
    let folder = try TemporaryFolder()
    let loop = try EventLoop(name: "test-gateway")
    try loop.start()
    defer { loop.stop() }
    let daemon = try ScriptedDaemon(folder.file("s"), silentOn: "$/onBehalfOf")
    defer { daemon.stop() }
    let reply = await reply(to: "places.search", on: DaemonConnection(loop, paths: [folder.file("s")], onBehalfOf: 1_000), loop)
    guard case .failure = reply else {
      Issue.record("\(reply)")
      return
    }
    #expect(daemon.methods == ["$/onBehalfOf"])
  }

  private func reply(to method: String, on connection: DaemonConnection, _ loop: EventLoop) async -> DaemonReply {
    await withCheckedContinuation { continuation in
      loop.enqueue {
        connection.send(
          PendingCall(DaemonCall(method: method, params: [:]), deadline: monotonicSeconds() + 20, partial: nil) {
            continuation.resume(returning: $0)
          })
      }
    }
  }
}

/// Answers each request with `{}`, on a thread for each connection.
private final class ScriptedDaemon: Sendable {
  private let path: String
  private let listener: Int32
  private let silentOn: String?
  private let state = Mutex((methods: [String](), sockets: [Int32]()))

  var methods: [String] { state.withLock { $0.methods } }

  init(_ path: String, silentOn: String? = nil) throws {
    self.path = path
    self.silentOn = silentOn
    listener = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    unlink(path)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = withUnsafePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) } }
    try #require(bound == 0 && listen(listener, 8) == 0)
    Thread.detachNewThread { [self] in
      while true {
        let socket = accept(listener, nil, nil)
        guard socket >= 0 else { return }
        state.withLock { $0.sockets.append(socket) }
        Thread.detachNewThread { [self] in serve(socket) }
      }
    }
  }

  private func serve(_ socket: Int32) {
    var (line, byte): ([UInt8], UInt8) = ([], 0)
    while read(socket, &byte, 1) == 1 {
      guard byte == UInt8(ascii: "\n") else {
        line.append(byte)
        continue
      }
      guard let request = try? JSONValue(parsing: line), let method = request["method"]?.string, let id = request["id"] else { return }
      line = []
      state.withLock { $0.methods.append(method) }
      if method == silentOn { continue }
      let reply = Array("{\"jsonrpc\":\"2.0\",\"id\":\(id.text),\"result\":{}}\n".utf8)
      _ = send(socket, reply, reply.count, Int32(MSG_NOSIGNAL))
    }
  }

  /// Ends every connection; the socket's file is gone.
  func stop() {
    unlink(path)
    shutdown(listener, Int32(SHUT_RDWR))
    for socket in state.withLock({ $0.sockets }) { shutdown(socket, Int32(SHUT_RDWR)) }
  }
}
