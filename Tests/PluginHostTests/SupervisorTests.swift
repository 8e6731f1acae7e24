import Glibc
import PlacesKit
import PlacesTesting
import Testing

@testable import PluginHost

@Suite(.timeLimit(.minutes(5)))
struct SupervisorTests {
  @Test("A provider whose first process does not end after a kill is stopped, and the log reports no restart")
  func unkillable() async throws {
    let (lines, time) = (Lines(), ManualTime())
    let log = ProviderLog(time: time) { lines.add($1) }
    let handshake = Handshake(instance: InstanceDescription(id: "m", source: .plugin("m")), context: { _ in .silent })
    let supervisor = Supervisor(id: "m", policy: LifeCycle.Policy(), time: time, log: log) { startLimit in
      ProviderProcess(
        id: "m", launch: { UnkillableProcess() }, handshake: handshake, time: time, log: log, startLimit: startLimit)
    }
    async let _: Void = supervisor.run()
    let error = await #expect(throws: ProviderStartError.self) { try await supervisor.firstManifest() }
    #expect(error?.message == "no program")
    await supervisor.stop()
    #expect(supervisor.status.state == .stopped && supervisor.status.restarts == 0)
    #expect(lines.all == ["process 1 was killed, and has not ended yet"])
  }
}

/// A process that does not execute its program, and ends long after it was killed.
private struct UnkillableProcess: LaunchedProcess {
  let id: pid_t = 1

  func waitForProgram() async throws(ProviderStartError) { throw ProviderStartError(.start, "m", "no program") }
  func write(_ line: [UInt8]) -> Bool { true }
  func drainInput() async {}
  func closeInput() {}
  func readOutput() async -> [UInt8]? { nil }
  func readErrors() async -> [UInt8]? { nil }
  func remainingErrors() -> [UInt8] { [] }
  func allow(requests: Int) {}
  var processorTimeLeft: Double { .infinity }
  var hasTooManyThreads: Bool { false }
  func kill() {}
  func hasEnded(within seconds: Double) async -> Bool { seconds >= 60 }
  func reap() -> ProcessEnd? { nil }
}
