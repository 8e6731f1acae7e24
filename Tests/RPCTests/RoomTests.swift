import Glibc
import Linux
import PlacesKit
import PlacesTesting
import Testing

@testable import RPC

/// The limits of one client's and one user's share of the daemon.
@Suite("Limits of one user's share")
struct RoomTests {
  private static let never = #"{"jsonrpc":"2.0","id":1,"method":"never"}"#
  private static let hook = #"{"jsonrpc":"2.0","method":"hook"}"#

  /// The other end of a connection.
  private final class Client: Sendable {
    let descriptor: FileDescriptor
    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }

  /// A loop that no thread runs.
  private static func loop(_ options: ServerOptions = ServerOptions(), time: @escaping () -> Double = { 0 }) throws -> ServerLoop {
    ServerLoop(
      loop: try EventLoop(name: "never started"), handler: Script(), options: options, log: Log(level: .error, write: { _ in }), time: time)
  }

  /// A connection whose loop has no thread, so that the test can run it.
  private static func connection() throws -> (Connection, Client) {
    let pair = try FileDescriptor.pair()
    let client = Client(FileDescriptor(owning: dup(pair.second.number)))
    _ = fcntl(client.descriptor.number, F_SETFL, O_NONBLOCK)
    let loop = ServerLoop(
      loop: try EventLoop(name: "never started"), handler: Script(), options: ServerOptions(), log: Log(level: .error, write: { _ in }))
    let socket = FileDescriptor(owning: dup(pair.first.number))
    #expect(loop.admit(socket, number: 1, caller: Peer(user: 1, group: 1)) == nil)
    return (try #require(loop.userState(of: 1).connections[1]), client)
  }

  @Test("If a client always leaves something unread, the server stores only that")
  func trimmed() throws {
    let (connection, client) = try RoomTests.connection()
    let reply = [UInt8](repeating: UInt8(ascii: "1"), count: 100_000)
    var buffer = [UInt8](repeating: 0, count: 100_100)
    for round in 0..<200 {
      connection.queueOutput { connection.queueMessage(reply) }
      connection.serverLoop.ready([])
      guard round >= 9, connection.isOpen else { continue }
      var missing = reply.count + 1
      // The size of the kernel's buffer is unknown, so the server sends after each read what fits now.
      for _ in 0..<1_000 where missing > 0 {
        if case .bytes(let count) = client.descriptor.read(into: &buffer) { missing -= count }
        connection.queueOutput {}
        connection.serverLoop.ready([])
      }
      #expect(missing <= 0)
    }
    #expect(connection.isOpen)
    #expect(!connection.output.isEmpty)
    #expect(connection.output.count < 2_500_000)
    connection.close()
  }

  @Test("A connection that has waited for a turn is freed when it closes", arguments: [false, true])
  func freed(closesWhileWaiting: Bool) throws {
    weak var freed: Connection?
    try {
      let (connection, client) = try RoomTests.connection()
      freed = connection
      let flood = Array(String(repeating: "1\n", count: 100).utf8)
      connection.received(flood.span)
      #expect(connection.userState.hasWaitingConnections)
      for _ in 0..<4 where !closesWhileWaiting { connection.serverLoop.ready([]) }
      #expect(connection.userState.hasWaitingConnections == closesWhileWaiting)
      connection.close()
      connection.serverLoop.ready([])
      _ = client
    }()
    #expect(freed == nil)
  }

  @Test("Sent bytes are removed once they are more than half, and unsent bytes are kept", arguments: [(0, 10), (5, 10), (6, 4), (10, 0)])
  func lettingGo(sent: Int, left: Int) {
    let bytes = (0..<10).map(UInt8.init)
    var (kept, position) = (bytes, sent)
    kept.removeSent(&position)
    #expect(kept.count == left)
    #expect(kept[position...] == bytes[sent...])
  }

  @Test("Bytes that were sent take no memory")
  func givingBack() {
    var (kept, position) = ([UInt8](repeating: 1, count: 1 << 20), (1 << 20) - 100)
    kept.removeSent(&position)
    #expect(kept.count == 100)
    #expect(kept.capacity < 1_000)
  }

  @Test("One user's requests leave room for another's, no matter how many connections the first opens")
  func share() async throws {
    var options = ServerOptions()
    options.inFlight = 16
    options.unlimitedUsers = []
    try await Service(Script(), options).whileRunning { service in
      let sockets = try (0..<3).map { _ in try RawSocket(service.path) }
      for socket in sockets.dropLast() { socket.send(RoomTests.never) }
      try await waitUntil { service.server.inFlight >= 2 }
      sockets[2].send(WireCase.echo("{}", id: "2"))
      #expect(WireCase.summary(await sockets[2].lines(1)[0]) == "2!-32008")
      sockets[0].close()
      try await waitUntil { service.server.inFlight <= 1 }
      sockets[2].send(WireCase.echo("{}", id: "3"))
      #expect(WireCase.summary(await sockets[2].lines(2)[1]) == "3={}")
    }
  }

  @Test("Each user has a share of the requests in flight, and all users together never exceed the limit")
  func shares() throws {
    var options = ServerOptions()
    options.inFlight = 16
    let loop = try RoomTests.loop(options)
    func start(_ user: UInt32, _ serial: UInt64) {
      let context = RequestContext(caller: Peer(user: user, group: 1), connection: 1, id: RequestID(1)) { _, _ in }
      let task = RequestTask(RequestNumber(connection: UInt64(user), serial: serial), Request(method: "m"), context) { _ in }
      loop.start(task, of: loop.userState(of: user))
    }
    for serial in 1...2 { start(7, UInt64(serial)) }
    #expect(loop.refusal(of: loop.userState(of: 7))?.contains("A user may have 2") == true)
    #expect(loop.refusal(of: loop.userState(of: 8)) == nil)
    #expect(loop.refusal(of: loop.userState(of: 0)) == nil)
    for serial in 1...14 { start(0, UInt64(serial)) }
    #expect(loop.refusal(of: loop.userState(of: 0))?.contains("busy") == true)
    loop.taskEnded(RequestNumber(connection: 7, serial: 1), of: loop.userState(of: 7))
    #expect(loop.refusal(of: loop.userState(of: 7)) == nil)
    #expect(loop.gauges.inFlight.load(ordering: .relaxed) == 15)
  }

  @Test("A user for whom few bytes are held is served although other users fill the memory of all")
  func reservedBytes() throws {
    var options = ServerOptions()
    (options.heldBytesPerUser, options.heldBytes) = (16 << 20, 32 << 20)
    let loop = try RoomTests.loop(options)
    for user in 1...2 { #expect(loop.changeHeldBytes(by: 16 << 20, of: loop.userState(of: UInt32(user)))) }
    #expect(loop.changeHeldBytes(by: 60_000, of: loop.userState(of: 3)))
    #expect(!loop.changeHeldBytes(by: 60_000, of: loop.userState(of: 3)))
  }

  @Test("Unfinished requests of one user are limited over all connections, and released when they are finished or closed")
  func held() async throws {
    var options = ServerOptions()
    (options.heldBytesPerUser, options.unlimitedUsers) = (1_000_000, [])
    try await Service(Script(), options).whileRunning { service in
      let sockets = try (0..<3).map { _ in try RawSocket(service.path) }
      for (index, socket) in sockets.dropLast().enumerated() {
        socket.send("[\"" + String(repeating: "x", count: 450_000))
        try await waitUntil { service.server.heldBytes >= (index + 1) * 450_000 }
      }
      sockets[2].send("[\"" + String(repeating: "x", count: 450_000))
      #expect(await sockets[2].untilEnd() == "")
      #expect(service.log.all.count { $0.contains("unfinished requests") } == 1)
      sockets[0].send("\"]")
      #expect(await sockets[0].lines(1).count == 1)
      sockets[1].close()
      try await waitUntil { service.server.heldBytes <= 0 }
    }
  }

  @Test("Replies that an unfinished batch gathers count as held, until it is answered, or the connection is closed for exceeding the limit")
  func heldByBatches() async throws {
    var options = ServerOptions()
    (options.heldBytesPerUser, options.unlimitedUsers) = (1_000_000, [])
    try await Service(Script(), options).whileRunning { service in
      func batch(_ bytes: Int) -> String {
        #"[{"jsonrpc":"2.0","id":1,"method":"size","params":{"bytes":\#(bytes)}},{"jsonrpc":"2.0","id":2,"method":"never"}]"#
      }
      let (first, second) = (try RawSocket(service.path), try RawSocket(service.path))
      first.send(batch(600_000))
      try await waitUntil { service.server.heldBytes >= 600_000 }
      second.send(batch(600_000))
      #expect(await second.untilEnd() == "")
      #expect(service.log.all.count { $0.contains("unfinished requests") } == 1)
      first.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":2}}"#)
      #expect(await first.lines(1).first?.utf8.count ?? 0 > 600_000)
      try await waitUntil { service.server.heldBytes <= 0 }
    }
  }

  @Test("A user holds no more than its share of bytes, all users together never exceed the limit, and root is not limited to a share")
  func heldShares() throws {
    var options = ServerOptions()
    (options.heldBytesPerUser, options.heldBytes, options.reservedHeldBytes) = (10, 30, 0)
    let loop = try RoomTests.loop(options)
    let (root, one, other) = (loop.userState(of: 0), loop.userState(of: 7), loop.userState(of: 8))
    #expect(loop.changeHeldBytes(by: 10, of: one) && !loop.changeHeldBytes(by: 1, of: one) && loop.changeHeldBytes(by: -1, of: one))
    #expect(loop.changeHeldBytes(by: 20, of: root) && !loop.changeHeldBytes(by: 1, of: other))
    #expect(loop.changeHeldBytes(by: -10, of: one) && loop.changeHeldBytes(by: 1, of: other))
    #expect(loop.gauges.heldBytes.load(ordering: .relaxed) == 22)
  }

  @Test("Notifications that are being handled count against the limit of requests")
  func notifications() async throws {
    var options = ServerOptions()
    options.limits.inFlight = 2
    let go = ServerTests.Flag()
    let script = Script(hook: { _ in
      await go.wait()
      return .value(.null)
    })
    try await Service(script, options).whileRunning { service in
      let socket = try RawSocket(service.path)
      socket.send(RoomTests.hook + RoomTests.hook + RoomTests.hook + WireCase.echo("{}", id: "2"))
      #expect(WireCase.summary(await socket.lines(1)[0]) == "2!-32008")
      // The third found no room and was dropped.
      #expect(service.server.inFlight == 2)
      go.raise()
      try await waitUntil { service.server.inFlight <= 1 }
      socket.send(WireCase.echo("{}", id: "3"))
      #expect(WireCase.summary(await socket.lines(2)[1]) == "3={}")
      go.raise()
    }
  }

  @Test("A request that begins in the packet that ends another one gets its full time limit")
  func clock() throws {
    let (connection, _) = try RoomTests.connection()
    let text = WireCase.echo("{}")
    var timers: [TimerQueue.ID?] = []
    for part in [text.prefix(9), text.dropFirst(9).prefix(9), text.dropFirst(18) + text.prefix(9), text.dropFirst(9)] {
      connection.received(Array(part.utf8).span)
      connection.serverLoop.ready([])
      timers.append(connection.unfinishedRequest?.timer)
    }
    #expect(timers[0] != nil)
    #expect(timers[1] == timers[0])
    #expect(timers[2] != nil && timers[2] != timers[0])
    #expect(timers[3] == nil)
    connection.close()
  }

  @Test("A request that waits until its client reads earlier replies does not time out")
  func clockWhileUnread() throws {
    let (connection, client) = try RoomTests.connection()
    let text = WireCase.echo("{}")
    connection.received(Array(text.utf8.prefix(9)).span)
    #expect(connection.unfinishedRequest != nil)
    connection.queueOutput { connection.queueMessage([UInt8](repeating: UInt8(ascii: "1"), count: 4 << 20)) }
    connection.received(Array(text.utf8.dropFirst(9)).span)
    #expect(connection.isOpen && connection.inFlight.isEmpty)
    #expect(connection.unfinishedRequest == nil)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while !connection.output.isEmpty {
      _ = client.descriptor.read(into: &buffer)
      connection.queueOutput {}
      connection.serverLoop.ready([])
    }
    connection.takeTurn()
    #expect(connection.inFlight.count == 1)
    connection.close()
  }

  @Test("A drain ends as soon as a client that reads slowly has read its reply", .timeLimit(.minutes(1)))
  func drainAfterFlush() async throws {
    try await Service().whileRunning { service in
      let slow = try FileDescriptor.connect(to: service.path)
      let other = try RawSocket(service.path)
      other.send(WireCase.echo("{}"))
      _ = await other.lines(1)
      _ = slow.send(Array(#"{"jsonrpc":"2.0","id":1,"method":"size","params":{"bytes":3000000}}"#.utf8).span)
      var buffer = [UInt8](repeating: 0, count: 1)
      try await waitUntil { slow.read(into: &buffer) != .wouldBlock }
      try await waitUntil { service.server.inFlight <= 0 }
      service.server.drain(within: 3_600)
      // Another client is refused once the loop has begun the drain and found the reply unread.
      other.send(WireCase.echo("{}"))
      _ = await other.lines(2)
      buffer = [UInt8](repeating: 0, count: 1 << 16)
      var isOpen = true
      while isOpen {
        switch slow.read(into: &buffer) {
        case .wouldBlock: try await waitUntilReadable(slow)
        case .bytes: break
        case .end, .failed: isOpen = false
        }
      }
    }
  }
}
