import HTTP
import PlacesKit
import PlacesTesting
import Testing

@Suite("Names", .serialized, .timeLimit(.minutes(1)), .enabled(if: NameServer.isPossible, "needs root, to have a resolv.conf of its own"))
struct NameTests {
  @Test(
    "A name server that never answers costs the deadline and not more, also when many ask and when all ends",
    arguments: [0.1, 0.3])
  func silence(deadline: Double) async throws {
    let names = try NameServer(answering: nil)
    let client = HTTPClient()
    try names.start(client)
    let access = try access(to: "http://places.example.org")
    let clock = ContinuousClock()
    // The best of three: other processes delay now this one and now that one, what waits for a resolver waits each time.
    var lateness = Duration.seconds(100)
    for _ in 0..<3 where lateness > .seconds(1) {
      let start = clock.now
      await withTaskGroup(of: ProviderError?.self) { group in
        for number in 0..<5 {
          group.addTask(name: "request \(number)") {
            await failure { () throws(ProviderError) in
              try await client.send(HTTPRequest(path: []), access: access, timeout: .milliseconds(Int64(deadline * 1_000)))
            }
          }
        }
        for await error in group { #expect(error?.cause == .timeout, "\(String(describing: error))") }
      }
      lateness = min(lateness, clock.now - start - .milliseconds(Int64(deadline * 1_000)))
    }
    #expect(lateness <= .seconds(1))
    #expect(names.questions > 0 && client.requestsInProgress == 0)
    let start = clock.now
    client.stop()
    #expect(clock.now - start < .seconds(10), "no thread is waited for that waits for an answer of thirty seconds")
  }

  @Test("If name resolution exceeds the connection's time limit, the error names that step")
  func limit() async throws {
    let names = try NameServer(answering: nil)
    var limits = HTTPLimits()
    limits.connectTimeout = .milliseconds(100)
    let client = HTTPClient(limits: limits)
    try names.start(client)
    defer { client.stop() }
    let error = await failure { () throws(ProviderError) in
      try await client.send(HTTPRequest(path: []), access: testAccess("http://places.example.org"), timeout: .seconds(20))
    }
    #expect(error?.cause == .dns, "\(String(describing: error))")
  }

  /// The address that is connected to is checked, so DNS rebinding does not bypass the check.
  @Test(
    "A public name for an address of this machine or of a private network is refused, unless that is allowed",
    arguments: [[127, 0, 0, 1], [10, 1, 2, 3], [169, 254, 169, 254], [0, 0, 0, 0]] as [[UInt8]])
  func rebinding(address: [UInt8]) async throws {
    let server = try ScriptedServer { _ in [.answer("reached")] }
    defer { server.stop() }
    let names = try NameServer(answering: address)
    let client = HTTPClient()
    try names.start(client)
    defer { client.stop() }
    let url = "http://places.example.org:\(server.port)"
    let refused = try access(to: url, isPrivate: false)
    let error = await failure { () throws(ProviderError) in
      try await client.send(HTTPRequest(path: []), access: refused, timeout: .seconds(2))
    }
    #expect(error?.cause == .connect && error?.detail == "private_address", "\(String(describing: error))")
    #expect(server.accepted == 0 && names.questions > 0)
    guard address == [127, 0, 0, 1] else { return }
    let reached = try await client.send(HTTPRequest(path: []), access: access(to: url), timeout: .seconds(2))
    #expect(reached.body == Array("reached".utf8))
  }
}
