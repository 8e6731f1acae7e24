import Foundation
import HTTP
import PlacesKit
import PlacesTesting
import Testing

@Suite("Broken and hostile services") struct FaultTests {
  /// The expected error of each fault; nil if the answer is valid HTTP.
  static func cause(_ fault: ScriptedFault) -> ProviderError.Cause? {
    switch fault {
    case .hang, .stallAfterHeaders, .dripHeaders, .dripBody: .timeout
    case .tooShort, .badChunk, .closesAtOnce, .resets, .notHTTP: .http
    case .badCompression: .decode
    case .endlessBody, .endlessChunks, .bomb, .endlessBomb, .endlessHeaders, .hugeHeader, .interimFlood: .tooLarge
    default: nil
    }
  }

  @Test("Every fault ends in time, with its own cause, and leaves nothing open", arguments: ScriptedFault.allCases)
  func endsInTime(fault: ScriptedFault) async throws {
    let server = try ScriptedServer { _ in fault.script }
    defer { server.stop() }
    try await withClient { client in
      let access = try access(to: server.url)
      let clock = ContinuousClock()
      let start = clock.now
      let error = await failure { () throws(ProviderError) in
        let response = try await client.send(HTTPRequest(path: ["x"]), access: access, timeout: .milliseconds(400))
        #expect(response.body.count <= 2 << 20)
      }
      #expect(error?.cause == FaultTests.cause(fault))
      // The faults last thirty seconds; five leave room for a loaded machine.
      #expect(clock.now - start < .seconds(5))
      #expect(client.requestsInProgress == 0)
      if error != nil { try await waitUntil { server.open == 0 } }
    }
    try await waitUntil { server.open == 0 }
  }

  @Test("A connection that carried more than was announced is not used again") func leftovers() async throws {
    let server = try ScriptedServer {
      $0.target == "/bad"
        ? [
          .send(
            ScriptedServer.Step.head(headers: [("Content-Length", "2")])
              + Array("{}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison".utf8))
        ] : [.answer("good")]
    }
    defer { server.stop() }
    try await withClient { client in
      let access = try access(to: server.url)
      _ = try await client.send(HTTPRequest(path: ["bad"]), access: access, timeout: .seconds(2))
      for _ in 0..<3 {
        let response = try await client.send(HTTPRequest(path: ["good"]), access: access, timeout: .seconds(2))
        #expect(response.body == Array("good".utf8))
      }
    }
  }

  @Test("A failed connection, a failed name lookup and an unreachable host are distinguished") func unreachable() async throws {
    try await withClient { client in
      let closed = try ScriptedServer { _ in [] }
      closed.stop()
      let refused = try access(to: closed.url)
      #expect(
        await failure { () throws(ProviderError) in
          try await client.send(HTTPRequest(path: []), access: refused, timeout: .seconds(2))
        }?.cause == .connect)
      let unknown = try access(to: "http://no-such-host.invalid")
      #expect(
        await failure { () throws(ProviderError) in
          try await client.send(HTTPRequest(path: []), access: unknown, timeout: .seconds(5))
        }?.cause == .dns)
      let plain = try ScriptedServer { _ in [.answer("{}")] }
      defer { plain.stop() }
      let secure = try access(to: plain.url.replacingOccurrences(of: "http:", with: "https:"))
      let error = await failure { () throws(ProviderError) in
        try await client.send(HTTPRequest(path: []), access: secure, timeout: .seconds(2))
      }
      #expect(error?.cause == .tls, "\(String(describing: error))")
    }
  }

  @Test("A request counts for its call once it may have reached the service, and leaves for no call that is over") func counted()
    async throws
  {
    let server = try ScriptedServer { _ in [.answer(status: 500, "{}")] }
    let closed = try ScriptedServer { _ in [] }
    closed.stop()
    defer { server.stop() }
    try await withClient { client in
      func sends(_ host: String?, to url: String) async throws -> Bool {
        let meter = CountingMeter()
        try await meter.reserve()
        _ = try? await client.send(HTTPRequest(host: host, path: []), access: access(to: url), timeout: .seconds(2), meter: meter)
        #expect(meter.sent == meter.reserved, "a request that did not leave needs no reservation")
        return meter.sent > 0
      }
      #expect(try await sends(nil, to: server.url))
      #expect(try await !sends("elsewhere.example", to: server.url), "no host of its own")
      #expect(try await !sends(nil, to: closed.url))
      #expect(try await !sends(nil, to: "http://no-such-host.invalid"))
      let settled = CountingMeter()
      try await settled.reserve()
      settled.close()
      let way = try access(to: server.url)
      let error = await #expect(throws: ProviderError.self) {
        try await client.send(HTTPRequest(path: []), access: way, timeout: .seconds(2), meter: settled)
      }
      #expect(error?.cause == .cancelled)
    }
    #expect(server.requests.count == 1)
  }

  @Test(
    "Private addresses are refused unless the configuration allows them",
    arguments: [
      "127.0.0.1", "localhost", "[::1]", "0.0.0.0", "169.254.169.254", "10.0.0.1", "172.16.0.1", "192.168.0.1", "100.64.0.1",
      "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "0", "[::]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]",
      "[64:ff9b::7f00:1]",
      "[fd00::1]", "[fe80::1]", "[2002:7f00:1::]",
    ])
  func privateAddresses(host: String) async throws {
    let server = try ScriptedServer { _ in [.answer("{}")] }
    defer { server.stop() }
    try await withClient { client in
      let access = try access(to: "http://\(host):\(server.port)", isPrivate: false)
      let error = await failure { () throws(ProviderError) in
        try await client.send(HTTPRequest(path: []), access: access, timeout: .seconds(2))
      }
      #expect(error?.cause == .connect)
      #expect(error?.detail == "private_address")
    }
    #expect(server.accepted == 0)
  }

  @Test("The environment's proxy is ignored; the configured one is used") func proxies() async throws {
    let proxy = try ScriptedServer { _ in [.answer("by proxy")] }
    let server = try ScriptedServer { _ in [.answer("direct")] }
    defer {
      proxy.stop()
      server.stop()
    }
    setenv("http_proxy", proxy.url, 1)
    defer { unsetenv("http_proxy") }
    try await withClient { client in
      let direct = try await client.send(HTTPRequest(path: []), access: access(to: server.url), timeout: .seconds(2))
      #expect(direct.body == Array("direct".utf8))
      let asked = try await client.send(
        HTTPRequest(path: []), access: access(to: server.url, isPrivate: false, proxy: proxy.url), timeout: .seconds(2))
      #expect(asked.body == Array("by proxy".utf8))
    }
  }

  @Test("A proxy that refuses to connect is blamed itself, and the service has not been asked", arguments: [403, 407, 502])
  func refusingProxy(status: Int) async throws {
    let proxy = try ScriptedServer { _ in [.answer(status: status, "no")] }
    defer { proxy.stop() }
    try await withClient { client in
      let access = try access(to: "https://places.example.org", proxy: proxy.url)
      let meter = CountingMeter()
      try await meter.reserve()
      let error = await failure { () throws(ProviderError) in
        try await client.send(HTTPRequest(path: []), access: access, timeout: .seconds(2), meter: meter)
      }
      #expect(error?.cause == .connect && error?.detail == "proxy")
      #expect(error?.message == "the proxy refuses to connect to places.example.org (HTTP \(status))")
      #expect(meter.sent == 0)
    }
  }

  @Test("Hosts that need no proxy are reached without it, and then are as private as ever")
  func withoutProxy() async throws {
    let proxy = try ScriptedServer { _ in [.answer("by proxy")] }
    let server = try ScriptedServer { _ in [.answer("direct")] }
    defer {
      proxy.stop()
      server.stop()
    }
    try await withClient { client in
      func ask(_ hosts: [String], isPrivate: Bool) async throws(ProviderError) -> [UInt8] {
        guard let access = try? access(to: server.url, isPrivate: isPrivate, proxy: proxy.url, directHosts: hosts) else { return [] }
        return try await client.send(HTTPRequest(path: []), access: access, timeout: .seconds(2)).body
      }
      let refused = await failure { () throws(ProviderError) in try await ask(["127.0.0.1"], isPrivate: false) }
      #expect(refused?.detail == "private_address")
      for (hosts, road) in [(["127.0.0.1"], "direct"), (["0.0.1"], "direct"), (["27.0.0.1"], "by proxy")] {
        let body = try await ask(hosts, isPrivate: true)
        #expect(body == Array(road.utf8))
      }
    }
  }

  @Test("No error contains the query or the key", arguments: [ScriptedFault.hang, .closesAtOnce, .hugeHeader, .bomb, .badChunk])
  func discretion(fault: ScriptedFault) async throws {
    let server = try ScriptedServer { _ in fault.script }
    defer { server.stop() }
    try await withClient { client in
      let access = try access(to: server.url, credential: .query(name: "key"), key: "s3cret")
      let error = await failure { () throws(ProviderError) in
        try await client.send(HTTPRequest(path: ["x"], query: [.init("q", "my home")]), access: access, timeout: .milliseconds(200))
      }
      let text = String(describing: error)
      for secret in ["s3cret", "home", "http://"] { #expect(!text.contains(secret)) }
    }
  }

  @Test(
    "Bombs and endless bodies leave the memory as it was",
    .enabled(if: ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1", "PLACES_PROVE=1 runs it"))
  func memory() async throws {
    var growths: [Int] = []
    try await withClient { client in
      for _ in 0..<20 {
        let before = residentKilobytes()
        for fault in [ScriptedFault.endlessBody, .endlessChunks, .bomb, .endlessBomb, .endlessHeaders] {
          let server = try ScriptedServer { _ in fault.script }
          let access = try access(to: server.url)
          _ = await failure { () throws(ProviderError) in
            try await client.send(HTTPRequest(path: ["x"]), access: access, timeout: .seconds(2))
          }
          server.stop()
        }
        growths.append(residentKilobytes() - before)
      }
    }
    // The buffers of the first rounds stay in the heap. In a further round, a buffer may for the first time be in the heap of another thread.
    #expect(growths.dropFirst(6).count { $0 >= 4_096 } <= 1, "\(growths)")
  }
}

func residentKilobytes() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
  return Int(line.filter(\.isNumber)) ?? 0
}
