import Foundation
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@testable import PluginHost

@Suite("Provider crashes under load", .timeLimit(.minutes(20)))
struct DeathUnderLoadTests {
  /// The results of 200 requests a second.
  private final class Tally: Sendable {
    struct Counts { var (asked, answered, refused, lost, slowest) = (0, 0, 0, 0, 0.0) }
    private let state = Mutex(Counts())
    var counts: Counts { state.withLock { $0 } }

    /// Sends one request, and cancels it after twenty seconds.
    func ask(_ service: any PlaceService) async {
      let time = SystemTime()
      let start = time.monotonic()
      let outcome = await withTimeLimit(20, clock: time, task: "one of many") { () async -> Bool in
        do throws(ProviderError) { return try await service.say("you") == "hello you" } catch { return false }
      }
      state.withLock { counts in
        counts.asked += 1
        switch outcome {
        case true?: counts.answered += 1
        case false?: counts.refused += 1
        case nil: counts.lost += 1
        }
        counts.slowest = max(counts.slowest, time.monotonic() - start)
      }
    }
  }

  @Test("Crashes of every kind under 200 requests a second lose no reply, and leak no descriptor, process or memory")
  func everyKind() async throws {
    let count = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1" ? 1_000 : 20
    let others = try children()
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(.misbehaving()) { _ in .silent }
      // Memory allocated once by the first crashes is not a leak.
      try await die(5, provider)
      let before = (descriptors: try openDescriptors(), memory: residentKilobytes())
      let tally = Tally()
      try await withThrowingDiscardingTaskGroup { group in
        let load = Mutex(true)
        group.addTask(name: "200 requests a second") {
          try await withThrowingDiscardingTaskGroup { asking in
            // Each look sends one request.
            try await eventually("the end of the load", within: 600, every: .milliseconds(5)) { () -> Void? in
              guard load.withLock({ $0 }) else { return () }
              asking.addTask(name: "request") { await tally.ask(provider.service) }
              return nil
            }
          }
        }
        defer { load.withLock { $0 = false } }
        try await die(count, provider)
      }
      let counts = tally.counts
      #expect(provider.status.restarts == count + 5)
      #expect(counts.lost == 0 && counts.answered > 0 && counts.asked == counts.answered + counts.refused)
      #expect(try await provider.service.eventually("you") == "hello you")
      let after = (descriptors: try openDescriptors(), memory: residentKilobytes())
      #expect(after.descriptors <= before.descriptors)
      // The address sanitizer keeps freed memory for a while.
      #expect(after.memory - before.memory < (ProviderRuntime.isSanitized ? 131_072 : 16_384))
      #expect(try children() == others + 1)
      print(
        "\(count) deaths, \(counts.asked) requests: \(counts.answered) answered, \(counts.refused) refused, \(counts.lost) lost, the slowest",
        "\(Int(counts.slowest * 1_000)) ms; descriptors \(before.descriptors) → \(after.descriptors), KiB \(before.memory) → \(after.memory)"
      )
    }
  }

  /// Ends the provider's process this many times, each time in a different way, and waits for the next process.
  private func die(_ count: Int, _ provider: HostedProvider) async throws {
    let before = provider.status.restarts
    for number in 0..<count {
      switch number % 5 {
      case 0: if let process = provider.status.processID { kill(process, SIGKILL) }
      // A call is abandoned after 20 ms: only a cancelled call without a reply counts as a hang.
      case let kind:
        _ = await withTimeLimit(0.02, clock: SystemTime(), task: "death") {
          try? await provider.service.say(["trap", "hang", "flood", "exit"][kind - 1])
        }
      }
      try await waitUntil { provider.status.restarts > before + number }
      try #require(provider.status.restarts == before + number + 1)
      #expect(try await provider.service.eventually("you") == "hello you")
    }
  }

  /// Processes of this one, dead ones included.
  private func children() throws -> Int {
    let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { Int($0) != nil }
    return all.count { id in
      let status = try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
      return status?.contains("\nPPid:\t\(getpid())\n") == true
    }
  }

  private func residentKilobytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    return status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
