@testable import HTTP
import Linux
import PlacesKit
import PlacesTesting
import Testing

@Suite("Requests and their answers") struct HTTPClientTests {
  @Test func `A request arrives as it was made, with the key in its header and the daemon's own name`() async throws {
    let server = try ScriptedServer { _ in [.answer(headers: [("X-Kind", " two words \t")], #"{"ok": true}"#)] }
    defer { server.stop() }
    let response = try await withClient { client in
      try await client.send(
        HTTPRequest(
          .post, path: ["v1", "places:autocomplete"], query: [.init("q", "Brötchen & Café/+ü?")], headers: [.init("X-Field-Mask", "a.b,c")],
          body: Array(#"{"input":"x"}"#.utf8)),
        access: access(to: server.url + "/prefix/", credential: .header(name: "X-Key", prefix: "Bearer "), key: "s3cret"),
        timeout: .seconds(5))
    }
    #expect(response.status == 200)
    #expect(response.body == Array(#"{"ok": true}"#.utf8))
    #expect(response.header("X-KIND") == "two words")
    let request = try #require(server.requests.first)
    #expect(request.method == "POST")
    #expect(request.target == "/prefix/v1/places:autocomplete?q=Br%C3%B6tchen%20%26%20Caf%C3%A9%2F%2B%C3%BC%3F")
    #expect(request.header("X-Key") == "Bearer s3cret")
    #expect(request.header("X-Field-Mask") == "a.b,c")
    #expect(request.header("User-Agent") == "placesd/1.0 (+ops@example.org)")
    #expect(request.header("Accept-Encoding") == "gzip, deflate")
    #expect(request.header("Expect") == nil)
    #expect(request.body == Array(#"{"input":"x"}"#.utf8))
  }

  @Test func `A key in the query is encoded like any value`() async throws {
    let server = try ScriptedServer { _ in [.answer("{}")] }
    defer { server.stop() }
    _ = try await withClient { client in
      try await client.send(
        HTTPRequest(path: ["x"]), access: access(to: server.url, credential: .query(name: "key"), key: "a&b=c"), timeout: .seconds(5))
    }
    #expect(server.requests.first?.target == "/x?key=a%26b%3Dc")
  }

  @Test(arguments: [204, 301, 302, 307, 400, 401, 404, 429, 500, 503]) func `Any status is an answer, redirects too`(status: Int)
    async throws
  {
    let server = try ScriptedServer { request in
      request.target == "/else"
        ? [.answer("followed")]
        : [.answer(status: status, headers: [("Location", "/else"), ("Retry-After", "3")], status == 204 ? "" : "text")]
    }
    defer { server.stop() }
    let response = try await withClient {
      try await $0.send(HTTPRequest(path: ["x"]), access: access(to: server.url), timeout: .seconds(5))
    }
    #expect(response.status == status)
    #expect(response.header("retry-after") == "3")
    #expect(server.requests.count == 1)
  }

  @Test func `Interim answers are passed over`() async throws {
    let server = try ScriptedServer { _ in
      [.send(Array("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".utf8)), .answer(headers: [("X-Real", "yes")], "{}")]
    }
    defer { server.stop() }
    let response = try await withClient { try await $0.send(HTTPRequest(path: []), access: access(to: server.url), timeout: .seconds(5)) }
    #expect(response.status == 200)
    #expect(response.header("link") == nil)
    #expect(response.header("x-real") == "yes")
  }

  @Test func `A connection to a private address is not used again once such addresses are forbidden`() async throws {
    let server = try ScriptedServer { _ in [.answer("{}")] }
    defer { server.stop() }
    try await withClient { client in
      for _ in 0..<2 { _ = try await client.send(HTTPRequest(path: ["x"]), access: access(to: server.url), timeout: .seconds(5)) }
      #expect(server.accepted == 1)
      let forbidden = try access(to: server.url, isPrivate: false)
      let error = await failure { () throws(ProviderError) in
        try await client.send(HTTPRequest(path: ["x"]), access: forbidden, timeout: .seconds(5))
      }
      #expect(error?.detail == "private_address" && server.requests.count == 2)
    }
  }

  @Test func `A key is not sent without encryption, but to a private address that is allowed`() async throws {
    let server = try ScriptedServer { _ in [.answer("{}")] }
    defer { server.stop() }
    let header = CredentialPlacement.header(name: "X-Key", prefix: "")
    try await withClient { client in
      let open = try access(to: server.url, credential: header, key: "k")
      _ = try await client.send(HTTPRequest(path: []), access: open, timeout: .seconds(5))
      let forbidden = try access(to: server.url, credential: header, key: "k", isPrivate: false)
      let error = await failure { () throws(ProviderError) in
        try await client.send(HTTPRequest(path: []), access: forbidden, timeout: .seconds(5))
      }
      #expect(error?.cause == .credentials && error?.detail == "unencrypted" && server.requests.count == 1)
    }
    // A name that is allowed to be private and turns out to be public.
    let allowed = try access(to: "http://geocoder.example.org", credential: header, key: "k")
    let request = try OutgoingRequest(HTTPRequest(path: []), access: allowed)
    let transfer = Transfer(request, access: allowed, timeout: .seconds(1), limits: HTTPLimits(), meter: nil)
    #expect(transfer.allows(InternetAddress("10.0.0.1")))
    #expect(!transfer.allows(InternetAddress("9.9.9.9")) && transfer.refusal?.detail == "unencrypted")
  }

  @Test func `Connections are used again by the same key and never by another`() async throws {
    let server = try ScriptedServer { _ in [.answer("{}")] }
    defer { server.stop() }
    try await withClient { client in
      for key in ["one", "one", "two", "one", "two"] {
        _ = try await client.send(
          HTTPRequest(path: ["x"]), access: access(to: server.url, credential: .header(name: "X-Key", prefix: ""), key: key),
          timeout: .seconds(5))
      }
    }
    let keys = Dictionary(grouping: server.requests, by: \.connection).mapValues { Set($0.compactMap { $0.header("X-Key") }) }
    #expect(server.accepted == 2)
    #expect(keys.values.allSatisfy { $0.count == 1 })
  }

  @Test func `Connections to one host are bounded, and requests beyond them wait their turn`() async throws {
    let server = try ScriptedServer { _ in [.wait(0.02), .answer("{}")] }
    defer { server.stop() }
    var limits = HTTPLimits()
    limits.connectionsPerHost = 3
    try await withClient(limits: limits) { client in
      try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<12 {
          group.addTask(name: "request \(number)") {
            try await client.send(HTTPRequest(path: ["x"]), access: access(to: server.url), timeout: .seconds(5)).status
          }
        }
        for try await status in group { #expect(status == 200) }
      }
    }
    #expect(server.requests.count == 12)
    #expect(server.accepted <= 3)
  }

  @Test func `An instance that may have more connections than before has them at once`() async throws {
    let server = try ScriptedServer { _ in [.wait(0.05), .answer("{}")] }
    defer { server.stop() }
    try await withClient { client in
      for connections in [1, 4] {
        try await withThrowingTaskGroup(of: Int.self) { group in
          for number in 0..<8 {
            group.addTask(name: "request \(number)") {
              var access = try access(to: server.url)
              access.maxConnectionsPerHost = connections
              return try await client.send(HTTPRequest(path: ["x"]), access: access, timeout: .seconds(5)).status
            }
          }
          for try await status in group { #expect(status == 200) }
        }
      }
    }
    #expect(server.accepted == 5)
  }

  @Test func `A request with more headers than any service wants is refused`() async throws {
    let server = try ScriptedServer { _ in [.answer("{}")] }
    defer { server.stop() }
    try await withClient { client in
      for (count, cause) in [(64, nil), (65, .badRequest)] as [(Int, ProviderError.Cause?)] {
        let headers = (0..<count).map { HTTPRequest.Item("X-\($0)-ID", "x") }
        let error = await failure { () throws(ProviderError) in
          try await client.send(HTTPRequest(path: [], headers: headers), access: testAccess(server.url), timeout: .seconds(5))
        }
        #expect(error?.cause == cause)
      }
    }
  }

  @Test func `More requests than allowed are refused at once`() async throws {
    let server = try ScriptedServer { _ in [.wait(5)] }
    defer { server.stop() }
    var limits = HTTPLimits()
    limits.maxRequests = 2
    try await withClient(limits: limits) { client in
      await withTaskGroup(of: ProviderError?.self) { group in
        for number in 0..<3 {
          group.addTask(name: "request \(number)") {
            await failure { () throws(ProviderError) in
              try await client.send(HTTPRequest(path: ["x"]), access: testAccess(server.url), timeout: .milliseconds(300))
            }
          }
        }
        var causes: [ProviderError.Cause] = []
        for await error in group { if let error { causes.append(error.cause) } }
        #expect(causes == [.rateLimit, .timeout, .timeout])
      }
      #expect(client.requestsInProgress == 0)
    }
  }

  @Test func `A compressed body arrives decoded`() async throws {
    // "hello" as a stored block (RFC 1952).
    let bytes: [UInt8] =
      [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 5, 0, 0xFA, 0xFF] + Array("hello".utf8) + [0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0]
    let server = try ScriptedServer { _ in [.answer(headers: [("Content-Encoding", "gzip")], bytes)] }
    defer { server.stop() }
    let response = try await withClient { try await $0.send(HTTPRequest(path: []), access: access(to: server.url), timeout: .seconds(5)) }
    #expect(response.body == Array("hello".utf8))
  }

  @Test func `Before the start and after the stop requests fail at once`() async throws {
    let client = HTTPClient()
    let access = try access(to: "http://127.0.0.1:1")
    #expect(
      await failure { () throws(ProviderError) in
        try await client.send(HTTPRequest(path: []), access: access, timeout: .seconds(5))
      }?.cause == .cancelled)
    try client.start()
    client.stop()
    #expect(
      await failure { () throws(ProviderError) in
        try await client.send(HTTPRequest(path: []), access: access, timeout: .seconds(5))
      }?.cause == .cancelled)
  }
}

/// For closures that may throw provider errors only.
func testAccess(_ url: String) throws(ProviderError) -> HTTPAccess {
  try HTTPAccess(id: "test", manifest: manifest(), baseURL: url, allowsPrivateAddresses: true)
}
