import Foundation
import Glibc
import JSON
import Synchronization
import Testing

/// Answers each request with `{}`, on a thread for each connection.
final class ScriptedDaemon: Sendable {
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
