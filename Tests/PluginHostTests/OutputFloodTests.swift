import Foundation
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import PluginHost

@Suite("A provider that floods its standard output", .timeLimit(.minutes(2)))
struct OutputFloodTests {
  /// Parsing the burst of 32 MiB takes 12 seconds without optimisation.
  @Test(
    "is read no faster than the rate, and ends while the reader waits",
    .enabled(if: ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1"))
  func isReadAtTheRate() async throws {
    let time = ManualTime()
    let process = FloodingProcess()
    let handshake = Handshake(instance: InstanceDescription(id: "m", source: .plugin("m")), context: { _ in .silent })
    let provider = ProviderProcess(
      id: "m", launch: { process }, handshake: handshake, time: time, log: ProviderLog(time: time) { _, _ in }, startLimit: 60)
    let run = Task { await provider.run(ready: { _, _, _ in }, killedButStillRunning: { _ in }) }
    let rate = ReadRate.standardOutput
    let burst = Int(rate.burst) / FloodingProcess.line.count

    // The burst is read at once, and one more line, after which the reader waits.
    try await waitUntil { process.linesRead == burst + 1 }
    for _ in 0..<100 { await Task.yield() }
    #expect(process.linesRead == burst + 1)

    // Half a second allows half of the rate.
    time.advance(by: 0.5)
    let more = Int(0.5 * rate.bytesPerSecond) / FloodingProcess.line.count
    try await waitUntil { process.linesRead >= burst + more }
    for _ in 0..<100 { await Task.yield() }
    #expect(process.linesRead <= burst + more + 2)

    run.cancel()
    #expect(await run.value == .stopped)
  }
}

/// A process that writes notifications without end, and ends when it is killed or its input is closed.
private final class FloodingProcess: InertProcess {
  /// A valid message of about a megabyte that the daemon ignores.
  static let line = Array((#"{"jsonrpc":"2.0","method":"x","params":{"text":""# + String(repeating: "x", count: 1 << 20) + "\"}}\n").utf8)
  private let count = Atomic(0)

  var linesRead: Int { count.load(ordering: .relaxed) }

  func waitForProgram() async throws(ProviderStartError) {}
  func readOutput() async -> [UInt8]? {
    guard !Task.isCancelled else { return nil }
    count.add(1, ordering: .relaxed)
    return Self.line
  }
  func hasEnded(within seconds: Double) async -> Bool { true }
  func reap() -> ProcessEnd? { .stopped }
}
