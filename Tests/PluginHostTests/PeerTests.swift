import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import PluginHost

/// Two sides of the protocol, joined without pipes.
struct PeerTests {
  private let sent = Lines()
  private let time = ManualTime()

  private func peer(grace: Int = 5, limit: Int = 600) -> ProtocolPeer {
    ProtocolPeer(graceTicks: grace, timeoutTicks: limit, now: { [time] in time.monotonic() }) { [sent] line in
      sent.add(String(decoding: line.dropLast(), as: UTF8.self))
      return true
    }
  }

  private func line(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Sends a request in a separate task, runs `during` when the request has been sent, and returns the outcome.
  private func ask(
    _ peer: ProtocolPeer, meter: (any RequestMeter)? = nil, during: @escaping @Sendable (() -> Void) async throws -> Void
  ) async throws -> Result<JSONValue, ProviderError> {
    try await withThrowingTaskGroup(of: Result<JSONValue, ProviderError>.self) { group in
      let count = sent.all.count
      group.addTask {
        do throws(ProviderError) { return .success(try await peer.call("m", Array("{}".utf8), meter: meter)) } catch {
          return .failure(error)
        }
      }
      try await waitUntil { sent.all.count != count }
      try await during { group.cancelAll() }
      guard let result = try await group.next() else { throw CancellationError() }
      return result
    }
  }

  @Test("Replies in any order are returned to their callers")
  func replies() async throws {
    let peer = peer()
    let result = try await ask(peer) { _ in
      let inner = try await ask(peer) { _ in _ = try peer.receive(line(#"{"jsonrpc":"2.0","id":2,"result":"second"}"#)) }
      #expect(inner == .success("second"))
      _ = try peer.receive(line(#"{"jsonrpc":"2.0","id":1,"result":"first"}"#))
    }
    #expect(result == .success("first"))
    #expect(sent.all.first == #"{"jsonrpc":"2.0","id":1,"method":"m","params":{}}"#)
    #expect(!peer.isBusy)
  }

  @Test("A cancelled request ends immediately for its caller, a cancellation is sent, and a reply is due within five ticks")
  func cancelled() async throws {
    let peer = peer()
    let result = try await ask(peer) { cancel in cancel() }
    #expect(result == .failure(ProviderError(.cancelled, "the caller no longer waits for the answer")))
    #expect(sent.all.last == #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"#)
    for _ in 0..<5 { #expect(!peer.tick()) }
    #expect(peer.tick(), "it hangs")
    _ = try peer.receive(line(#"{"jsonrpc":"2.0","id":1,"result":"late"}"#))
    #expect(!peer.isBusy)
    #expect(!peer.tick())
  }

  @Test("A cancellation is never sent before its request")
  func order() async throws {
    for _ in 0..<200 {
      let sent = Lines()
      let peer = ProtocolPeer { line in
        sent.add(String(decoding: line, as: UTF8.self))
        return true
      }
      let task = Task { try? await peer.call("m", Array("{}".utf8)) }
      task.cancel()
      _ = await task.value
      // A request that was not sent needs no cancelling.
      #expect(sent.all.isEmpty || (sent.all.count == 2 && sent.all[1].contains("cancelRequest")), "\(sent.all)")
    }
  }

  @Test("A process that waits for a reply of the daemon is not treated as hung", arguments: [#","params":{"for":1}"#, ""])
  func waits(parameters: String) async throws {
    let peer = peer()
    _ = try await ask(peer) { cancel in
      let asked = try peer.receive(line(#"{"jsonrpc":"2.0","id":"a","method":"http.send"\#(parameters)}"#))
      #expect(asked != nil)
      cancel()
    }
    for _ in 0..<20 { #expect(!peer.tick()) }
    peer.reply(to: .text("a"), .success(Array("{}".utf8)))
    #expect(sent.all.last == #"{"jsonrpc":"2.0","id":"a","result":{}}"#)
    for _ in 0..<5 { #expect(!peer.tick()) }
    #expect(peer.tick())
  }

  @Test(
    "A request of the other side is charged to the request that it names, or else to the one that has sent the fewest",
    arguments: [(#"{"for":1}"#, [2, 0]), (#"{"for":2}"#, [1, 1]), ("{}", [1, 1])])
  func charges(parameters: String, reserved: [Int]) async throws {
    let peer = peer()
    let meters = [CountingMeter(), CountingMeter()]
    try await meters[0].reserve()
    _ = try await ask(peer, meter: meters[0]) { _ in
      _ = try await ask(peer, meter: meters[1]) { cancel in
        _ = try peer.receive(line(#"{"jsonrpc":"2.0","id":"a","method":"http.send","params":\#(parameters)}"#))
        try await peer.meter(for: .text("a"))?.reserve()
        cancel()
      }
      peer.close(ProviderError(.plugin, "the end"))
    }
    #expect(meters.map(\.reserved) == reserved)
  }

  @Test("No cancellation is sent for a request that has been answered")
  func afterReply() async throws {
    let peer = peer()
    let meter = CountingMeter()
    _ = try await ask(peer, meter: meter) { cancel in
      _ = try peer.receive(line(#"{"jsonrpc":"2.0","id":"a","method":"http.send","params":{"for":99}}"#))
      await #expect(throws: ProviderError.self) { try await peer.meter(for: .text("a"))?.reserve() }
      cancel()
    }
    #expect(meter.reserved == 0)
  }

  @Test("A request without a reply times out, and its reply is then due like that of a cancelled request")
  func limit() async throws {
    let peer = peer(grace: 2, limit: 3)
    let result = try await ask(peer) { _ in for _ in 0..<4 { #expect(!peer.tick()) } }
    #expect(result == .failure(ProviderError(.timeout, "the provider did not answer in time")))
    for _ in 0..<2 { #expect(!peer.tick()) }
    #expect(peer.tick())
  }

  @Test("Unsolicited messages are counted for each second")
  func floods() throws {
    let peer = peer()
    let notification = line(#"{"jsonrpc":"2.0","method":"log"}"#)
    for _ in 0..<3 {
      for _ in 0..<ProtocolPeer.maxUnsolicitedPerSecond { _ = try peer.receive(notification) }
      time.advance(by: 1.5)
    }
    for _ in 0..<ProtocolPeer.maxUnsolicitedPerSecond { _ = try peer.receive(line(#"{"jsonrpc":"2.0","id":7,"result":1}"#)) }
    #expect(throws: ProtocolFault.self) { try peer.receive(notification) }
  }

  @Test("Requests of the provider are bounded in number, and must have different ids")
  func bounded() throws {
    let peer = peer()
    for id in 0..<ProtocolPeer.maxServedRequests { #expect(try peer.receive(line(#"{"jsonrpc":"2.0","id":\#(id),"method":"m"}"#)) != nil) }
    #expect(try peer.receive(line(#"{"jsonrpc":"2.0","id":"more","method":"m"}"#)) == nil)
    peer.reply(to: .number(0), .success([]))
    #expect(try peer.receive(line(#"{"jsonrpc":"2.0","id":1,"method":"m"}"#)) == nil)
    #expect(sent.all.count { $0.contains("rate_limit") } == 2)
  }

  @Test("After a close, pending and later requests fail with the reason")
  func closed() async throws {
    let peer = peer()
    let reason = ProviderError(.plugin, "it died")
    #expect(try await ask(peer) { _ in peer.close(reason) } == .failure(reason))
    await #expect(throws: reason) { try await peer.call("m", []) }
  }

  @Test("An invalid id violates the protocol, also in a cancellation")
  func oddIDs() throws {
    let peer = peer()
    #expect(throws: ProtocolFault.self) {
      try peer.receive(line(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":{"k":0}}}"#))
    }
    #expect(try peer.receive(line(#"{"jsonrpc":"2.0","method":"$/cancelRequest"}"#)) == nil)
    #expect(try peer.receive(line(#"{"jsonrpc":"2.0","id":null,"error":{}}"#)) == nil)
  }
}
