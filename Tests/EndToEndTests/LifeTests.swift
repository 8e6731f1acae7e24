import Foundation
import JSON
import Testing

@Suite("The daemon's life")
struct LifeTests {
  @Test("a second daemon on the same socket says so and exits 75; the first goes on")
  func alreadyRunning() async throws {
    let home = try Home()
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      try await withDaemon(home) { second in
        let code = try await second.exitCode()
        #expect(code == 75)
      }
      #expect(home.log.contains("already running: another daemon answers on \(home.socket)"))
      #expect(try await client.suggest("suva").ids == ["gazetteer:2193733"])
      #expect(try await daemon.suggest("suva").ids == ["gazetteer:2193733"])
    }
  }

  @Test("a socket that a killed daemon left is replaced")
  func staleSocket() async throws {
    let home = try Home()
    try await withDaemon(home) { daemon in
      _ = try await daemon.connect()
      daemon.signal(SIGKILL)
      #expect(try await daemon.exitCode() == -SIGKILL)
    }
    #expect(FileManager.default.fileExists(atPath: home.socket))
    try await withDaemon(home) { daemon in
      let reply = try await daemon.suggest("suva")
      #expect(reply.ids == ["gazetteer:2193733"], "\(reply.text)")
    }
  }

  @Test("SIGTERM answers what is under way, refuses the rest, removes the socket and exits 0 within five seconds")
  func drain() async throws {
    // The service answers long after the signal has come.
    let service = try PhotonService { _ in [.wait(0.5), .answer(PhotonService.berlin)] }
    defer { service.stop() }
    let home = try Home(providers: service.settings)
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      try await client.ready("photon")
      try client.send(client.request("places.autocomplete", ["query": "berl", "deadlineMs": 3000]).text)
      try await eventually("the service's request") { service.asked.isEmpty ? nil : () }
      daemon.signal(SIGTERM)
      try await daemon.logged("draining")
      let reply = try await client.reply()
      #expect(reply["result"]?["complete"] == true, "\(reply.text)")
      #expect(try await daemon.exitCode(within: 5) == 0)
      #expect(try await client.line() == nil)
    }
    #expect(!FileManager.default.fileExists(atPath: home.socket))
    #expect(home.log.contains("stopped"))
  }

  @Test("SIGHUP with a broken file keeps the old configuration and says why; with a good one it applies it")
  func reload() async throws {
    let home = try Home(daemon: #"region = "FR""#)
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      #expect(try await client.suggest("munich").texts == ["Munich, Bavaria, Germany"])
      try home.configure(daemon: "region = 7")
      daemon.signal(SIGHUP)
      try await daemon.logged("the old one stays in force")
      #expect(home.log.contains("placesd.toml:6:"), "\(home.log)")
      #expect(home.log.contains("region"))
      #expect(try await client.suggest("munich").texts == ["Munich, Bavaria, Germany"])
      try home.configure(daemon: #"region = "DE""#)
      daemon.signal(SIGHUP)
      try await daemon.logged("the configuration was reloaded")
      #expect(try await client.suggest("munich").texts == ["Munich, Bavaria"])
    }
  }

  @Test("what is switched off by command stays off over a restart, and what is switched on again stays on")
  func switches() async throws {
    let home = try Home()
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      let change = try await client.call("providers.disable", ["provider": "gazetteer"])
      #expect(change["result"]?["provider"]?["state"] == "disabled", "\(change.text)")
      #expect(try await client.suggest("suva")["error"]?["code"] == -32006)
      daemon.signal(SIGTERM)
      #expect(try await daemon.exitCode() == 0)
    }
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      #expect(try await client.suggest("suva")["error"]?["code"] == -32006)
      _ = try await client.call("providers.enable", ["provider": "gazetteer"])
      #expect(try await client.suggest("suva").ids == ["gazetteer:2193733"])
      daemon.kill()
      _ = try await daemon.exitCode()
    }
    try await withDaemon(home) { daemon in
      let reply = try await daemon.suggest("suva")
      #expect(reply.ids == ["gazetteer:2193733"], "\(reply.text)")
    }
  }

  @Test(
    "An index that is missing or damaged is an error of the provider's data; the daemon lives, and finds the one that is put there",
    arguments: [nil, "", "this is no index", String(repeating: "SQLite format 3\0", count: 1000)])
  func index(_ content: String?) async throws {
    let home = try Home(withIndex: false)
    // Named, so that an index of the machine's own does not step in.
    try home.configure(
      providers: """
        [providers.gazetteer]
        plugin = "gazetteer"
        enabled = true
        index = "\(home.index)"
        """)
    try FileManager.default.createDirectory(atPath: home.folder.file("state"), withIntermediateDirectories: true)
    if let content { try home.folder.write(content, to: "state/gazetteer.db") }
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      for query in ["berl", "suva"] {
        let reply = try await client.suggest(query)
        #expect(reply["error"]?["code"] == -32001, "\(reply.text)")
        #expect(reply.report("gazetteer")?["outcome"] == "error")
        #expect(reply.report("gazetteer")?["cause"] == "data")
      }
      try? FileManager.default.removeItem(atPath: home.index)
      try Home.buildIndex(at: home.index)
      #expect(try await client.suggest("suva", ["cache": "bypass"]).ids == ["gazetteer:2193733"])
    }
  }
}
