import Foundation
import JSON
import PlacesTesting
import Testing

@Suite("Start and stop of the daemon")
struct LifeTests {
  @Test("a second daemon on the same socket reports that and exits with 75; the first continues")
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

  @Test("a file at the path of a directory is reported")
  func fileAsFolder() async throws {
    let home = try Home(withIndex: false)
    try home.folder.write("", to: "state")
    #expect(try await DaemonProcess(home).exitCode() == 1)
    #expect(home.log.contains("\(home.folder.file("state")) is not a directory; see state_dir and cache_dir"), "\(home.log)")
  }

  @Test("a socket whose file was removed is bound again, and connected clients continue")
  func removedSocket() async throws {
    let home = try Home()
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      for round in 1...2 {
        try FileManager.default.removeItem(atPath: home.socket)
        _ = try await eventually("the new socket", within: 40, every: .milliseconds(50)) { try? Connection(to: home.socket) }
        try await daemon.logged("was removed; the daemon listens there again", times: round)
        #expect(try await daemon.suggest("suva").ids.isEmpty == false)
      }
      #expect(try await client.suggest("suva").ids.isEmpty == false)
      daemon.signal(SIGTERM)
      #expect(try await daemon.exitCode() == 0)
      #expect(!FileManager.default.fileExists(atPath: home.socket))
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

  @Test("SIGTERM: requests in flight are answered, others rejected, the socket is removed, and the daemon exits with 0 within five seconds")
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
    let log = home.folder.file("state/ledger.db-wal")
    #expect(!FileManager.default.fileExists(atPath: log), "the ledger's write-ahead log was not moved into its database")
    #expect(home.log.contains("stopped"))
  }

  @Test("A second SIGTERM ends the daemon and its providers' processes immediately, although a request is in progress")
  func secondSignal() async throws {
    let service = try PhotonService { _ in [.wait(3), .answer(PhotonService.berlin)] }
    defer { service.stop() }
    let home = try Home(providers: service.settings)
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      try await client.ready("photon")
      let processes = try daemon.children()
      #expect(processes.count == 1)
      try client.send(client.request("places.autocomplete", ["query": "berl", "deadlineMs": 3000]).text)
      try await eventually("the service's request") { service.asked.isEmpty ? nil : () }
      daemon.signal(SIGTERM)
      try await daemon.logged("draining")
      daemon.signal(SIGTERM)
      #expect(try await daemon.exitCode(within: 2) == 128 + SIGTERM)
      try await eventually("the end of its processes") { processes.contains { kill($0, 0) == 0 } ? nil : () }
    }
    #expect(home.log.contains("second signal: exiting immediately"))
  }

  @Test("SIGHUP keeps the old configuration and logs the reason if the file is invalid; otherwise it applies the new one")
  func reload() async throws {
    let home = try Home(daemon: #"region = "FR""#)
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      #expect(try await client.suggest("munich").texts == ["Munich, Bavaria, Germany"])
      // More problems than lines of one kind are logged in a moment.
      try home.configure(daemon: "region = 7\n" + (0..<12).map { "unknown\($0) = 1\n" }.joined())
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

  @Test("enable and disable by command survive a restart")
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

  @Test("A replaced index is used from the next second on, also for cached requests")
  func replacedIndex() async throws {
    let home = try Home()
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      for query in ["suva", "berl"] {
        for _ in 0..<2 { #expect(try await !client.suggest(query).ids.isEmpty) }
      }
      let file = home.index + ".new"
      try Home.buildIndex(at: file, lines: SamplePlaces.lines.filter { !$0.contains("Suva") })
      try #require(rename(file, home.index) == 0)
      try await eventually("the new index's answer", within: 5) { try await client.suggest("suva").ids.isEmpty ? () : nil }
      let kept = try await client.call("places.autocomplete", ["query": "suva", "cache": "only"])
      #expect(!kept.ids.contains("gazetteer:2193733"), "\(kept.text)")
    }
  }

  @Test("service.info follows the configuration and the switches; limits are those of its start")
  func info() async throws {
    let photon = "[providers.photon]\nplugin = \"photon\"\nbase_url = \"http://127.0.0.1:9\"\nallow_private_addresses = true\n"
    let home = try Home(providers: photon)
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      let first = try await client.call("service.info")
      #expect(first["result"]?["suggestedDebounceMs"] == 0, "\(first.text)")
      _ = try await client.call("providers.enable", ["provider": "photon"])
      #expect(try await client.call("service.info")["result"]?["suggestedDebounceMs"] == 150)
      try home.configure(daemon: "deadline_ms = 777", providers: photon + "[limits]\nbatch = 3\n")
      let reloaded = try await client.call("service.reload")["result"]
      #expect(reloaded?["reloaded"] == true && reloaded?["atNextStart"] == ["limits"])
      let last = try await client.call("service.info")
      #expect(last["result"]?["defaults"]?["deadlineMs"] == 777, "\(last.text)")
      #expect(last["result"]?["limits"]?["batch"] == first["result"]?["limits"]?["batch"])
    }
  }

  @Test("With cache.answers_mb = 0, no answer is repeated from memory")
  func noMemory() async throws {
    try await withDaemon(Home(providers: "[cache]\nmemory_mb = 0")) { daemon in
      let client = try await daemon.connect()
      for _ in 0..<3 {
        let reply = try await client.suggest("suva")
        #expect(reply.report("gazetteer")?["served"] == "live", "\(reply.text)")
      }
    }
  }

  @Test("Concurrent changes are applied one after the other, and a provider is started once")
  func changesTogether() async throws {
    try await withPhoton { service, home, daemon, client in
      for _ in 0..<3 {
        _ = try await client.call("providers.disable", ["provider": "photon"])
        let switching = try (0..<3).map { _ in try Connection(to: home.socket) }
        for (number, other) in switching.enumerated() {
          try other.send(
            other.request(number == 1 ? "service.reload" : "providers.enable", number == 1 ? [:] : ["provider": "photon"]).text)
        }
        daemon.signal(SIGHUP)
        for other in switching { #expect(try await other.reply()["result"] != nil) }
        try await client.ready("photon")
        try await eventually("one process") { try daemon.children().count == 1 ? () : nil }
      }
      try await daemon.logged("the configuration was reloaded", times: 6)
      let running = try daemon.children()
      #expect(running.count == 1)
      // Neither a switch of another provider nor a reload without news disturbs it.
      _ = try await client.call("providers.disable", ["provider": "gazetteer"])
      _ = try await client.call("service.reload")
      #expect(try daemon.children() == running)
      try home.configure(providers: service.settings + "\n[http]\nno_proxy = [\"example.org\"]")
      _ = try await client.call("service.reload")
      let renewed = try daemon.children()
      #expect(renewed.count == 1 && renewed != running, "another way out of the machine needs another start")
    }
  }

  @Test("SIGTERM is obeyed while a reload waits for a provider that does not start")
  func stopDuringReload() async throws {
    let home = try Home()
    try await withDaemon(home) { daemon in
      _ = try await daemon.connect()
      try home.configure(providers: "[providers.silent]\ncommand = [\"/bin/sleep\", \"60\"]\nenabled = true\n")
      daemon.signal(SIGHUP)
      try await eventually("the program's start") { try daemon.children().isEmpty ? nil : () }
      daemon.signal(SIGTERM)
      #expect(try await daemon.exitCode(within: 5) == 0)
    }
  }

  @Test(
    "A missing or damaged index is a data error of the provider; the daemon continues, and uses a new index",
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
