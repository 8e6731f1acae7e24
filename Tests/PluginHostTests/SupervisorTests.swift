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
    let supervisor = supervisor(time, log) { UnkillableProcess() }
    async let _: Void = supervisor.run()
    let error = await #expect(throws: ProviderStartError.self) { try await supervisor.firstManifest() }
    #expect(error?.message == "no program")
    await supervisor.stop()
    #expect(supervisor.status.state == .stopped && supervisor.status.restarts == 0)
    #expect(lines.all == ["process 1 was killed, and has not ended yet"])
  }

  private func supervisor(
    _ time: ManualTime, _ log: ProviderLog, launch: @escaping @Sendable () -> UnkillableProcess
  ) -> Supervisor {
    let handshake = Handshake(instance: InstanceDescription(id: "m", source: .plugin("m")), context: { _ in .silent })
    return Supervisor(id: "m", policy: LifeCycle.Policy(), time: time, log: log) { startLimit in
      ProviderProcess(id: "m", launch: launch, handshake: handshake, time: time, log: log, startLimit: startLimit)
    }
  }

  @Test("A call during a start waits until the start ends, but no longer than a start may take", arguments: [true, false])
  func callDuringStart(ends: Bool) async throws {
    let (start, startInput) = AsyncStream.makeStream(of: Void.self)
    let time = ManualTime()
    let supervisor = supervisor(time, ProviderLog(time: time) { _, _ in }) { UnkillableProcess(start: start) }
    async let _: Void = supervisor.run()
    async let error = refusal(by: supervisor)
    // The process and the call each have a time limit.
    try await waitUntil { time.sleepers == 2 }
    if ends { startInput.finish() } else { time.advance(by: LifeCycle.Policy().furtherStartLimit) }
    #expect(await error?.message == (ends ? "provider m was stopped" : "provider m is starting"))
    await supervisor.stop()
  }

  private func refusal(by supervisor: Supervisor) async -> ProviderError? {
    do throws(ProviderError) { _ = try await supervisor.readyPeer() } catch { return error }
    return nil
  }
}

/// A process that does not execute its program, and ends long after it was killed.
private struct UnkillableProcess: InertProcess {
  /// Ends when the start fails.
  var start = AsyncStream<Void> { $0.finish() }

  func waitForProgram() async throws(ProviderStartError) {
    for await _ in start {}
    throw ProviderStartError(.start, "m", "no program")
  }
  func readOutput() async -> [UInt8]? { nil }
  func hasEnded(within seconds: Double) async -> Bool { seconds >= 60 }
  func reap() -> ProcessEnd? { nil }
}
