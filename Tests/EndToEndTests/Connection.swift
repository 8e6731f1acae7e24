import Glibc
import JSON
import PlacesTesting

/// A client that writes exactly the given bytes, valid or not.
final class Connection {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private let descriptor: Int32
  private var received: [UInt8] = []
  private var lastID: Int64 = 0

  init(to path: String) throws { descriptor = try Connection.open(path) }

  static func open(_ path: String) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { room in room.copyBytes(from: path.utf8.prefix(room.count - 1)) }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 }
    }
    guard connected else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw Failure(description: "cannot connect to \(path): \(reason)")
    }
    return descriptor
  }

  deinit { close(descriptor) }

  /// Sends bytes unchanged; the tests' messages fit into the socket's buffer.
  func send(_ text: String) throws {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { throw Failure(description: "cannot send: \(String(cString: strerror(errno)))") }
      bytes = bytes.dropFirst(count)
    }
  }

  /// Shuts down the sending side.
  func halfClose() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Bytes that were sent and that the daemon has not read (SIOCOUTQ, unix(7)).
  var unreadBytes: Int {
    var count: Int32 = 0
    return ioctl(descriptor, 0x5411, &count) == 0 ? Int(count) : 0
  }

  /// Whether the stream has ended and everything was read.
  var isEnded: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK)) == 0
  }

  /// Whether the daemon has closed the connection, even if not everything was read.
  var isClosed: Bool {
    var status = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&status, 1, 0) == 1 && status.revents & Int16(POLLHUP) != 0
  }

  /// The next line that the daemon sends; nil at the end of the stream.
  func line() async throws -> JSONValue? {
    let line = try await eventually("a line from the daemon", every: .microseconds(200)) { () -> [UInt8]?? in
      while true {
        if let end = received.firstIndex(of: UInt8(ascii: "\n")) {
          defer { received.removeFirst(end + 1) }
          return .some(Array(received[..<end]))
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count == 0 || (count < 0 && errno == ECONNRESET) { return .some(nil) }
        guard count > 0 else { return nil }
        received += buffer.prefix(count)
      }
    }
    return try line.map { try JSONValue(parsing: $0) }
  }

  /// The next line, which must be there.
  func reply() async throws -> JSONValue {
    guard let line = try await line() else { throw Failure(description: "the daemon closed the connection instead of answering") }
    return line
  }

  /// A request with a unique id.
  func request(_ method: String, _ params: JSONValue) -> JSONValue {
    lastID += 1
    return ["jsonrpc": "2.0", "id": .integer(lastID), "method": .string(method), "params": params]
  }

  /// Asks and waits for the whole reply, result or error.
  func call(_ method: String, _ params: JSONValue = [:]) async throws -> JSONValue {
    try send(request(method, params).text + "\n")
    let reply = try await reply()
    guard reply["id"] == .integer(lastID) else { throw Failure(description: "a reply to something else: \(reply.text)") }
    return reply
  }

  /// Asks for suggestions.
  func suggest(_ query: String, _ more: JSONObject = [:]) async throws -> JSONValue {
    var params = more
    params["query"] = .string(query)
    return try await call("places.autocomplete", .object(params))
  }
}

extension JSONValue {
  /// The rows' main texts in an autocomplete reply.
  var texts: [String] { self["result"]?["suggestions"]?.array?.compactMap { $0["text"]?["text"]?.string } ?? [] }
  /// The rows' ids in an autocomplete reply.
  var ids: [String] { self["result"]?["suggestions"]?.array?.compactMap { $0["id"]?.string } ?? [] }

  /// The report on a provider in a reply or in an error's data.
  func report(_ provider: String) -> JSONValue? {
    let reports = self["result"]?["providers"] ?? self["error"]?["data"]?["providers"]
    return reports?.array?.first { $0["provider"]?.string == provider }
  }
}
