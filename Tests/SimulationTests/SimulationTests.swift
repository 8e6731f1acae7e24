import Foundation
import Synchronization
import Testing

/// The daemon with every input scripted. `PLACES_SIMULATION=number make simulation` plays one scenario again and prints what happened;
/// `PLACES_SIMULATION=first-last` plays those scenarios.
@Suite("The simulated daemon")
struct SimulationTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let replayed = environment["PLACES_SIMULATION"].flatMap { UInt64($0) }
  private static let range = environment["PLACES_SIMULATION"].flatMap { text -> ClosedRange<UInt64>? in
    let bounds = text.split(separator: "-").compactMap { UInt64($0) }
    return bounds.count == 2 && bounds[0] <= bounds[1] ? bounds[0]...bounds[1] : nil
  }
  /// If false, scenarios test the same, but cannot be repeated.
  private static let isReplayable = environment["SWIFT_DETERMINISTIC_HASHING"] != nil
  /// Fewer under a sanitizer.
  private static let count: UInt64 = environment["PLACES_PROVE"] == "1" ? 100_000 : isReplayable ? 1_000 : 50

  @Test(
    "For any fault: paid requests ≤ ledger ≤ budget; each request has one reply in time; no recorded spending is lost; no client waits forever"
  )
  func scenarios() async throws {
    let numbers = Self.replayed.map { $0...$0 } ?? Self.range ?? 1...Self.count
    let descriptorCount = try Self.descriptorCount()
    let outcome = await Scenarios(numbers, isTraced: Self.replayed != nil).run()
    let openedCount = try Self.descriptorCount() - descriptorCount
    #expect(openedCount < 50, "the daemons have left descriptors open, or the objects that own them")
    for failure in outcome.failures.prefix(3) {
      Issue.record("PLACES_SIMULATION=\(failure.number) make simulation: \(failure.violations.prefix(5).joined(separator: "; "))")
    }
    guard Self.replayed == nil else { return print(outcome.trace.joined(separator: "\n")) }
    print(outcome.total.table)
    #expect(outcome.total.isBusy(numbers.count), "the scenarios contained too few events: \(outcome.total)")
    let faults = outcome.total.faults
    #expect(Set(faults.keys).subtracting(Scenario.faultNames).sorted() == [], "faults that Scenario.faultNames lacks")
    if numbers.count >= 1_000 { #expect(Scenario.faultNames.filter { faults[$0, default: 0] < 3 }.sorted() == [], "rare faults") }
  }

  /// The number of descriptors that are open in this process.
  private static func descriptorCount() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }

  @Test("Two runs of a scenario are equal, job by job", .enabled(if: isReplayable))
  func isDeterministic() async throws {
    let numbers: ClosedRange<UInt64> = 1...40
    let (once, twice) = (await Scenarios(numbers).run(), await Scenarios(numbers).run())
    for number in numbers { #expect(once.digests[number] == twice.digests[number], "scenario \(number)") }
  }
}

/// The results of scenarios.
private struct Outcome: Sendable {
  struct Failure: Sendable {
    var number: UInt64
    var violations: [String]
  }
  struct Total: Sendable, CustomStringConvertible {
    var (kills, requests, results, errors) = (0, 0, 0, 0)
    /// The number of scenarios in which each fault happened, by its name.
    var faults: [String: Int] = [:]

    /// For 100,000 scenarios: at least 50,000 kills, 25,000 scenarios in which the clock is set, and 500,000 requests to services.
    func isBusy(_ scenarios: Int) -> Bool {
      kills > scenarios / 2 && faults[Scenario.clockFault, default: 0] > scenarios / 4 && requests > 5 * scenarios
        && results > 5 * scenarios
    }
    var table: String {
      faults.sorted { $0.key < $1.key }.map { "\($0.value) scenarios: \($0.key)" }.joined(separator: "\n")
    }
    var description: String { "\(kills) kills, \(requests) requests to services, \(results) results, \(errors) errors" }
  }
  var failures: [Failure] = []
  var total = Total()
  /// The digest of each scenario's trace.
  var digests: [UInt64: UInt64] = [:]
  /// The events, if there was only one scenario.
  var trace: [String] = []
}

/// Runs scenarios on separate threads, one for each processor, because they block while they wait for the daemon's threads.
private final class Scenarios: Sendable {
  private let numbers: ClosedRange<UInt64>
  private let isTraced: Bool
  private let state = Mutex((next: UInt64(0), outcome: Outcome()))

  init(_ numbers: ClosedRange<UInt64>, isTraced: Bool = false) {
    self.numbers = numbers
    self.isTraced = isTraced
    state.withLock { $0.next = numbers.lowerBound }
  }

  func run() async -> Outcome {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<min(8, ProcessInfo.processInfo.activeProcessorCount) {
        group.addTask {
          await withCheckedContinuation { continuation in
            Thread.detachNewThread {
              while let number = self.take() { self.run(number) }
              continuation.resume()
            }
          }
        }
      }
    }
    return state.withLock { $0.outcome }
  }

  private func take() -> UInt64? {
    state.withLock { state in
      // More failures would not add information.
      guard state.next <= numbers.upperBound, state.outcome.failures.count < 10 else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  private func run(_ number: UInt64) {
    do {
      let scenario = try Scenario(number, isTraced: isTraced)
      try scenario.run()
      state.withLock { state in
        state.outcome.digests[number] = scenario.digest
        let played = state.outcome.digests.count
        if played % 10_000 == 0 {
          let line = "\(played) of \(numbers.count) scenarios played, \(state.outcome.failures.count) failed\n"
          FileHandle.standardError.write(Data(line.utf8))
        }
        state.outcome.total.kills += scenario.kills
        state.outcome.total.requests += scenario.requests
        state.outcome.total.results += scenario.results
        state.outcome.total.errors += scenario.errors
        for fault in scenario.injectedFaultNames { state.outcome.total.faults[fault, default: 0] += 1 }
        state.outcome.trace += scenario.trace
        if !scenario.violations.isEmpty { state.outcome.failures.append(Outcome.Failure(number: number, violations: scenario.violations)) }
      }
    } catch {
      state.withLock { $0.outcome.failures.append(Outcome.Failure(number: number, violations: ["\(error)"])) }
    }
  }
}
