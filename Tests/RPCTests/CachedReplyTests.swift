import PlacesTesting
import Testing

@testable import RPC

/// The script has a cached reply to `known`; the method itself does not exist, so that a task would reply with an error.
@Suite("Cached replies", .timeLimit(.minutes(1)))
struct CachedReplyTests {
  private static let script = Script(known: ["known ": "\"x\""])
  private static func known(_ id: String) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"known"}"# + "\n" }
  private static let never = #"{"jsonrpc":"2.0","id":1,"method":"never"}"# + "\n"

  @Test("A request in two parts, split at any byte, receives its cached reply")
  func parted() async throws {
    try await Service(CachedReplyTests.script).whileRunning { service in
      let socket = try RawSocket(service.path)
      let text = Array(CachedReplyTests.known("7").utf8)
      // The last byte ends the line, and the request ends before it.
      for split in 1..<text.count - 1 {
        socket.send(Array(text[..<split]))
        try await waitUntil { service.server.heldBytes == split }
        socket.send(Array(text[split...]))
        #expect(await socket.lines(split).last.map(WireCase.summary) == "7=\"x\"", "\(split)")
        try await waitUntil { service.server.heldBytes == 0 }
      }
    }
  }

  @Test("Many requests in a row get their cached replies, wherever the pieces end in which they arrive")
  func pipelined() async throws {
    try await Service(CachedReplyTests.script).whileRunning { service in
      let socket = try RawSocket(service.path)
      let ids = (1...2_000).map { "\($0)" }
      socket.send(ids.map(CachedReplyTests.known).joined())
      #expect(await socket.lines(ids.count).map(WireCase.summary) == ids.map { $0 + "=\"x\"" })
    }
  }

  @Test("A cached reply is not delayed by a request in flight, unless that has the same id")
  func besideOthers() async throws {
    try await Service(CachedReplyTests.script).whileRunning { service in
      let socket = try RawSocket(service.path)
      socket.send(CachedReplyTests.never)
      try await waitUntil { service.server.inFlight != 0 }
      socket.send(
        CachedReplyTests.known("2") + CachedReplyTests.known("1") + CachedReplyTests.known("1.0") + CachedReplyTests.known("\"1\""))
      #expect(await socket.lines(4).map(WireCase.summary) == ["2=\"x\"", "1!-32600", "1.0!-32600", "\"1\"=\"x\""])
    }
  }

  @Test("A connection that has as many in flight as it may is refused cached replies, too")
  func full() async throws {
    var options = ServerOptions()
    options.limits.inFlight = 1
    try await Service(CachedReplyTests.script, options).whileRunning { service in
      let socket = try RawSocket(service.path)
      socket.send(CachedReplyTests.never)
      try await waitUntil { service.server.inFlight != 0 }
      socket.send(CachedReplyTests.known("2"))
      #expect(await socket.lines(1).map(WireCase.summary) == ["2!-32008"])
    }
  }
}
