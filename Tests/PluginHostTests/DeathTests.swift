import Foundation
import PlacesKit
import PlacesTesting
import Testing

@testable import PluginHost

@Suite(.timeLimit(.minutes(5)), .serialized)
struct DeathTests {
  static let deaths = [
    ("trap", "signal 4"), ("exit", "status 3"),
    // The address sanitizer ends an aborted process itself.
    ("abort", ProviderRuntime.isSanitized ? "status 1" : "signal"), ("hang", "hung"), ("spin", "hung"), ("ignore", "hung"),
    ("stop", "hung"),
  ]

  @Test("After a crash the call fails with the reason, and the next process answers", arguments: deaths)
  func costsOneAnswer(death: String, reason: String) async throws {
    try await withHosting { hosting, lines in
      let provider = try await hosting.start(.misbehaving()) { _ in .silent }
      let before = try #require(provider.status.processID)
      if death == "stop" { try await stop(before) }
      let error = await asked(provider.service, death, patience: reason == "hung" ? 0.02 : 10)
      #expect(error?.cause == (reason == "hung" ? .cancelled : .plugin))
      // A process with threads to spare answers on, until its grace is over.
      try await waitUntil { provider.status.restarts != 0 }
      #expect(try await provider.service.eventually("you") == "hello you")
      #expect(provider.status.restarts == 1)
      #expect(provider.status.lastEnd?.contains(reason) == true, "\(provider.status.lastEnd ?? "")")
      #expect(lines.all.contains { $0.contains(reason) && $0.contains("restarted") })
      #expect(kill(before, 0) == -1 && errno == ESRCH, "nothing is left of the process, not even a zombie")
    }
  }

  @Test("After the first crash, a call waits until the next process is ready")
  func waits() async throws {
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(.misbehaving()) { _ in .silent }
      let before = try #require(provider.status.processID)
      kill(before, SIGKILL)
      try await waitUntil { provider.status.processID != before }
      #expect(try await provider.service.say("you") == "hello you")
    }
  }

  /// Stops a process with SIGSTOP, and waits until all its threads are stopped.
  private func stop(_ process: Int32) async throws {
    kill(process, SIGSTOP)
    try await waitUntil { try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8).contains("State:\tT") }
  }

  /// Sends a request, and cancels it after this many seconds.
  private func asked(_ service: any PlaceService, _ query: String, patience: Double = 0.02) async -> ProviderError? {
    let result = await withTimeLimit(patience, clock: SystemTime(), task: "ask") { await self.result(service, query) }
    switch result {
    case .success: return nil
    case .failure(let error): return error
    case nil: return ProviderError(.cancelled, "")
    }
  }

  @Test("A cancelled call may be answered late, and the process continues")
  func cancelled() async throws {
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(.misbehaving()) { _ in .silent }
      let process = provider.status.processID
      for _ in 0..<5 { #expect(await asked(provider.service, "wait")?.cause == .cancelled) }
      // Longer than a provider may owe an answer.
      #expect(try await remains(for: 400) { provider.status.processID == process })
      #expect(try await provider.service.say("you") == "hello you")
      #expect(provider.status.processID == process)
    }
  }

  @Test("Other calls of a crashing process fail immediately, with the reason")
  func othersFail() async throws {
    try await withHosting { hosting, _ in
      let (fetches, signal) = AsyncStream.makeStream(of: Void.self)
      let provider = try await hosting.start(.misbehaving()) { _ in
        .with { _ throws(ProviderError) in
          signal.yield()
          await waitForCancellation()
          throw ProviderError(.cancelled, "cancelled")
        }
      }
      async let waiting = result(provider.service, "get places.example")
      for await _ in fetches { break }
      _ = try? await provider.service.say("exit")
      let outcome = await waiting
      let error = #expect(throws: ProviderError.self) { try outcome.get() }
      #expect(error?.message == "provider m ended itself with status 3" || error?.message == "provider m closed its output and was killed")
    }
  }

  private func result(_ service: any PlaceService, _ query: String) async -> Result<String?, ProviderError> {
    do throws(ProviderError) { return .success(try await service.say(query)) } catch { return .failure(error) }
  }

  @Test("A provider that crashes too often is off until it is resumed")
  func givenUp() async throws {
    try await withHosting(policy: LifeCycle.Policy(firstDelay: 0.001, maxDelay: 0.001, maxCrashes: 3)) { hosting, lines in
      let provider = try await hosting.start(.misbehaving()) { _ in .silent }
      for _ in 0..<3 { await #expect(throws: ProviderError.self) { try await provider.service.eventuallyDies() } }
      try await waitUntil { provider.status.state == .off }
      let error = await #expect(throws: ProviderError.self) { try await provider.service.say("you") }
      #expect(error?.message.contains("provider m is off since it ended itself with status 3") == true)
      // The line is written a moment after the state has changed.
      try await waitUntil { lines.all.contains { $0.contains("it is off for 10 minutes, or until it is resumed") } }
      provider.resume()
      #expect(try await provider.service.eventually("you") == "hello you")
    }
  }

  @Test("A provider that crashes too often is started again after the time for which it is off")
  func recovers() async throws {
    try await withHosting(policy: LifeCycle.Policy(firstDelay: 0.001, maxDelay: 0.001, maxCrashes: 3, window: 3)) { hosting, _ in
      let provider = try await hosting.start(.misbehaving()) { _ in .silent }
      for _ in 0..<3 { await #expect(throws: ProviderError.self) { try await provider.service.eventuallyDies() } }
      try await waitUntil { provider.status.state == .off }
      #expect(try await provider.service.eventually("you") == "hello you")
    }
  }

  @Test(
    "Memory past its limit ends the process, or is refused", .enabled(if: !ProviderRuntime.isSanitized, "a sanitizer needs more memory"))
  func memory() async throws {
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(.misbehaving(memoryLimit: 96 << 20)) { _ in .silent }
      let text = try await provider.service.say("hoard") ?? ""
      let held = try #require(Int(text.dropFirst("held ".count)))
      #expect((16..<96).contains(held), "\(held) MiB")
      #expect(try await provider.service.say("you") == "hello you")
    }
  }

  @Test(
    "A process that is busy with nothing ends, also where it ignores the kernel's signal",
    arguments: [("burn", "signal 24"), ("defy", "used more processor time than it may")])
  func processor(query: String, reason: String) async throws {
    try await withHosting { hosting, lines in
      var description = InstanceDescription.misbehaving()
      description.processorSeconds = 1
      let provider = try await hosting.start(description) { _ in .silent }
      #expect(try await provider.service.say(query) == "hello \(query)")
      // Seconds of processor time take minutes on a loaded machine.
      try await waitUntil { provider.status.restarts != 0 }
      #expect(provider.status.lastEnd?.contains(reason) == true, "\(provider.status.lastEnd ?? "lives on")")
      #expect(try await provider.service.eventually("you") == "hello you")
    }
  }

  @Test("A process that starts too many threads is killed before the user's thread limit is reached", arguments: ["crowd", "crowd later"])
  func threads(query: String) async throws {
    try await withHosting { hosting, _ in
      var description = InstanceDescription.misbehaving()
      description.processorSeconds = 1
      let provider = try await hosting.start(description) { _ in .silent }
      _ = try? await provider.service.say(query)
      try await waitUntil { provider.status.restarts != 0 }
      #expect(provider.status.lastEnd == "started more threads than it may and was killed")
      #expect(try await provider.service.eventually("you") == "hello you")
    }
  }

  @Test("Each request adds processor time, up to a bound")
  func allowance() {
    var allowance = ProcessorAllowance(maximum: 2)
    #expect(allowance.limit == 2)
    // More than two seconds are not saved up, and without requests nothing is added.
    for (requests, used, isRaised, limit) in [(100, 0, false, 2), (110, 1.6, true, 4), (110, 3.9, false, 4), (111, 3.9, true, 5)] {
      let outcome = allowance.update(requests: requests, used: used)
      #expect(outcome == isRaised && allowance.limit == limit)
    }
  }

  @Test("A provider that floods its standard error still answers, and ends when it is stopped")
  func flood() async throws {
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(.misbehaving()) { _ in .silent }
      let process = try #require(provider.status.processID)
      #expect(try await provider.service.say("shout") == "hello shout")
      #expect(try await provider.service.say("you") == "hello you")
      // Input within the bound is read at once.
      _ = try await remains(for: 500) { provider.status.processID == process }
      let (before, start) = (try bytesRead(), ContinuousClock.now)
      _ = try await remains(for: 500) { provider.status.processID == process }
      let bytes = try Double(bytesRead() - before)
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      // The allowance is for one read that was due before the time began, and for what else the test reads.
      #expect(bytes < ReadRate.standardError.bytesPerSecond * seconds + 262_144)
      await provider.stop()
      #expect(kill(process, 0) == -1 && errno == ESRCH)
    }
  }

  @Test("A stream is read no faster than its rate, and a burst within the bound is read without a pause")
  func readRate() {
    var rate = ReadRate(bytesPerSecond: 100, burst: 1_000)
    #expect(rate.recordRead(of: 1_000, at: 50) == nil)
    #expect(rate.recordRead(of: 100, at: 50) == 51)
    #expect(rate.recordRead(of: 100, at: 51) == 52)
    #expect(rate.recordRead(of: 500, at: 100) == nil)
  }

  @Test("A plugin's output is logged, up to the rate limit")
  func output() async throws {
    try await withHosting { hosting, lines in
      let provider = try await hosting.start(.misbehaving()) { _ in .silent }
      #expect(try await provider.service.say("print") == "hello print")
      #expect(try await provider.service.say("complain") == "hello complain")
      #expect(try await provider.service.say("you") == "hello you")
      #expect(provider.logLines.count <= ProviderLog.maxLines)
      #expect(lines.all.reduce(0) { $0 + $1.utf8.count } < 2 * ProviderLog.maxBytesPerMinute)
      #expect(provider.logLines.contains { $0.hasSuffix("Z complaint of a plugin") })
    }
  }

  @Test("An answer above the maximum line length is a separate error")
  func large() async throws {
    try await withHosting { hosting, _ in
      let provider = try await hosting.start(.misbehaving()) { _ in .silent }
      let error = await #expect(throws: ProviderError.self) { try await provider.service.say("large") }
      #expect(error?.cause == .tooLarge)
      #expect(try await provider.service.say("you") == "hello you")
    }
  }
}

/// The number of bytes that this process has read from files and pipes (`rchar` of proc_pid_io(5)).
private func bytesRead() throws -> Int {
  let counters = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
  let line = try #require(counters.split(separator: "\n").first { $0.hasPrefix("rchar: ") })
  return try #require(Int(line.dropFirst("rchar: ".count)))
}

extension PlaceService {
  func eventuallyDies() async throws {
    _ = try await eventually("alive")
    _ = try await say("exit")
  }
}
