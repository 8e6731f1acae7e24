import Glibc
import Linux
import PlacesKit
import PlacesTesting
import Testing

@testable import RPC

@Suite("The client")
struct ClientTests {
  @Test("Each of many concurrent calls gets its own reply")
  func calls() async throws {
    try await Service().whileRunning { service in
      let client = try Client(connectingTo: service.path)
      try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
        for number in 0..<50 { group.addTask { (number, try await client.call("echo", params: Array("{\"n\":\(number)}".utf8))) } }
        for try await (number, result) in group { #expect(String(decoding: result, as: UTF8.self) == "{\"n\":\(number)}") }
      }
    }
  }

  @Test("An error of the server is thrown")
  func refusal() async throws {
    try await Service().whileRunning { service in
      let client = try Client(connectingTo: service.path)
      await #expect {
        try await client.call("nothing")
      } throws: { error in
        if case .serverError(let error) = error as? RPCClientError { error.code == -32601 } else { false }
      }
    }
  }

  @Test("If the server refuses a connection, the first call receives the reason, and the next may open a new connection")
  func refusedConnection() async throws {
    var options = ServerOptions()
    (options.connectionsPerUser, options.unlimitedUsers) = (1, [])
    try await Service(Script(), options).whileRunning { service in
      let first = try Client(connectingTo: service.path)
      _ = try await first.call("echo", params: Array("{}".utf8))
      let second = try Client(connectingTo: service.path)
      await #expect {
        try await second.call("echo", params: Array("{}".utf8))
      } throws: { error in
        if case .serverError(let error) = error as? RPCClientError { error.code == -32008 } else { false }
      }
      // The connection ends shortly after the last message.
      for _ in 0..<200 {
        do { _ = try await second.call("echo", params: Array("{}".utf8), seconds: 5) } catch RPCClientError.closed { return } catch {}
      }
      Issue.record("the connection stays refused")
    }
  }

  @Test("A call that takes too long is cancelled, also on the server")
  func timeLimit() async throws {
    let (began, cancelled) = (ServerTests.Flag(), ServerTests.Flag())
    try await Service(ServerTests.waiting(began, cancelled)).whileRunning { service in
      let client = try Client(connectingTo: service.path)
      await #expect(throws: RPCClientError.timedOut(0.02)) { try await client.call("hook", seconds: 0.02) }
      await cancelled.wait()
    }
  }

  @Test("A cancelled call ends, and is cancelled on the server")
  func cancellation() async throws {
    let (began, cancelled) = (ServerTests.Flag(), ServerTests.Flag())
    try await Service(ServerTests.waiting(began, cancelled)).whileRunning { service in
      let client = try Client(connectingTo: service.path)
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { await #expect(throws: RPCClientError.cancelled) { try await client.call("hook") } }
        await began.wait()
        group.cancelAll()
        try await group.waitForAll()
      }
      await cancelled.wait()
    }
  }

  @Test("Notifications of the server arrive in order")
  func notifications() async throws {
    let script = Script(hook: { context in
      for number in 1...3 { context.notify("places.partial", params: Array("{\"n\":\(number)}".utf8)) }
      return .value(nil)
    })
    try await Service(script).whileRunning { service in
      let client = try Client(connectingTo: service.path)
      _ = try await client.call("hook")
      var numbers: [Int?] = []
      for await notification in client.notifications.prefix(3) { numbers.append(try notification.decodedParams()?["n"]?.integer) }
      #expect(numbers == [1, 2, 3])
    }
  }

  @Test("When the server ends, calls fail and later ones too")
  func closed() async throws {
    let client = try await {
      let service = try Service()
      // Written once, before `whileRunning` returns.
      nonisolated(unsafe) var client: Client?
      try await service.whileRunning { service in client = try Client(connectingTo: service.path) }
      return try #require(client)
    }()
    await #expect(throws: RPCClientError.closed) { try await client.call("echo", seconds: 5) }
  }

  @Test(
    "A reply that is not JSON ends the connection: a waiting call reports that, and a later one that it is closed", .timeLimit(.minutes(1)))
  func damaged() async throws {
    let pair = try FileDescriptor.pair()
    let client = try Client(over: pair.first)
    let second = pair.second
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        await #expect(throws: RPCClientError.badReply("the reply is not JSON")) { try await client.call("echo", seconds: 3_600) }
      }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      try await waitUntil { second.read(into: &buffer) != .wouldBlock }
      _ = second.send(Array("{\"jsonrpc\":\"2.0\",\"id\":1 \"result\":1}\n".utf8).span)
    }
    await #expect(throws: RPCClientError.closed) { try await client.call("echo", seconds: 3_600) }
  }

  @Test("Replies are read correctly in any spelling and however their bytes are split")
  func pieces() {
    let replies = [
      (#"{"jsonrpc":"2.0","id":7,"result":{"a":[1,"}\n"]}}"#, #"7 {"a":[1,"}\n"]}"#), (#"{"jsonrpc":"2.0","id":12,"result":0}"#, "12 0"),
      (#"{"jsonrpc":"2.0","result":[2],"id":8}"#, "text"), (#"{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"x"}}"#, "text"),
      (#"{"jsonrpc":"2.0","id":"x","result":3}"#, "text"), (#"{"jsonrpc":"2.0","id":10, "result":4}"#, "text"),
      (#"{"jsonrpc":"2.0","id":11,"result":null}"#, "11 null"),
    ]
    let stream = Array(replies.map { $0.0 + "\n" }.joined().utf8)
    for size in 1...stream.count {
      let reader = ReplyReader(maximum: 1_000)
      var (read, texts) = ([String](), [[UInt8]]())
      for start in stride(from: 0, to: stream.count, by: size) {
        let piece = Array(stream[start..<min(start + size, stream.count)])
        let damage = reader.read(piece.span) {
          read.append("\($0) \(String(decoding: $1, as: UTF8.self))")
        } text: {
          texts.append($0)
          // The same as a plain reply, if it is one whose bytes came in pieces.
          let plain = CanonicalReply(in: ($0 + [0x0A]).span, from: 0)
          read.append(plain.map { "\($0.id) \(String(decoding: texts[texts.count - 1][$0.resultRange], as: UTF8.self))" } ?? "text")
        }
        #expect(damage == nil)
      }
      #expect(read == replies.map(\.1), "pieces of \(size) bytes")
    }
  }

  @Test("The largest reply that the daemon can be configured to send is accepted, and a longer one is reported with the limit")
  func longReplies() {
    #expect(Client.maxReplyBytes == 67_108_864, "the maximum of `reply_bytes` in placesd.toml(5)")
    let reader = ReplyReader(maximum: 1 << 20)
    let piece = Array("[\"".utf8) + [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    let problem = reader.read(piece.span, reply: { _, _ in }, text: { _ in })
    #expect(problem == "a reply is longer than 1 MiB")
  }

  @Test(
    "A line that is no plain reply is not taken for one",
    arguments: [
      #"{"jsonrpc":"2.0","id":,"result":1}"#, #"{"jsonrpc":"2.0","id":1,"result":}"#, #"{"jsonrpc":"2.0","id":-1,"result":1}"#,
      #"{"jsonrpc":"2.0","id":1234567890123456789,"result":1}"#, #"{"jsonrpc":"2.0","id":1,"result":1"#, #"{"jsonrpc":"2.0","id":1,"resul"#,
      "",
    ])
  func otherLines(_ line: String) {
    #expect(CanonicalReply(in: Array("\(line)\n".utf8).span, from: 0) == nil)
    // Not complete
    #expect(CanonicalReply(in: Array(#"{"jsonrpc":"2.0","id":1,"result":1}"#.utf8).span, from: 0) == nil)
  }

  @Test("A call without a task gets its result, and `closed` once the connection has ended")
  func started() async throws {
    let pair = try FileDescriptor.pair()
    let client = try Client(over: pair.first)
    let other = pair.second.released()
    let (outcomes, continuation) = AsyncStream.makeStream(of: Result<[UInt8], RPCClientError>.self)
    var received = outcomes.makeAsyncIterator()
    #expect(client.start("a", completion: { continuation.yield($0) }) == 1)
    #expect(write(other, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":5}\n", 36) == 36)
    #expect(await received.next() == .success([0x35]))
    client.cancel(client.start("b", completion: { continuation.yield($0) }))
    #expect(await received.next() == .failure(.cancelled))
    client.start("c") { continuation.yield($0) }
    close(other)
    #expect(await received.next() == .failure(.closed))
    client.start("d") { continuation.yield($0) }
    #expect(await received.next() == .failure(.closed))
  }

  @Test("If no server listens, the error says so")
  func unreachable() {
    #expect {
      try Client(connectingTo: "/nonexistent/socket")
    } throws: { error in
      (error as? RPCClientError)?.description == "cannot connect to /nonexistent/socket: No such file or directory"
    }
  }
}
