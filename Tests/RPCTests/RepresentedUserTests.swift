import Glibc
import Linux
import PlacesKit
import Testing

@testable import RPC

@Suite("$/onBehalfOf")
struct RepresentedUserTests {
  private static let asks = #"{"jsonrpc":"2.0","id":2,"method":"hook"}"#

  private static func becomes(_ user: String) -> String { #"{"jsonrpc":"2.0","id":1,"method":"$/onBehalfOf","params":{"user":\#(user)}}"# }

  /// A handler that answers with its caller.
  private static func script(gatewayUser: UInt32?) -> Script {
    Script(gatewayUser: gatewayUser) { .result(Array("\"\($0.caller.user) \($0.caller.isRepresented)\"".utf8)) }
  }

  private func replies(to lines: [String], gatewayUser: UInt32?) async throws -> [String] {
    let received = Lines()
    try await Service(RepresentedUserTests.script(gatewayUser: gatewayUser)).whileRunning { service in
      received.append(try await service.exchange(Array((lines.joined(separator: "\n") + "\n").utf8)))
    }
    return received.all.flatMap { $0.split(separator: "\n").map(String.init) }
  }

  @Test("makes the later requests of the connection those of the user")
  func represents() async throws {
    #expect(
      try await replies(to: [RepresentedUserTests.becomes("1234"), RepresentedUserTests.asks], gatewayUser: geteuid()) == [
        #"{"jsonrpc":"2.0","id":1,"result":{}}"#, #"{"jsonrpc":"2.0","id":2,"result":"1234 true"}"#,
      ])
  }

  @Test("has turns: while several users are active, requests beyond a turn are answered without any further input")
  func turns() async throws {
    // Cached replies need no task, whose end would let the loop continue.
    let script = Script(known: ["known ": "\"x\""], gatewayUser: geteuid())
    let requests = (2...400).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"known"}"# }
    try await Service(script).whileRunning { service in
      let text = ([RepresentedUserTests.becomes("1234")] + requests).joined(separator: "\n") + "\n"
      let replies = try await service.exchange(Array(text.utf8))
      #expect(replies.split(separator: "\n").count == 400)
    }
  }

  @Test("is refused to every other user, and to a user that is represented")
  func refused() async throws {
    let own = #"{"jsonrpc":"2.0","id":2,"result":"\#(geteuid()) false"}"#
    for gatewayUser in [nil, geteuid() + 1] {
      let replies = try await replies(to: [RepresentedUserTests.becomes("1234"), RepresentedUserTests.asks], gatewayUser: gatewayUser)
      #expect(replies.count == 2 && replies[0].contains("permission_denied") && replies[1] == own)
    }
    let twice = try await replies(
      to: [RepresentedUserTests.becomes("1234"), RepresentedUserTests.becomes("1235"), RepresentedUserTests.asks], gatewayUser: geteuid())
    #expect(twice.count == 3 && twice[1].contains("permission_denied") && twice[2].contains("1234 true"))
  }

  @Test(
    "is refused if it names no user, is in a batch, or is not the first request",
    arguments: [
      ([becomes("-1")], "invalid_params"), ([becomes("4294967295")], "invalid_params"), ([becomes("\"root\"")], "invalid_params"),
      (["[\(becomes("1234"))]"], "invalid_request"), ([asks, becomes("1234")], "invalid_request"),
    ])
  func wrong(_ lines: [String], _ name: String) async throws {
    let replies = try await replies(to: lines + [#"{"jsonrpc":"2.0","id":3,"method":"hook"}"#], gatewayUser: geteuid())
    #expect(replies.contains { $0.contains(name) })
    #expect(replies.contains(#"{"jsonrpc":"2.0","id":3,"result":"\#(geteuid()) false"}"#))
  }

  @Test("counts the connection as the user's")
  func counted() throws {
    var options = ServerOptions()
    options.connectionsPerUser = 2
    options.unlimitedUsers = []
    let loop = ServerLoop(
      loop: try EventLoop(name: "never started"), handler: RepresentedUserTests.script(gatewayUser: 1), options: options,
      log: Log(level: .error, write: { _ in }))
    var clients: [Int32] = []
    defer { for client in clients { close(client) } }
    func connect(_ number: UInt64) throws -> Connection {
      let pair = try FileDescriptor.pair()
      clients.append(dup(pair.second.number))
      #expect(loop.admit(FileDescriptor(owning: dup(pair.first.number)), number: number, caller: Peer(user: 1, group: 1)) == nil)
      return try #require(loop.userState(of: 1).connections[number])
    }
    // Each leaves the gateway's own share, so that its limit does not bound the users of the machine.
    let first = try connect(1)
    #expect(loop.assign(first, to: 7) == nil)
    let second = try connect(2)
    #expect(loop.assign(second, to: 7) == nil)
    let third = try connect(3)
    #expect(loop.assign(third, to: 7)?.message.contains("2 connections") == true)
    #expect(loop.assign(third, to: 8) == nil)
    #expect(loop.userState(of: 7).connections.count == 2)
    #expect(loop.userState(of: 8).connections.count == 1)
    #expect(loop.userState(of: 1).connections.isEmpty)
    first.close()
    #expect(loop.userState(of: 7).connections.count == 1)
    #expect(loop.assign(first, to: 9)?.message == "The connection is closed.")
    #expect(loop.userState(of: 9).connections.isEmpty)
    second.close()
    third.close()
  }
}
