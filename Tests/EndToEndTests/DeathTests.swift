import Foundation
import Glibc
import JSON
import PlacesKit
import PlacesTesting
import Synchronization
import Testing

@Suite("A daemon whose provider crashes repeatedly", .timeLimit(.minutes(30)))
struct DeathTests {
  static let settings = """
    [providers.m]
    plugin = "misbehaving"
    enabled = true
    isolation = "process"
    rate = { per_second = 10000, burst = 10000 }
    """

  @Test("answers 200 requests a second without losing one, and recovers completely")
  func underLoad() async throws {
    let count = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1" ? 1_000 : 4
    try await withDaemon(Home(providers: DeathTests.settings)) { daemon in
      try await daemon.connect().ready("m")
      // Memory allocated once by the first requests and crashes is not a leak.
      _ = try await load(daemon, while: { try await die(4, daemon) })
      let before = try (descriptors: daemon.descriptors(), memory: daemon.kilobytes())
      let (requests, late) = try await load(daemon, while: { try await die(count, daemon) })
      // It closes the connection of the load a moment after that has gone.
      _ = try? await eventually("the close of a connection", every: .milliseconds(5)) {
        try daemon.descriptors() <= before.descriptors ? () : nil
      }
      let after = try (descriptors: daemon.descriptors(), memory: daemon.kilobytes())
      // Fewer than one a death: the gazetteer may have opened its index for another request at the same time.
      #expect(after.descriptors < before.descriptors + min(count, 8))
      #expect(after.memory - before.memory < 16_384)
      #expect(try daemon.children().count == 1)
      print(
        "\(count) deaths under \(requests) requests to the daemon, all answered, \(late) of them late; its descriptors \(before.descriptors) →",
        "\(after.descriptors), KiB \(before.memory) → \(after.memory)")
    }
  }

  @Test("starts the next process after the first death, and it answers")
  func restart() async throws {
    try await withPhoton { _, _, daemon, client in
      let process = try #require(try daemon.children().first)
      Glibc.kill(process, SIGKILL)
      try await eventually("an answer of the next process", every: .milliseconds(10)) {
        // A call that fails meanwhile opens the breaker, as it should.
        _ = try await client.call("providers.resume", ["provider": "photon"])
        let reply = try await client.suggest("berl", ["cache": "bypass", "deadlineMs": 5_000])
        return reply.report("photon")?["outcome"] == "ok" ? () : nil
      }
      // `make bench` measures the time without other load.
      #expect(try daemon.children().contains { $0 != process })
    }
  }

  /// Sends 200 requests a second while another task runs. Every request must receive exactly one reply, with the gazetteer's row first. If
  /// the machine is too loaded to answer within the deadline, an error is accepted, but it must be rare.
  private func load(_ daemon: DaemonProcess, while body: () async throws -> Void) async throws -> (sent: Int, late: Int) {
    let socket = daemon.home.socket
    let goesOn = Switch()
    return try await withThrowingTaskGroup(of: (sent: Int, late: Int).self) { group in
      group.addTask(name: "200 requests a second") {
        let client = try Connection(to: socket)
        var (sent, late) = (0, 0)
        var open: Set<Int> = []
        try await eventually("the end of the load", within: 600, every: .milliseconds(5)) { () -> Void? in
          if goesOn.isOn {
            let request = client.request("places.autocomplete", ["query": "berl", "cache": "bypass", "deadlineMs": 100])
            try client.send(request.text + "\n")
            open.insert(try #require(request["id"]?.integer))
            sent += 1
          }
          // A reply may take its deadline, in which twenty more requests go out.
          guard open.count > 60 || !goesOn.isOn else { return nil }
          if open.isEmpty { return () }
          let reply = try await client.reply()
          #expect(reply["id"]?.integer.flatMap { open.remove($0) } != nil, "\(reply.text)")
          if reply.report("gazetteer")?["outcome"] == "timeout" {
            late += 1
          } else {
            #expect(reply.ids.first == "gazetteer:2950159", "\(reply.text)")
          }
          return nil
        }
        #expect(late <= sent / 10, "\(late) of \(sent)")
        return (sent, late)
      }
      defer { goesOn.turnOff() }
      try await body()
      goesOn.turnOff()
      return try await group.next() ?? (0, 0)
    }
  }

  /// Ends the provider's process this many times, and waits for the next process each time.
  private func die(_ count: Int, _ daemon: DaemonProcess) async throws {
    let client = try await daemon.connect()
    for number in 0..<count {
      let process = try await returned(daemon, client)
      switch number % 4 {
      case 0: Glibc.kill(process, SIGKILL)
      case 2: Glibc.kill(process, SIGSTOP)
      default: break
      }
      try await eventually("death \(number)", within: 60, every: .milliseconds(2)) {
        guard Home.isRunning(process) else { return () }
        // If the breaker is open again, no request reaches the process to kill it or to detect that it hangs.
        _ = try await client.call("providers.resume", ["provider": "m"])
        // Time enough for the request to reach the process, which answers with its death.
        if number % 2 == 1 { _ = try await client.suggest(number % 4 == 1 ? "trap" : "flood", ["providers": ["m"], "deadlineMs": 2000]) }
        return nil
      }
    }
    _ = try await returned(daemon, client)
  }

  /// The provider's process, once it answers again.
  private func returned(_ daemon: DaemonProcess, _ client: Connection) async throws -> Int32 {
    do {
      return try await eventually("the provider's return", within: 60, every: .milliseconds(5)) {
        // Its failures open its breaker, and five deaths turn it off: both as they should.
        _ = try await client.call("providers.resume", ["provider": "m"])
        return try await answers(client) ? try daemon.children().first : nil
      }
    } catch let late as ConditionTimeout {
      let standing = try await client.call("providers.get", ["provider": "m"])["result"]?["provider"]?.text ?? ""
      throw ConditionTimeout(description: "\(late)\n\(standing)\n\(daemon.home.log.suffix(4_000))")
    }
  }

  /// Whether the provider answers, with rows or without.
  private func answers(_ client: Connection) async throws -> Bool {
    let outcome = try await client.suggest("you", ["cache": "bypass", "providers": ["m"]]).report("m")?["outcome"]?.string
    return ["ok", "empty"].contains(outcome)
  }
}

/// A flag that two tasks share: whether the other one still runs.
private final class Switch: Sendable {
  private let state = Mutex(true)
  var isOn: Bool { state.withLock { $0 } }
  func turnOff() { state.withLock { $0 = false } }
}

extension DaemonProcess {
  func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/\(id)/fd").count }

  /// The memory that it holds now, in KiB.
  func kilobytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    return status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}
