import Foundation
import JSON
import PlacesTesting
import Testing

@Suite("A daemon whose provider misbehaves")
struct MisbehaviourTests {
  private static let isProving = ProcessInfo.processInfo.environment["PLACES_PROVE"] == "1"

  /// Starts a flood of the provider's standard error, and waits until it arrives in the daemon.
  private func flood(_ daemon: DaemonProcess, _ client: Connection, times: Int = 1) async throws {
    try await client.ready("m")
    let reply = try await client.suggest("shout", ["providers": ["m"], "deadlineMs": 10_000])
    #expect(reply.report("m")?["outcome"] == "empty", "\(reply.text)")
    try await daemon.logged("louder", times: times)
  }

  @Test("answers other clients, disables the provider and obeys SIGTERM while the provider floods its standard error")
  func flooding() async throws {
    let home = try Home(providers: DeathTests.settings)
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      try await flood(daemon, client)
      let process = try #require(try daemon.children().first)
      #expect(try await daemon.suggest("suva").ids == ["gazetteer:2193733"])
      let reply = try await client.call("providers.disable", ["provider": "m"])
      #expect(reply["result"]?["provider"]?["state"] == "disabled", "\(reply.text)")
      try await eventually("the end of its process") { Home.isRunning(process) ? nil : () }
      _ = try await client.call("providers.enable", ["provider": "m"])
      try await flood(daemon, client, times: 2)
      daemon.signal(SIGTERM)
      // A daemon that waits for a provider ends with status 1 after ten seconds.
      #expect(try await daemon.exitCode() == 0)
    }
  }

  @Test("ends at the second SIGTERM while a provider floods its standard error and does not answer")
  func secondSignal() async throws {
    let home = try Home(providers: DeathTests.settings)
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      try await flood(daemon, client)
      let processes = try daemon.children()
      try client.send(client.request("places.autocomplete", ["query": "wait", "providers": ["m"], "deadlineMs": 10_000]).text + "\n")
      // The daemon has read the request when it answers the next one.
      _ = try await client.call("service.info")
      daemon.signal(SIGTERM)
      try await daemon.logged("draining")
      daemon.signal(SIGTERM)
      #expect(try await daemon.exitCode() == 128 + SIGTERM)
      try await eventually("the end of its processes") { processes.contains(where: Home.isRunning) ? nil : () }
    }
  }

  /// A daemon with the misbehaving plugin in its own process, which is allowed under the name of a bundled plugin only.
  private func inProcess() throws -> Home {
    let home = try Home()
    let folder = home.folder.file("plugins")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/libPhoton.so", withDestinationPath: "\(try DaemonProcess.programs)/libMisbehaving.so")
    try home.configure(
      daemon: "plugin_dirs = [\"\(folder)\", \"\(try DaemonProcess.programs)\"]",
      providers: """
        [providers.m]
        plugin = "photon"
        enabled = true
        isolation = "in-process"
        license_override = "a provider of the tests"
        rate = { per_second = 10000, burst = 10000 }
        """)
    return home
  }

  /// Sends requests that the provider never answers, more than the daemon has threads. They end with the returned connection.
  private func block(_ daemon: DaemonProcess, _ query: String) async throws -> Connection {
    let client = try await daemon.connect()
    try await client.ready("m")
    for number in 0..<16 {
      try client.send(
        client.request("places.autocomplete", ["query": .string("\(query) \(number)"), "providers": ["m"], "deadlineMs": 10_000]).text
          + "\n")
    }
    try await eventually("that the requests were read") { client.unreadBytes == 0 ? () : nil }
    return client
  }

  /// `ignore` never answers, `hang` blocks a thread, `spin` occupies a processor.
  private static let blocking = ["ignore", "hang", "spin"]

  @Test("ends at the second SIGTERM although a provider in the daemon's process blocks its threads", arguments: blocking)
  func secondSignal(query: String) async throws {
    try await withDaemon(inProcess()) { daemon in
      let client = try await block(daemon, query)
      daemon.signal(SIGTERM)
      // Otherwise the two would be one signal.
      try await eventually("that the first signal was read") { try daemon.isPending(SIGTERM) ? nil : () }
      daemon.signal(SIGTERM)
      #expect(try await daemon.exitCode() == 128 + SIGTERM)
      withExtendedLifetime(client) {}
    }
  }

  @Test(
    "ends with status 1 ten seconds after SIGTERM although a provider in the daemon's process blocks its threads",
    .enabled(if: isProving, "it takes half a minute, in make prove"), arguments: blocking)
  func timeLimit(query: String) async throws {
    let home = try inProcess()
    try await withDaemon(home) { daemon in
      let client = try await block(daemon, query)
      daemon.signal(SIGTERM)
      let start = ContinuousClock.now
      #expect(try await daemon.exitCode(within: 60) == 1)
      let ending = ContinuousClock.now - start
      #expect(ending > .seconds(9) && ending < .seconds(13))
      #expect(home.log.contains("still running 10 s after the first signal"), "\(home.log)")
      withExtendedLifetime(client) {}
    }
  }
}

extension DaemonProcess {
  /// Whether a signal was sent that the daemon has not read (proc(5)).
  fileprivate func isPending(_ signal: Int32) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("ShdPnd:") })
    let signals = try #require(UInt64(line.dropFirst("ShdPnd:\t".count), radix: 16))
    return signals & 1 << (signal - 1) != 0
  }
}
