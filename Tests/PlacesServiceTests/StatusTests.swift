import PlacesAPI
import PlacesKit
import Testing

@testable import PlacesService

@Suite("A provider's status") struct StatusTests {
  @Test("Administrators see a provider's error text; other users see only its cause")
  func reasons() {
    var status = ProviderStatus(id: "a", name: "A", plugin: "a", version: "1", state: .suspended, leavesMachine: true, calls: [])
    status.reason = "nothing found for 12 Secret Street"
    status.cause = "failures"
    #expect(status.visible(to: Caller(user: 0, isAdministrator: true)) == status)
    let shown = status.visible(to: Caller(user: 1_000, isAdministrator: false))
    #expect(shown.reason == "it is not called for a while since too many of its calls failed" && shown.cause == "failures")
    status.state = .failed
    status.cause = "plugin"
    #expect(status.visible(to: Caller(user: 1_000, isAdministrator: false)).reason == "its process died, hung or broke the protocol")
    status.cause = nil
    status.state = .disabled
    status.reason = "switched off"
    #expect(status.visible(to: Caller(user: 1_000, isAdministrator: false)).reason == "switched off")
  }

  @Test("Only administrators see the exact latencies of a provider on this machine", arguments: [true, false])
  func latencies(leavesMachine: Bool) {
    var status = ProviderStatus(id: "a", name: "A", plugin: "a", version: "1", state: .ready, leavesMachine: leavesMachine, calls: [])
    status.counters.medianMs = 0.31
    status.counters.p99Ms = 12.5
    #expect(status.visible(to: Caller(user: 0, isAdministrator: true)) == status)
    let shown = status.visible(to: Caller(user: 1_000, isAdministrator: false)).counters
    #expect(shown.medianMs == (leavesMachine ? 0.31 : 10) && shown.p99Ms == (leavesMachine ? 12.5 : 100))
  }
}
