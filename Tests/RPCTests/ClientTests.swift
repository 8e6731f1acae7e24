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
        if case .refused(let error) = error as? RPCClientError { error.code == -32601 } else { false }
      }
    }
  }

  @Test("A connection that the server refuses says so to the first call, and is closed for the next, which may try another")
  func refusedConnection() async throws {
    var options = ServerOptions()
    (options.connectionsPerUser, options.uncountedUsers) = (1, [])
    try await Service(Script(), options).whileRunning { service in
      let first = try Client(connectingTo: service.path)
      _ = try await first.call("echo", params: Array("{}".utf8))
      let second = try Client(connectingTo: service.path)
      await #expect {
        try await second.call("echo", params: Array("{}".utf8))
      } throws: { error in
        if case .refused(let error) = error as? RPCClientError { error.code == -32008 } else { false }
      }
      // The end of the connection comes a moment after what was said last.
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
      for await notification in client.notifications.prefix(3) { numbers.append(try notification.tree()?["n"]?.integer) }
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
      try await waitUntil { second.read(into: &buffer) != .later }
      _ = second.send(Array("{\"jsonrpc\":\"2.0\",\"id\":1 \"result\":1}\n".utf8).span)
    }
    await #expect(throws: RPCClientError.closed) { try await client.call("echo", seconds: 3_600) }
  }

  @Test("Nobody at the other end is said so")
  func unreachable() {
    #expect {
      try Client(connectingTo: "/nonexistent/socket")
    } throws: { error in
      (error as? RPCClientError)?.description == "cannot connect to /nonexistent/socket: No such file or directory"
    }
  }
}
