import Foundation
import JSON
import PlacesTesting
import Testing

@Suite("A daemon that may open few files")
struct DescriptorTests {
  @Test("reserves a quarter of its descriptors, rejects further clients with a reason, and serves the others")
  func reserve() async throws {
    let home = try Home()
    try await withDaemon(home, in: .init(script: #"ulimit -n 48; exec "$@""#)) { daemon in
      let client = try await daemon.connect()
      #expect(try await client.suggest("suva").ids == ["gazetteer:2193733"])
      var crowd = try (0..<96).map { _ in try Connection(to: home.socket) }
      let refusal = try #require(try await crowd.last?.line()?["error"])
      #expect(refusal["code"] == -32008)
      #expect(refusal["message"]?.string?.contains("no file descriptors left") == true, "\(refusal)")
      #expect(try await client.suggest("berl").ids.first == "gazetteer:2950159")
      try await daemon.logged("no file descriptors left")
      #expect(home.log.components(separatedBy: "no file descriptors left").count <= 11, "a burst of lines, and not one a client")
      crowd = []
      try await eventually("room for a new client") {
        try? await Connection(to: home.socket).suggest("suva").ids == ["gazetteer:2193733"] ? () : nil
      }
    }
  }

  @Test("closes connections whose requests arrive slowly while descriptors are scarce, and keeps idle ones", .timeLimit(.minutes(2)))
  func dripping() async throws {
    let home = try Home()
    try await withDaemon(home, in: .init(script: #"ulimit -n 64; exec "$@""#)) { daemon in
      let idle = try await daemon.connect()
      #expect(try await idle.suggest("suva").ids == ["gazetteer:2193733"])
      let slow = try (0..<4).map { _ in try Connection(to: home.socket) }
      for client in slow { try client.send("{") }
      // Idle connections fill the remaining descriptors.
      var crowd: [Connection] = []
      try await eventually("a refusal") {
        let next = try Connection(to: home.socket)
        crowd.append(next)
        // The daemon closes a refused connection without reading.
        try? next.send(next.request("service.info", [:]).text + "\n")
        return try await next.reply()["error"]?["code"] == -32008 ? () : nil
      }
      #expect(slow.allSatisfy { !$0.isEnded })
      // Without a newcomer that would need their places.
      try await eventually("the end of the slow connections", every: .milliseconds(500)) {
        for client in slow { try? client.send(" ") }
        return slow.allSatisfy(\.isClosed) ? () : nil
      }
      for client in slow {
        let message = try await client.line()?["error"]?["message"]?.string
        let seconds = message?.split(separator: " ").compactMap { Int($0) }.first
        // A request has 30 s if descriptors are not scarce.
        #expect(message?.contains("was not finished in") == true && (1...6).contains(seconds ?? 0), "\(message ?? "")")
      }
      #expect(try await idle.suggest("berl").ids.first == "gazetteer:2950159")
      #expect(crowd.dropLast().allSatisfy { !$0.isClosed })
    }
  }

  @Test(
    "closes connections without a descriptor, pauses if it cannot accept at all, and then accepts again",
    .enabled(if: geteuid() == 0, "only root sees what another process has open"))
  func exhaustion() async throws {
    let home = try Home()
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      // All files are open then.
      for method in ["cache.stats", "budget.get"] { _ = try await client.call(method) }
      #expect(try await client.suggest("suva").ids == ["gazetteer:2193733"])
      try daemon.limitDescriptors(to: try daemon.descriptors())
      var crowd = try (0..<96).map { _ in try Connection(to: home.socket) }
      try await eventually("a client that is let go") { crowd.contains(where: \.isEnded) ? () : nil }
      try await daemon.logged("no file descriptors left")
      #expect(try await client.suggest("berl").ids.first == "gazetteer:2950159")
      // No descriptor is left, not even the spare one with which waiting clients are rejected.
      try daemon.limitDescriptors(to: 3)
      crowd += try (0..<8).map { _ in try Connection(to: home.socket) }
      try await daemon.logged("paused accepting connections")
      let before = try daemon.processorSeconds()
      let waits = try await remains(for: 1_000) { try daemon.processorSeconds() - before < 0.3 }
      #expect(waits, "it loops where it should wait")
      crowd = []
      try daemon.limitDescriptors(to: 1_024)
      try await eventually("room for a new client") {
        try? await Connection(to: home.socket).suggest("suva").ids == ["gazetteer:2193733"] ? () : nil
      }
    }
  }
}

extension DaemonProcess {
  /// Sets the process's limit of open descriptors (prlimit(1)).
  fileprivate func limitDescriptors(to number: Int) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
    process.arguments = ["--pid=\(id)", "--nofile=\(number):"]
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  /// The processor's time that the daemon has used (proc(5)).
  fileprivate func processorSeconds() throws -> Double {
    let status = try String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
    let fields = status.split(separator: ")").last?.split(separator: " ").compactMap { Double($0) } ?? []
    // Without the name and the state, utime and stime are the 11th and 12th.
    return try #require(fields.count > 11 ? (fields[10] + fields[11]) / Double(sysconf(Int32(_SC_CLK_TCK))) : nil)
  }
}
