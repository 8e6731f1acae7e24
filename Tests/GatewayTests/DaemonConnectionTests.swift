import EmulatedAPIs
import Linux
import PlacesTesting
import Testing

@testable import places_gateway

/// A connection to a daemon that is replaced by another one.
@Suite("The gateway's connection to the daemon", .timeLimit(.minutes(1)))
struct DaemonConnectionTests {
  @Test(
    "makes the first call after a restart of the daemon on a new connection, also for a user, and also one that may not be made twice",
    arguments: [nil, UInt32(1_000)])
  func restart(user: UInt32?) async throws {
    let folder = try TemporaryFolder()
    let loop = try EventLoop(name: "test-gateway")
    try loop.start()
    defer { loop.stop() }
    let connection = DaemonConnection(loop, paths: [folder.file("s")], onBehalfOf: user)
    for _ in 0..<3 {
      let daemon = try ScriptedDaemon(folder.file("s"))
      let reply = await reply(to: "places.select", on: connection, loop)
      guard case .result = reply else {
        Issue.record("\(reply)")
        return
      }
      #expect(daemon.methods == (user == nil ? [] : ["$/onBehalfOf"]) + ["places.select"])
      daemon.stop()
      // The loop sees the end before the next call: in each round, descriptors come before what was enqueued.
      for _ in 0..<2 { await withCheckedContinuation { continuation in loop.enqueue { continuation.resume() } } }
    }
  }

  @Test("ends the calls of a user whom the daemon neither accepts nor refuses")
  func silence() async throws {
    let folder = try TemporaryFolder()
    let loop = try EventLoop(name: "test-gateway")
    try loop.start()
    defer { loop.stop() }
    let daemon = try ScriptedDaemon(folder.file("s"), silentOn: "$/onBehalfOf")
    defer { daemon.stop() }
    let reply = await reply(to: "places.search", on: DaemonConnection(loop, paths: [folder.file("s")], onBehalfOf: 1_000), loop)
    guard case .failure = reply else {
      Issue.record("\(reply)")
      return
    }
    #expect(daemon.methods == ["$/onBehalfOf"])
  }

  private func reply(to method: String, on connection: DaemonConnection, _ loop: EventLoop) async -> DaemonReply {
    await withCheckedContinuation { continuation in
      loop.enqueue {
        connection.send(
          PendingCall(DaemonCall(method: method, params: [:]), deadline: monotonicSeconds() + 20, partial: nil) {
            continuation.resume(returning: $0)
          })
      }
    }
  }
}
