import Foundation
import HTTP
import PlacesKit
import PlacesTesting
import Testing

/// TLS as nginx speaks it, with certificates of an authority of this test's own.
@Suite(
  "TLS", .serialized, .timeLimit(.minutes(1)),
  .enabled(if: ["/usr/sbin/nginx", "/usr/bin/openssl"].allSatisfy(FileManager.default.isExecutableFile), "needs nginx and openssl"))
struct TLSTests {
  @Test func `A valid certificate of a trusted authority is accepted, and HTTP/2 is agreed on`() async throws {
    let service = try await SecureService()
    #expect(try await service.ask(.good).get() == "HTTP/2.0")
    #expect(try await service.ask(.older).get() == "HTTP/1.1", "a server of TLS 1.2 and HTTP/1.1 is served too")
  }

  @Test(
    arguments: [
      (SecureService.Server.good, "nothing", "unknown_authority"), (.elsewhere, "ca.pem", "wrong_host"), (.expired, "ca.pem", "expired"),
      (.signedByItself, "ca.pem", "self_signed"), (.good, "missing.pem", nil), (.good, "server.key", nil), (.antique, "ca.pem", nil),
    ] as [(SecureService.Server, String, String?)])
  func `Any other is refused, and the reason told`(server: SecureService.Server, authority: String, detail: String?) async throws {
    let service = try await SecureService()
    let result = await service.ask(server, authority: authority == "nothing" ? nil : authority)
    let error = #expect(throws: ProviderError.self) { try result.get() }
    #expect(error?.cause == .tls)
    if let detail { #expect(error?.detail == detail, "\(error?.message ?? "")") }
    // A request without TLS would have been logged.
    #expect(service.requests.isEmpty)
  }

  @Test func `Authorities that replace others in their file are the ones that count from then on`() async throws {
    let service = try await SecureService()
    try await withClient { client in
      for (authority, cause) in [("ca.pem", nil), ("self.pem", .tls), ("ca.pem", nil)] as [(String, ProviderError.Cause?)] {
        try service.copy(authority, to: "trusted.pem")
        let result = await service.ask(.good, authority: "trusted.pem", with: client)
        let error = await failure { () throws(ProviderError) in
          do { return try result.get() } catch { throw error as? ProviderError ?? ProviderError(.connect, "\(error)") }
        }
        #expect(error?.cause == cause)
      }
    }
  }

  @Test func `A key goes over HTTP/2 as it does over HTTP/1.1, and one connection carries many requests`() async throws {
    let service = try await SecureService()
    try await withClient { client in
      try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<20 {
          group.addTask(name: "request \(number)") { try await service.ask(.good, with: client).get() }
        }
        for try await protocolName in group { #expect(protocolName == "HTTP/2.0") }
      }
    }
    #expect(service.requests.count == 20)
    #expect(service.requests.allSatisfy { $0.hasSuffix("key s3cret") })
    #expect(Set(service.requests.compactMap { $0.split(separator: " ").first }).count <= HTTPLimits().connectionsPerHost)
  }

  @Test func `A request over HTTP/2 whose connection is closed without an answer is not sent again without a reservation`() async throws {
    let service = try await SecureService()
    try await withClient { client in
      for number in 1...10 {
        // A request on a connection that was used before is the one that libcurl would send again.
        #expect(try await service.ask(.good, with: client).get() == "HTTP/2.0")
        let meter = CountingMeter()
        try await meter.reserve()
        let result = await service.ask(.good, path: ["lost"], meter: meter, with: client)
        #expect(throws: ProviderError.self) { try result.get() }
        try await waitUntil { service.requests.count >= number * 2 }
        #expect(service.requests.count == number * 2 && meter.sent == 1)
      }
    }
  }
}
