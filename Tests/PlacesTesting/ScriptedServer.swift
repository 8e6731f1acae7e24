import Foundation
import Synchronization

/// An HTTP server on its own loopback port that does exactly what a test specifies, including faults. It records the requests. It uses
/// blocking sockets and one thread per connection, and ends with `stop()` or its last reference.
public final class ScriptedServer: Sendable {
  /// One thing that the server does after a request.
  public enum Step: Sendable {
    case send([UInt8])
    /// One byte at a time, with this many seconds in between.
    case drip([UInt8], every: Double)
    /// Waits this many seconds, or until the client closes.
    case wait(Double)
    /// The same bytes again and again until the client closes.
    case endless([UInt8])
    case close
    /// Closes with a reset instead of an orderly end.
    case reset
  }

  /// A request as received.
  public struct Request: Sendable {
    public var method: String
    /// Path and query, as sent.
    public var target: String
    public var headers: [(name: String, value: String)]
    public var body: [UInt8]
    /// Counts connections from 1.
    public var connection: Int

    public func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name.lowercased() }?.value }
  }

  private struct State {
    var requests: [Request] = []
    var accepted = 0
    var open: Set<Int32> = []
    var threads = 0
    var stopped = false
  }
  private let state = Mutex(State())
  private let listener: Int32
  /// Signalled by the last thread, which is the listener's or one that it started.
  private let allEnded = DispatchSemaphore(value: 0)
  public let port: Int

  public var requests: [Request] { state.withLock { $0.requests } }
  /// Connections accepted so far.
  public var accepted: Int { state.withLock { $0.accepted } }
  /// Connections that are open now.
  public var open: Int { state.withLock { $0.open.count } }
  public var url: String { "http://127.0.0.1:\(port)" }

  /// Listens at once. The script is called for every request, from several threads.
  public init(_ script: @escaping @Sendable (Request) -> [Step]) throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 128) == 0 && getsockname(listener, $0, &length) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    guard bound else { throw POSIXError(.init(rawValue: errno) ?? .EADDRINUSE) }
    state.withLock { $0.threads = 1 }
    Thread.detachNewThread { [self] in
      defer { ended() }
      accept(script)
    }
  }

  /// Closes everything and waits until the threads have ended.
  public func stop() {
    state.withLock { state in
      guard !state.stopped else { return }
      state.stopped = true
      shutdown(listener, Int32(SHUT_RDWR))
      for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
    }
    _ = allEnded.wait(timeout: .now() + 30)
    // For a second call.
    allEnded.signal()
  }

  private func ended() {
    let left = state.withLock { state in
      state.threads -= 1
      return state.threads
    }
    if left == 0 { allEnded.signal() }
  }

  private func accept(_ script: @escaping @Sendable (Request) -> [Step]) {
    defer { close(listener) }
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      guard descriptor >= 0 else { return }
      var one: Int32 = 1
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
      let number: Int? = state.withLock { state in
        guard !state.stopped else { return nil }
        state.accepted += 1
        state.threads += 1
        state.open.insert(descriptor)
        return state.accepted
      }
      guard let number else {
        close(descriptor)
        return
      }
      Thread.detachNewThread { [self] in
        defer { ended() }
        var connection = ScriptedConnection(descriptor: descriptor, number: number)
        while let request = connection.next() {
          state.withLock { $0.requests.append(request) }
          guard connection.perform(script(request)) else { break }
        }
        _ = state.withLock { $0.open.remove(descriptor) }
        close(descriptor)
      }
    }
  }
}

extension ScriptedServer.Step {
  /// A whole, correct answer.
  public static func answer(status: Int = 200, headers: [(String, String)] = [], _ body: [UInt8]) -> ScriptedServer.Step {
    .send(head(status, headers: headers + [("Content-Length", "\(body.count)")]) + body)
  }

  public static func answer(status: Int = 200, headers: [(String, String)] = [], _ body: String) -> ScriptedServer.Step {
    answer(status: status, headers: headers, Array(body.utf8))
  }

  /// The bytes of a status line and headers, with the empty line.
  public static func head(_ status: Int = 200, headers: [(String, String)] = []) -> [UInt8] {
    Array(("HTTP/1.1 \(status) Scripted\r\n" + headers.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n").utf8)
  }
}
