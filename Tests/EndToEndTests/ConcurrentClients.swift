import Foundation
import JSON
import PlacesKit
import PlacesTesting
import Synchronization

/// Many clients at once, each with its own connection and thread, so that only the daemon determines how long a reply takes.
struct ConcurrentClients {
  /// The reply that one client received to one request.
  struct Exchange: Sendable {
    var id: Int64
    /// Nil where the connection ended first.
    var reply: [UInt8]?
    /// From the request's last byte to the reply's.
    var seconds: Double
  }

  /// The daemon's socket.
  var path: String
  var clients: Int
  /// The total number of requests, distributed evenly over the clients.
  var requests: Int
  /// Seconds between the first requests of one client and the next: people do not begin together.
  var stagger = 0.0

  /// Sends all requests, one at a time and client; a reply that does not come within `patience` seconds is lost.
  func run(patience: Double, _ request: @escaping @Sendable (Int64) -> JSONValue) async throws -> [Exchange] {
    let exchanges = Mutex<[Exchange]>([])
    let left = Mutex(clients)
    let connections = try (0..<clients).map { _ in try Connection.open(path) }
    for (number, descriptor) in connections.enumerated() {
      Thread.detachNewThread {
        // Each client sends at its own pace, to generate load.
        poll(nil, 0, Int32(stagger * Double(number) * 1_000))
        var own: [Exchange] = []
        for id in stride(from: number, to: requests, by: clients) {
          own.append(ConcurrentClients.exchange(Int64(id), request(Int64(id)), descriptor, patience))
          if own.last?.reply == nil { break }
        }
        close(descriptor)
        exchanges.withLock { $0 += own }
        left.withLock { $0 -= 1 }
      }
    }
    try await eventually("the end of all clients", within: patience * Double(requests / clients + 2), every: .milliseconds(20)) {
      left.withLock { $0 } == 0 ? () : nil
    }
    return exchanges.withLock { $0 }
  }

  private static func exchange(_ id: Int64, _ request: JSONValue, _ descriptor: Int32, _ patience: Double) -> Exchange {
    let bytes = Array((request.text + "\n").utf8)
    let time = SystemTime()
    let start = time.monotonic()
    guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      return Exchange(id: id, reply: nil, seconds: 0)
    }
    var reply: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while reply.last != UInt8(ascii: "\n") {
      var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&watched, 1, Int32(patience * 1_000)) == 1 else { return Exchange(id: id, reply: nil, seconds: patience) }
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return Exchange(id: id, reply: nil, seconds: time.monotonic() - start) }
      reply += buffer.prefix(count)
    }
    return Exchange(id: id, reply: reply, seconds: time.monotonic() - start)
  }
}

extension [ConcurrentClients.Exchange] {
  /// The part-th slowest, such as 0.99 for the time that one in a hundred exceeds; 0 if there is none.
  func seconds(at part: Double) -> Double {
    let sorted = map(\.seconds).sorted()
    return sorted.isEmpty ? 0 : sorted[Swift.min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }
}
