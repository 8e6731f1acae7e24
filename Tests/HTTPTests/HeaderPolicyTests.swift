import PlacesKit
import PlacesTesting
import Testing

@testable import HTTP

@Suite("Headers that a provider may set") struct HeaderPolicyTests {
  @Test(
    "A header that decides where or how a request goes is refused, and nothing is sent",
    arguments: [
      "Host", "hOST", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "TE", "Trailer", "Upgrade", "User-Agent", "Expect",
      "Cookie", "Authorization", "Proxy-Authorization", "Accept-Encoding", "Forwarded", "Via", "X-Forwarded-Host", "X-Forwarded-For",
      "X-Host",
      "X-Original-URL", "X-Rewrite-URL", "X-HTTP-Method-Override", "X-Real-IP", "X-RapidAPI-Host", "X-Envoy-Original-Path", "Range",
      "Sec-Fetch-Site", "X-Hostname", "X-Vhost", "X-Backend", "X-Upstream", "X-Target", "X-Destination", "X-Domain", "X-Origin",
      "X-Backend-Key",
      "X-Anything",
    ])
  func refused(name: String) async throws {
    let server = try ScriptedServer { _ in [.answer("{}")] }
    defer { server.stop() }
    try await withClient { client in
      let access = try access(to: server.url, credential: .query(name: "key"), key: "s3cret-s3cret")
      let error = await failure { () throws(ProviderError) in
        try await client.send(
          HTTPRequest(path: ["x"], headers: [.init(name, "evil.example")]), access: access, timeout: .seconds(2))
      }
      #expect(
        error?.cause == .badRequest && error?.message.contains("may not set the header \(name)") == true, "\(error?.message ?? "sent")")
    }
    #expect(server.requests.isEmpty)
  }

  @Test(
    "The headers that services of places need are sent",
    arguments: [
      "Accept", "Accept-Language", "Content-Type", "If-None-Match", "X-Goog-FieldMask", "X-Places-Api-Version", "X-NCP-APIGW-API-KEY-ID",
    ])
  func allowed(name: String) async throws {
    let server = try ScriptedServer { _ in [.answer("{}")] }
    defer { server.stop() }
    _ = try await withClient {
      try await $0.send(HTTPRequest(path: ["x"], headers: [.init(name, "a")]), access: access(to: server.url), timeout: .seconds(2))
    }
    #expect(server.requests.first?.header(name) == "a")
  }

  @Test("The key goes into headers for keys only, whatever the provider asks")
  func credential() async throws {
    for name in ["Host", "Connection", "User-Agent", "X-Forwarded-Host", "Cookie", "Proxy-Token"] {
      #expect(!HeaderPolicy.allowsKey(in: name))
    }
    for name in ["Authorization", "X-Goog-Api-Key", "X-Key", "Ocp-Apim-Subscription-Key", "apikey", "Private-Token"] {
      #expect(HeaderPolicy.allowsKey(in: name))
    }
    let server = try ScriptedServer { _ in [.answer("{}")] }
    defer { server.stop() }
    try await withClient { client in
      let access = try access(to: server.url, key: "s3cret-s3cret")
      let error = await failure { () throws(ProviderError) in
        try await client.send(
          HTTPRequest(path: ["x"], credential: .header(name: "Host", prefix: "evil.example/")), access: access, timeout: .seconds(2))
      }
      #expect(error?.cause == .badRequest)
    }
    #expect(server.requests.isEmpty)
  }
}
