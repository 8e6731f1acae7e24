import HTTP
import PlacesKit
import PlacesTesting
import Resilience
import Synchronization
import Testing

@Suite("Requests that are lost on a kept connection") struct ResendTests {
  @Test("A request is sent once, also if the server closes a kept connection after it has read the request")
  func sentOnce() async throws {
    let server = try ScriptedServer(closesSecondRequest())
    defer { server.stop() }
    try await withClient { client in
      let access = try access(to: server.url)
      for _ in 0..<10 {
        _ = try? await client.send(HTTPRequest(.post, path: ["x"], body: Array("{}".utf8)), access: access, timeout: .seconds(2))
      }
    }
    #expect(server.requests.count == 10)
  }

  @Test(
    "A lost request is sent again if it is free, with a reservation of its own, and not if it may have been billed or no retry is left",
    arguments: [(true, 9, 10), (true, 3, 7), (false, 9, 5)])
  func sentAgain(isFree: Bool, retries: Int, expectedAnswers: Int) async throws {
    let server = try ScriptedServer(closesSecondRequest())
    defer { server.stop() }
    try await withClient { client in
      let sender = ProviderHTTP(client, access: try access(to: server.url), rates: [], timeout: 2, isFree: isFree)
      let meter = CountingMeter(isFree: isFree, retries: retries)
      var answers = 0
      for _ in 0..<10 {
        if (try? await sender.send(HTTPRequest(.post, path: ["x"], body: Array("{}".utf8)), meter: meter)) != nil { answers += 1 }
      }
      #expect(answers == expectedAnswers)
      #expect(server.requests.count == meter.sent && meter.sent == meter.reserved)
    }
  }

  @Test(
    "A lost request of a paid call is sent again if it leaves out the key, which was not billed, and is charged to the meter for such requests"
  )
  func sentAgainWithoutKey() async throws {
    let server = try ScriptedServer(closesSecondRequest())
    defer { server.stop() }
    try await withClient { client in
      var access = try access(to: server.url)
      access.credential = .header(name: "x-key", prefix: "")
      let sender = ProviderHTTP(client, access: access, rates: [], timeout: 2, isFree: false)
      let keyless = CountingMeter()
      let meter = CountingMeter(isFree: false, keyless: keyless)
      for _ in 0..<10 { _ = try await sender.send(HTTPRequest(path: ["image"], credential: CredentialPlacement.none), meter: meter) }
      #expect(meter.reserved == 0 && server.requests.count == keyless.sent && keyless.sent == keyless.reserved)
      #expect(keyless.sent > 10)
      // A service without a key may bill by other means.
      access.credential = .none
      let other = ProviderHTTP(client, access: access, rates: [], timeout: 2, isFree: false)
      _ = try? await other.send(HTTPRequest(path: ["x"], credential: CredentialPlacement.none), meter: meter)
      #expect(meter.reserved == 1)
    }
  }

  @Test("Each request waits for the provider's rate, and so does one that is sent again")
  func rate() async throws {
    let server = try ScriptedServer(closesSecondRequest())
    defer { server.stop() }
    let time = ManualTime()
    let limiter = RequestRateLimiter(time: time)
    limiter.set(Rate(perSecond: 1, burst: 3))
    try await withClient { client in
      let sender = ProviderHTTP(client, access: try access(to: server.url), rates: [limiter], timeout: 0.5, isFree: true)
      let meter = CountingMeter()
      _ = try await sender.send(HTTPRequest(path: ["x"]), meter: meter)
      _ = try await sender.send(HTTPRequest(path: ["x"]), meter: meter)
      // The second was sent twice, so that the burst is used up.
      let error = await failure { () throws(ProviderError) in try await sender.send(HTTPRequest(path: ["x"]), meter: meter) }
      #expect(error?.cause == .rateLimit)
    }
    #expect(server.requests.count == 3)
  }

  @Test("A provider that is paid for sends nothing outside a call")
  func outsideCalls() async throws {
    let server = try ScriptedServer { _ in [.answer("{}")] }
    defer { server.stop() }
    try await withClient { client in
      let sender = ProviderHTTP(client, access: try access(to: server.url), rates: [], timeout: 2, isFree: false)
      await #expect(throws: ProviderError.self) { try await sender.send(HTTPRequest(path: ["x"]), meter: nil) }
    }
    #expect(server.requests.isEmpty)
  }
}

/// Answers the first request of each connection, and closes after it has read the second.
func closesSecondRequest() -> @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step] {
  let seen = SeenConnections()
  return { seen.insert($0.connection) ? [.answer("{}")] : [.close] }
}

private final class SeenConnections: Sendable {
  private let numbers = Mutex<Set<Int>>([])
  func insert(_ number: Int) -> Bool { numbers.withLock { $0.insert(number).inserted } }
}
