import Glibc
import Linux
import PlacesKit
import Synchronization
import Testing

@testable import RPC

/// The limits of one user's effect on others, on a loop that the test runs step by step. `make prove` measures the same with a real daemon.
@Suite("Attacks by one user")
struct HostileUserTests {
  /// A server without its thread, and the other ends of its connections.
  private final class Setup {
    let serverLoop: ServerLoop
    let log = Lines()
    private var number: UInt64 = 0
    private var ends: [UInt64: End] = [:]

    private final class End {
      let descriptor: FileDescriptor
      init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    }

    private final class Clock { var now = 0.0 }
    private let clock = Clock()

    init(_ options: ServerOptions, _ script: Script = Script()) throws {
      let (clock, log) = (clock, log)
      serverLoop = ServerLoop(
        loop: try EventLoop(name: "never started"), handler: script, options: options, log: Log(level: .info, write: { log.append($0) }),
        time: { clock.now })
    }

    func advance(by seconds: Double) { clock.now += seconds }

    /// Nil if it is refused.
    func connect(_ user: UInt32) throws -> Connection? {
      number += 1
      let pair = try FileDescriptor.pair()
      ends[number] = End(FileDescriptor(owning: dup(pair.second.number)))
      guard serverLoop.admit(FileDescriptor(owning: dup(pair.first.number)), number: number, caller: Peer(user: user, group: user)) == nil
      else {
        return nil
      }
      return serverLoop.userState(of: user).connections[number]
    }

    /// Input of one round of the loop.
    func receive(_ connection: Connection, _ bytes: [UInt8]) {
      connection.received(bytes.span)
      endRound()
    }

    func endRound() { serverLoop.ready([]) }

    /// Everything that was sent to a connection's client so far.
    func replies(_ connection: Connection) -> [String] {
      var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
      guard let end = ends[connection.number] else { return [] }
      while case .bytes(let count) = end.descriptor.read(into: &buffer) { text += buffer[..<count] }
      return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  private static func known(_ id: Int) -> String { #"{"jsonrpc":"2.0","id":\#(id),"method":"known"}"# + "\n" }

  private static func options(_ change: (inout ServerOptions) -> Void) -> ServerOptions {
    var options = ServerOptions()
    change(&options)
    return options
  }

  @Test("A user's connections together read one budget in a round, and wait for their turns with the rest")
  func oneBudget() throws {
    let setup = try Setup(
      HostileUserTests.options { ($0.turnRequests, $0.turnBytes) = (10, 1 << 16) }, Script(known: ["known ": "\"x\""]))
    let flood = Array((0..<8).map(HostileUserTests.known).joined().utf8)
    let connections = try (0..<5).map { _ in try #require(try setup.connect(7)) }
    let other = try #require(try setup.connect(8))
    for connection in connections { connection.received(flood.span) }
    setup.receive(other, Array(HostileUserTests.known(1).utf8))
    #expect(connections.map { setup.replies($0).count } == [8, 2, 0, 0, 0])
    #expect(setup.replies(other).count == 1, "another user's request is not behind them")
  }

  @Test("While several users are active, a user has one budget in a turn, whatever the number of connections, rounds and requests")
  func turns() throws {
    let setup = try Setup(
      HostileUserTests.options { ($0.turnRequests, $0.turnBytes) = (10, 1 << 16) }, Script(known: ["known ": "\"x\""]))
    let flood = Array((0..<15).map(HostileUserTests.known).joined().utf8)
    let connections = try (0..<3).map { _ in try #require(try setup.connect(7)) }
    let other = try #require(try setup.connect(8))
    func replyCount() -> Int { connections.reduce(0) { $0 + setup.replies($1).count } }
    setup.receive(other, Array(HostileUserTests.known(1).utf8))
    setup.receive(connections[0], Array(HostileUserTests.known(2).utf8))
    #expect(replyCount() == 1)
    for connection in connections.dropLast() { setup.receive(connection, flood) }
    // Without a minimum length, each round would be another turn, also for a connection that sends its first request.
    for _ in 0..<3 { setup.endRound() }
    setup.receive(connections[2], flood)
    #expect(replyCount() == 10)
    setup.receive(other, Array(HostileUserTests.known(2).utf8))
    #expect(setup.replies(other).count == 2, "another user has a budget of its own")
    for _ in 0..<2 {
      setup.advance(by: setup.serverLoop.options.turnSeconds)
      for _ in 0..<3 { setup.endRound() }
      #expect(replyCount() == 10)
    }
    // The user is alone again.
    setup.advance(by: 1.1)
    for _ in 0..<4 { setup.endRound() }
    #expect(replyCount() == 15)
  }

  @Test("A drain refuses the requests that wait for a turn")
  func drain() throws {
    let setup = try Setup(HostileUserTests.options { $0.turnRequests = 10 }, Script(known: ["known ": "\"x\""]))
    let flood = Array((0..<25).map(HostileUserTests.known).joined().utf8)
    let (first, second) = (try #require(try setup.connect(7)), try #require(try setup.connect(8)))
    for connection in [first, second] { connection.received(flood.span) }
    setup.endRound()
    setup.serverLoop.drain(within: 30)
    for connection in [first, second] {
      let replies = setup.replies(connection)
      #expect(replies.count == 25)
      #expect(replies.last?.contains("-32009") == true)
    }
  }

  @Test("Input of two users shows for a second that several users are active")
  func severalUsers() throws {
    let setup = try Setup(ServerOptions(), Script(known: ["known ": "\"x\""]))
    let (first, second) = (try #require(try setup.connect(7)), try #require(try setup.connect(8)))
    var hasSeveralUsers: Bool { setup.serverLoop.gauges.hasSeveralUsers(at: setup.serverLoop.now) }
    let request = Array(HostileUserTests.known(1).utf8)
    setup.receive(first, request)
    #expect(!hasSeveralUsers)
    setup.receive(second, Array(request.prefix(20)))
    #expect(hasSeveralUsers)
    setup.advance(by: 1.1)
    #expect(!hasSeveralUsers)
  }

  @Test("A text of many values is processed in parts, and the connection's next request waits for its end")
  func largeText() throws {
    let setup = try Setup(HostileUserTests.options { $0.turnBytes = 1_000 })
    let connection = try #require(try setup.connect(7))
    let text = #"{"jsonrpc":"2.0","id":1,"method":"none","params":{"a":["# + (0..<5_000).map { _ in "[0]" }.joined(separator: ",") + "]}}"
    setup.receive(connection, Array((text + HostileUserTests.known(2)).utf8))
    #expect(connection.inFlight.isEmpty)
    // A turn processes 1,000 of the 20,000 bytes.
    setup.endRound()
    #expect(connection.inFlight.isEmpty)
    #expect(setup.replies(connection).isEmpty)
  }

  @Test("Of large texts that end at the same moment, one is read in a turn, and other requests do not wait for them")
  func largeEnds() throws {
    let setup = try Setup(
      HostileUserTests.options { ($0.turnBytes, $0.turnLargeMessageBytes) = (1_000, 1_000) }, Script(known: ["known ": "\"x\""]))
    let connections = try [UInt32](arrayLiteral: 7, 7, 8, 9).map { try #require(try setup.connect($0)) }
    let other = try #require(try setup.connect(10))
    let text = Array(#"{"jsonrpc":"2.0","id":1,"method":"never","params":["\#(String(repeating: "x", count: 3_000))"]}"#.utf8)
    func passTurn() {
      setup.advance(by: setup.serverLoop.options.turnSeconds)
      setup.endRound()
    }
    for connection in connections { connection.received(Array(text.dropLast()).span) }
    for _ in 0..<20 { passTurn() }
    for connection in connections { connection.received([UInt8(ascii: "}")].span) }
    setup.receive(other, Array(HostileUserTests.known(1).utf8))
    #expect(setup.replies(other).count == 1)
    var startedCounts = [connections.count { !$0.inFlight.isEmpty }]
    for _ in 0..<20 {
      passTurn()
      startedCounts.append(connections.count { !$0.inFlight.isEmpty })
    }
    #expect(zip(startedCounts, startedCounts.dropFirst()).allSatisfy { $1 - $0 <= 1 }, "\(startedCounts)")
    #expect(startedCounts.first == 1 && startedCounts.last == 4)
  }

  @Test("Output counts as held while it is in memory, also what was sent of it")
  func output() throws {
    let setup = try Setup(
      HostileUserTests.options { $0.turnRequests = .max }, Script(known: ["known ": "\"\(String(repeating: "x", count: 100_000))\""]))
    let connection = try #require(try setup.connect(7))
    // The kernel holds some replies, and the connection several times as many.
    while connection.output.count < 1_000_000 { setup.receive(connection, Array(HostileUserTests.known(1).utf8)) }
    _ = setup.replies(connection)
    setup.endRound()
    connection.ready(.writable)
    setup.endRound()
    #expect(connection.sentBytes > 0)
    #expect(setup.serverLoop.gauges.heldBytes.load(ordering: .relaxed) == connection.output.count)
  }

  @Test("Parameters of requests in flight count as held, until their tasks end")
  func parameters() throws {
    let setup = try Setup(HostileUserTests.options { ($0.heldBytesPerUser, $0.turnBytes) = (100_000, 1 << 20) })
    let connection = try #require(try setup.connect(7))
    func request(_ id: Int) -> [UInt8] {
      Array(#"{"jsonrpc":"2.0","id":\#(id),"method":"never","params":["\#(String(repeating: "x", count: 40_000))"]}"#.utf8)
    }
    for id in 1...2 { setup.receive(connection, request(id)) }
    #expect(setup.serverLoop.gauges.heldBytes.load(ordering: .relaxed) > 80_000)
    #expect(connection.isOpen)
    setup.receive(connection, request(3))
    #expect(!connection.isOpen)
    #expect(setup.serverLoop.gauges.heldBytes.load(ordering: .relaxed) > 120_000, "the tasks have not ended")
  }

  @Test(
    "When connections are scarce, the user with the most loses the one that is idle longest, and a reserve is left for privileged callers")
  func scarce() throws {
    let setup = try Setup(
      HostileUserTests.options { ($0.connections, $0.connectionsPerUser, $0.reservedConnections) = (40, 30, 4) })
    let greedy = try (0..<30).map { _ in try #require(try setup.connect(7)) }
    let request = Array(#"{"jsonrpc":"2.0","id":1,"method":"never"}"#.utf8)
    // The oldest connection has a request in flight, so that the next one is idle longest.
    setup.receive(greedy[0], request)
    let modest = try (0..<5).map { _ in try #require(try setup.connect(8)) }
    let first = try #require(try setup.connect(9))
    #expect(greedy.count { $0.isOpen } == 30)
    let second = try #require(try setup.connect(9))
    #expect(greedy.filter { !$0.isOpen }.map(\.number) == [greedy[1].number])
    #expect(modest.count { $0.isOpen } == 5 && first.isOpen && second.isOpen)
    for _ in 0..<4 {
      let root = try setup.connect(0)
      #expect(root != nil, "root has a reserve")
    }
    #expect(greedy.count { $0.isOpen } == 29)
    // Connections with requests in flight are not idle.
    for connection in greedy.dropFirst() where connection.isOpen { setup.receive(connection, request) }
    let next = try setup.connect(10)
    #expect(next != nil, "in the place of the next user's")
    #expect(modest.count { $0.isOpen } == 4)
    #expect(setup.log.all.count { $0.contains("closed an idle connection of user 7") } == 1)
  }

  @Test("When connections are scarce, the user with the most idle ones loses one, although others have more connections")
  func scarceIdle() throws {
    let setup = try Setup(HostileUserTests.options { ($0.connections, $0.connectionsPerUser, $0.reservedConnections) = (40, 30, 0) })
    let request = Array(#"{"jsonrpc":"2.0","id":1,"method":"never"}"#.utf8)
    for user in 0..<9 as Range<UInt32> {
      for _ in 0..<4 { setup.receive(try #require(try setup.connect(10 + user)), request) }
    }
    let idle = try (0..<3).map { _ in try #require(try setup.connect(7)) }
    #expect(try setup.connect(8) != nil && setup.connect(9) != nil)
    #expect(idle.map(\.isOpen) == [false, true, true])
  }

  @Test("When connections are scarce, one whose client does not read is closed after five seconds")
  func scarceUnread() throws {
    let setup = try Setup(HostileUserTests.options { ($0.connections, $0.connectionsPerUser, $0.reservedConnections) = (4, 4, 0) })
    let connections = try (0..<4).map { _ in try #require(try setup.connect(7)) }
    for connection in connections {
      // More error messages than the kernel's buffer has room for.
      for _ in 0..<20_000 where connection.output.isEmpty { setup.receive(connection, Array("1\n".utf8)) }
      #expect(!connection.output.isEmpty)
    }
    #expect(try setup.connect(8) == nil)
    setup.advance(by: 5.5)
    #expect(try setup.connect(8) != nil)
    #expect(connections.map(\.isOpen) == [false, true, true, true])
  }

  @Test("Descriptors that are scarce are shared like connections")
  func scarceDescriptors() throws {
    let setup = try Setup(HostileUserTests.options { $0.descriptors = 0 })
    let connection = try setup.connect(7)
    #expect(connection == nil, "nothing is idle")
    #expect(setup.log.all.isEmpty)
  }

  @Test("A user that opens connections while they are scarce displaces neither users with fewer nor its own connections")
  func greedy() throws {
    let setup = try Setup(HostileUserTests.options { ($0.connections, $0.reservedConnections) = (20, 0) })
    let (modest, first) = (try #require(try setup.connect(8)), try #require(try setup.connect(7)))
    var accepted = 1
    for _ in 0..<100 { accepted += try setup.connect(7) == nil ? 0 : 1 }
    #expect(accepted == 19 && modest.isOpen && first.isOpen)
  }

  @Test(
    "A slow request is closed after five seconds if connections are scarce, otherwise at the normal limit",
    arguments: [false, true])
  func dripping(connectionsAreScarce: Bool) throws {
    let setup = try Setup(HostileUserTests.options { ($0.connections, $0.reservedConnections) = (connectionsAreScarce ? 2 : 3, 0) })
    let (slow, working) = (try #require(try setup.connect(7)), try #require(try setup.connect(8)))
    setup.receive(slow, Array("{\"json".utf8))
    setup.receive(working, Array(#"{"jsonrpc":"2.0","id":1,"method":"never"}"#.utf8))
    setup.advance(by: 5.5)
    let newcomer = try setup.connect(9)
    #expect(newcomer != nil)
    #expect(slow.isOpen == !connectionsAreScarce)
  }

  @Test("A cancelled stream removes its timer")
  func lost() throws {
    let setup = try Setup(HostileUserTests.options { ($0.limits.requestBytes, $0.turnBytes) = (1_000, 1 << 30) })
    let connection = try #require(try setup.connect(7))
    setup.receive(connection, Array("[".utf8))
    #expect(connection.unfinishedRequest != nil)
    setup.receive(connection, [UInt8](repeating: UInt8(ascii: "["), count: 2_000))
    setup.receive(connection, [UInt8](repeating: UInt8(ascii: "["), count: 20_000))
    #expect(connection.unfinishedRequest == nil)
  }

  @Test("JSON that exceeds a limit is reported as too large, not as something else")
  func limits() throws {
    let setup = try Setup(HostileUserTests.options { $0.turnBytes = 1 << 30 })
    let connection = try #require(try setup.connect(7))
    let many = "[" + (0..<100_000).map { _ in "0" }.joined(separator: ",") + "]"
    setup.receive(connection, Array(#"{"jsonrpc":"2.0","id":5,"method":"echo","params":\#(many)}"#.utf8))
    let replies = setup.replies(connection)
    #expect(replies.map(WireCase.summary) == ["5!-32600"])
    #expect(replies.first?.contains("too many members") == true)
    let members = (0..<200).map { "\"a\($0)\":1e\($0)" }.joined(separator: ",\n")
    setup.receive(connection, Array("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"never\",\"params\":{\n\(members)}}\n".utf8))
    #expect(connection.inFlight.count == 1)
  }

  @Test("An accept loop that pauses sets one timer, and accepts nothing until then", .timeLimit(.minutes(1)))
  func acceptorPause() throws {
    let setup = try Setup(ServerOptions())
    let pair = try FileDescriptor.pair()
    // A socket that is not listening: every accept fails with EINVAL.
    let acceptor = Acceptor(ListeningSocket(unchecked: pair.first), serverLoop: setup.serverLoop, log: setup.serverLoop.log)
    try acceptor.begin()
    acceptor.ready(.readable)
    let end = try #require(acceptor.pauseTimer)
    acceptor.ready(.readable)
    #expect(acceptor.pauseTimer == end)
    #expect(setup.log.all.count { $0.contains("paused accepting connections") } == 1)
  }
}
