import Foundation
import PlacesKit
import ServiceDescriptions
import Testing

@Suite("The descriptions in etc/services") struct ServiceTests {
  @Test("Each is sound, verified, and has answers to be tested with", arguments: ServiceCase.shipped)
  func sound(service: String) throws {
    let description = try ServiceCase.description(service)
    #expect(description.verified != nil)
    #expect(description.manifest.summary.hasSuffix("."))
    #expect(try ServiceCase.cases(of: service).count >= 12)
  }

  @Test(
    "Each request has the expected bytes, and each answer the expected rows or error", arguments: ServiceCase.shipped + ["photon"])
  func answers(service: String) async throws {
    let description = try ServiceCase.description(service)
    for entry in try ServiceCase.cases(of: service) {
      let outcome = await entry.run(description)
      if let sends = entry.sends { #expect(outcome.sent == sends, "\(service): \(entry.name)") }
      #expect(outcome.rows == entry.rows, "\(service): \(entry.name)")
      #expect(outcome.error == entry.error, "\(service): \(entry.name)")
    }
  }
}
