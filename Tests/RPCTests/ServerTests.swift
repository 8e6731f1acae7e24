import Foundation
import Glibc
import Linux
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import RPC

@Suite("The server and its clients")
struct ServerTests {
  /// A signal that a test waits for.
  final class Flag: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    init() { (stream, continuation) = AsyncStream.makeStream(of: Void.self) }
    func raise() { continuation.yield() }
    func wait() async { for await _ in stream { return } }
  }

  /// A handler whose `hook` waits until it is cancelled.
  static func waiting(_ began: Flag, _ cancelled: Flag) -> Script {
    Script(hook: { _ in
      began.raise()
      await waitForCancellation()
      cancelled.raise()
      return .error(.cancelled)
    })
  }

  static let hook = #"{"jsonrpc":"2.0","id":1,"method":"hook"}"# + "\n"

  @Test("A client that disconnects cancels its requests")
  func hangUp() async throws {
    let (began, cancelled) = (Flag(), Flag())
    try await Service(ServerTests.waiting(began, cancelled)).whileRunning { service in
      let socket = try RawSocket(service.path)
      socket.send(ServerTests.hook)
      await began.wait()
      socket.close()
      await cancelled.wait()
    }
  }

  @Test("Each line that cannot be a request is answered while its sender waits, and the connection continues")
  func damagedLines() async throws {
    try await Service(Script()).whileRunning { service in
      let socket = try RawSocket(service.path)
      for (count, line) in ["{garbage", "hello", "[1,]", "{\"jsonrpc\":2.0.0", WireCase.echo("7", id: "5")].enumerated() {
        socket.send(line + "\n")
        _ = await socket.lines(count + 1)
      }
      let replies = await socket.lines(5)
      #expect(replies.map(WireCase.summary) == ["null!-32700", "null!-32700", "null!-32700", "null!-32700", "5!-32600"])
      #expect(replies.first?.contains("unexpected character at byte 1") == true)
    }
  }

  @Test("A request after a line that is reported as too long before its end is answered")
  func requestAfterLongLine() async throws {
    var options = ServerOptions()
    (options.limits.requestBytes, options.turnBytes) = (1_000, 1_500)
    try await Service(Script(), options).whileRunning { service in
      let socket = try RawSocket(service.path)
      socket.send(String(repeating: "x", count: 1_500) + "\n")
      _ = await socket.lines(1)
      socket.send(WireCase.echo("7", id: "5"))
      socket.finishSending()
      #expect(await socket.lines(2).map(WireCase.summary) == ["null!-32600", "5!-32600"])
    }
  }

  @Test("A drain that is requested before the loops have started ends the server", .timeLimit(.minutes(1)))
  func earlyDrain() async throws {
    let folder = try TemporaryFolder()
    let server = try Server(log: Log(write: { _ in }), handler: Script())
    let socket = try ListeningSocket(path: folder.file("s"))
    server.drain(within: 1)
    try await server.run(on: socket)
  }

  @Test("A socket that cannot be watched ends the server with the reason", .timeLimit(.minutes(1)))
  func unwatchable() async throws {
    let folder = try TemporaryFolder()
    let socket = try ListeningSocket(path: folder.file("s"))
    // Files are always ready, and epoll(7) refuses them.
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    #expect(dup2(file, socket.descriptor.number) == socket.descriptor.number)
    close(file)
    let server = try Server(log: Log(write: { _ in }), handler: Script())
    do throws(SystemError) {
      try await server.run(on: socket)
      Issue.record("it serves nobody, and does not say so")
    } catch { #expect(error.code == EPERM, "\(error)") }
  }

  @Test("A client that half-closes gets its reply, and then the end")
  func halfClose() async throws {
    let (began, go) = (Flag(), Flag())
    let script = Script(hook: { _ in
      began.raise()
      await go.wait()
      return .value("done")
    })
    try await Service(script).whileRunning { service in
      let socket = try RawSocket(service.path)
      socket.send(ServerTests.hook)
      socket.finishSending()
      await began.wait()
      #expect(!socket.isEnded)
      go.raise()
      #expect(await socket.untilEnd() == #"{"jsonrpc":"2.0","id":1,"result":"done"}"# + "\n")
    }
  }

  @Test("A notification is handled even if its client has disconnected")
  func fireAndForget() async throws {
    let done = Flag()
    let script = Script(hook: { _ in
      done.raise()
      return .value(nil)
    })
    try await Service(script).whileRunning { service in
      let socket = try RawSocket(service.path)
      socket.send(#"{"jsonrpc":"2.0","method":"hook"}"#)
      socket.finishSending()
      await done.wait()
      #expect(await socket.untilEnd() == "")
    }
  }

  @Test("A request that is in flight when the time to drain is over gets the error that the server ends", .timeLimit(.minutes(1)))
  func drainInTime() async throws {
    try await Service().whileRunning { service in
      let socket = try RawSocket(service.path)
      socket.send(#"{"jsonrpc":"2.0","id":7,"method":"never"}"#)
      try await waitUntil { service.server.inFlight != 0 }
      service.server.drain(within: 0.05)
      let replies = await socket.untilEnd().split(separator: "\n").map(String.init)
      #expect(replies.map(WireCase.summary) == ["7!-32009"])
    }
  }

  @Test("A notification that never ends is cancelled when the server's time to drain is over")
  func endlessNotification() async throws {
    let (began, cancelled) = (Flag(), Flag())
    try await Service(ServerTests.waiting(began, cancelled)).whileRunning { service in
      let socket = try RawSocket(service.path)
      socket.send(#"{"jsonrpc":"2.0","method":"hook"}"#)
      socket.finishSending()
      await began.wait()
      #expect(await socket.untilEnd() == "")
      service.server.drain(within: 0.05)
      await cancelled.wait()
    }
  }

  @Test("Partial answers come before the reply, and none after it")
  func notifications() async throws {
    let script = Script(hook: { context in
      for number in 1...3 { context.notify("places.partial", params: Array("{\"n\":\(number)}".utf8)) }
      return .value("end")
    })
    try await Service(script).whileRunning { service in
      let lines = try await service.exchange(Array(ServerTests.hook.utf8)).split(separator: "\n").map(String.init)
      let partials = (1...3).map { #"{"jsonrpc":"2.0","method":"places.partial","params":{"n":\#($0)}}"# }
      #expect(lines == partials + [#"{"jsonrpc":"2.0","id":1,"result":"end"}"#])
    }
  }

  @Test("A client that does not read its replies is disconnected with one line in the log, and others are served")
  func slowReader() async throws {
    var options = ServerOptions()
    options.limits.unreadBytes = 100_000
    try await Service(Script(), options).whileRunning { service in
      let socket = try RawSocket(service.path)
      let descriptor = try FileDescriptor.connect(to: service.path)
      let requests = (0..<10).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"size","params":{"bytes":400000}}"# }.joined()
      _ = descriptor.send(Array(requests.utf8).span)
      try await waitUntil { service.log.all.contains { $0.hasPrefix("<4>closed a connection of user ") && $0.contains("unread") } }
      socket.send(WireCase.echo("{}"))
      #expect(await socket.lines(1)[0].contains("result"))
      #expect(service.log.all.count { $0.contains("unread") } == 1)
    }
  }

  @Test("A client that sends requests faster than it reads replies has to wait, and receives every reply in order", .timeLimit(.minutes(1)))
  func fasterThanRead() async throws {
    var options = ServerOptions()
    (options.limits.unreadBytes, options.unlimitedUsers) = (100_000, [])
    let known = String(repeating: "1", count: 2_000)
    try await Service(Script(known: ["known ": known]), options).whileRunning { service in
      // More than both ends of the socket hold, in requests as in replies.
      let requests = (0..<30_000).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"known"}"# + "\n" }.joined()
      let descriptor = try FileDescriptor.connect(to: service.path)
      var (bytes, received, buffer) = (Array(requests.utf8), 0, [UInt8](repeating: 0, count: 1 << 16))
      let replies = (0..<30_000).reduce(0) { $0 + #"{"jsonrpc":"2.0","id":\#($1),"result":}"#.utf8.count + known.utf8.count + 1 }
      /// Sends as much as the socket accepts; false if it accepts nothing now.
      func sendSome() throws -> Bool {
        switch descriptor.send(bytes.span) {
        case .bytes(let count): bytes.removeFirst(count)
        case .wouldBlock: return false
        default: throw ConditionTimeout(description: "the connection was closed")
        }
        return true
      }
      // Until the socket accepts nothing for a while.
      while try await !remains(for: 50, { try bytes.isEmpty || !sendSome() }) {}
      #expect(!bytes.isEmpty)
      #expect(service.server.heldBytes < 250_000)
      let other = try RawSocket(service.path)
      other.send(WireCase.echo("{}"))
      #expect(await other.lines(1)[0].contains("result"))
      while received < replies {
        switch descriptor.read(into: &buffer) {
        case .bytes(let count): received += count
        case .wouldBlock: try await waitUntilReadable(descriptor)
        default:
          Issue.record("the connection was closed after \(received) bytes of \(replies)")
          return
        }
        if !bytes.isEmpty, case .bytes(let count) = descriptor.send(bytes.span) { bytes.removeFirst(count) }
      }
      #expect(received == replies && bytes.isEmpty)
    }
  }

  @Test("More connections than a user may have are refused with a reason, and one more is accepted when another is closed")
  func connectionsPerUser() async throws {
    var options = ServerOptions()
    options.connectionsPerUser = 3
    options.unlimitedUsers = []
    try await Service(Script(), options).whileRunning { service in
      var sockets = try (0..<3).map { _ in try RawSocket(service.path) }
      for socket in sockets {
        socket.send(WireCase.echo("{}"))
        _ = await socket.lines(1)
      }
      let refused = try RawSocket(service.path)
      #expect(WireCase.summary(await refused.untilEnd()) == "null!-32008")
      sockets.removeLast()
      try await waitUntil { service.server.connections <= 2 }
      #expect(try await service.exchange(Array(WireCase.echo("{}").utf8)).contains("result"))
    }
  }

  @Test("A flood of one client does not delay another client until its end")
  func fairness() async throws {
    let script = Script(known: ["known ": "\"x\""])
    try await Service(script).whileRunning { service in
      let flood = try RawSocket(service.path)
      let request = #"{"jsonrpc":"2.0","id":1,"method":"known"}"#
      flood.send(String(repeating: request, count: 2_000))
      let other = try await service.exchange(Array(WireCase.echo("{}").utf8))
      #expect(other.contains("result"))
      #expect(await flood.lines(2_000).count == 2_000)
    }
  }

  @Test("A thousand connections open and close without leaking resources")
  func storm() async throws {
    try await Service().whileRunning { service in
      for _ in 0..<20 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<50 {
            group.addTask {
              let socket = try RawSocket(service.path)
              if number % 2 == 0 { socket.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"never\"}") }
              if number % 3 == 0 { socket.send("{") }
              if number % 5 == 0 { socket.finishSending() }
              socket.close()
            }
          }
          try await group.waitForAll()
        }
      }
      try await waitUntil { !(service.server.connections > 0 || service.server.inFlight > 0) }
      #expect(try await service.exchange(Array(WireCase.echo("{}").utf8)).contains("result"))
    }
  }

  @Test("During a drain, requests in flight are answered and new ones are rejected")
  func drain() async throws {
    let (began, go) = (Flag(), Flag())
    let script = Script(hook: { _ in
      began.raise()
      await go.wait()
      return .value("done")
    })
    try await Service(script).whileRunning { service in
      let socket = try RawSocket(service.path)
      socket.send(ServerTests.hook)
      await began.wait()
      service.server.drain(within: 30)
      var refusal: [String] = []
      // The drain begins on another thread: until then, requests are served.
      repeat {
        socket.send(WireCase.echo("{}", id: "2"))
        refusal = await socket.lines(refusal.count + 1)
      } while refusal.last?.contains("-32009") == false
      go.raise()
      let text = await socket.untilEnd()
      #expect(text.hasSuffix(#"{"jsonrpc":"2.0","id":1,"result":"done"}"# + "\n"))
      #expect(throws: SystemError.self) { _ = try RawSocket(service.path) }
    }
  }

  @Test("A request that is begun and not finished in time is refused, and the connection ends")
  func unfinished() async throws {
    var options = ServerOptions()
    options.receiveTimeoutSeconds = 0.05
    try await Service(Script(), options).whileRunning { service in
      let socket = try RawSocket(service.path)
      socket.send("{\"jsonrpc\":")
      #expect(WireCase.summary(await socket.untilEnd()) == "null!-32600")
    }
  }

  @Test("The caller is the user that the kernel reports")
  func caller() async throws {
    let script = Script(hook: { context in .value(.integer(Int64(context.caller.user))) })
    try await Service(script).whileRunning { service in
      let reply = try await service.exchange(Array(ServerTests.hook.utf8))
      #expect(try JSONValue(parsing: reply)["result"]?.integer == Int(geteuid()))
    }
  }
}
