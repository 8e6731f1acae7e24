import Foundation
import PlacesKit
import PlacesTesting
import Testing

@testable import Hosting

@Suite(.timeLimit(.minutes(1)))
struct ProcessTests {
  @Test("A provider in a process of its own answers like one inside the daemon")
  func sameBehaviour() async throws {
    try await withHosting { hosting, _ in
      for isolation in [InstanceDescription.Isolation.inProcess, .process] {
        let provider = try await hosting.start(.misbehaving(["greeting": "bonjour"], isolation: isolation)) { _ in .silent }
        let service = provider.service
        #expect(service.manifest.name == "Misbehaving")
        #expect(try await service.say("you") == "bonjour you")
        let failure = await #expect(throws: ProviderError.self) { try await service.say("fail") }
        #expect(failure == ProviderError(.quota, "told to fail", retryAfterSeconds: 7, detail: "WORD"))
        #expect(try await service.details(DetailsRequest(id: "1", fields: [.name])).name == "One")
        let missing = await #expect(throws: ProviderError.self) { try await service.details(DetailsRequest(id: "2", fields: [.name])) }
        #expect(missing?.cause == .notFound)
        #expect(try await service.probe() == "alive")
        await provider.stop()
      }
    }
  }

  @Test(
    "What no provider may do fails inside its cage",
    arguments: [
      ("socket", "Operation not permitted"), ("unix", "Operation not permitted"), ("pair", "Operation not permitted"),
      ("fork", "Operation not permitted"), ("exec", "Operation not permitted"), ("ptrace", "Operation not permitted"),
      ("kill", "Operation not permitted"), ("signal", "Operation not permitted"), ("limit", "Operation not permitted"),
      ("memory", "Operation not permitted"), ("ring", "Operation not permitted"), ("pidfd", "Operation not permitted"),
      ("share", "Operation not permitted"), ("environment", "SWIFT_BACKTRACE=enable=no"), ("write", "Permission denied"),
      ("read", "Permission denied"), ("spy", "Permission denied"),
    ])
  func cage(attempt: String, outcome: String) async throws {
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(.misbehaving()) { _ in .silent }
      #expect(try await provider.service.say("attempt \(attempt)") == outcome)
      #expect(try await provider.service.say("still there") == "hello still there")
    }
  }
}
