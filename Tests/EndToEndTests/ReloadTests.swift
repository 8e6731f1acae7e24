import Foundation
import JSON
import PlacesTesting
import Testing

/// The effect of a reload on a provider with unchanged settings.
@Suite("A reload", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"))
struct ReloadTests {
  private func script(version: Int, terms: String = "") -> String {
    """
    import json, sys
    manifest = {"plugin": "own", "name": "Own", "version": "\(version)", "summary": "One place.", "autocomplete": {},
                "terms": {"source": "ours", "isolation": "system"\(terms)}, "hosts": ["places.example"]}
    answers = {"initialize": {"protocol": {"major": 1, "minor": 0}, "manifest": manifest}, "configure": {},
               "autocomplete": {"rows": [{"kind": "place", "id": "1", "text": {"text": "Own \(version)"}}]}}
    def say(message):
        print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if message.get("method") == "configure":
            say({"id": "keep", "method": "storage.set", "params": {"key": "count", "value": "kept"}})
        if "method" in message and "id" in message:
            say({"id": message["id"], "result": answers.get(message["method"], {})})
    """
  }

  private func settings(_ file: String, _ more: String = "") -> String {
    "[providers.own]\ncommand = [\"/usr/bin/python3\", \"\(file)\"]\nrate.concurrent = 32\nenabled = true\n\(more)\n"
  }

  /// A daemon with a provider that is a script.
  private func withOwn(terms: String = "", _ body: (Home, String, DaemonProcess, Connection) async throws -> Void) async throws {
    let home = try Home()
    let file = home.folder.file("own.py")
    try home.folder.write(script(version: 1, terms: terms), to: "own.py")
    try home.configure(providers: settings(file))
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      try await client.ready("own")
      try await body(home, file, daemon, client)
    }
  }

  @Test("200 reloads lose no request, and leave no descriptor and no memory behind")
  func many() async throws {
    let home = try Home()
    try await withDaemon(home) { daemon in
      let (administrator, client) = (try await daemon.connect(), try await daemon.connect())
      func reload(_ number: Int) async throws {
        try home.configure(providers: "[providers.gazetteer]\nweight = \(number % 2 == 0 ? "1.5" : "2.5")\n")
        let reload = administrator.request("service.reload", [:])
        // The query and the reload run at the same time.
        try administrator.send(reload.text + "\n")
        #expect(try await client.suggest("suva", ["cache": "bypass"]).ids == ["gazetteer:2193733"])
        #expect(try await administrator.reply()["result"]?["reloaded"] == true)
      }
      for number in 0..<20 { try await reload(number) }
      let before = (try daemon.descriptors(), try daemon.kilobytes())
      for number in 0..<200 { try await reload(number) }
      #expect(try daemon.descriptors() <= before.0)
      // Room for the memory that the allocator keeps; each reload makes some 100 KiB anew.
      #expect(try daemon.kilobytes() <= before.1 + 4_096)
      try await daemon.logged("the configuration was reloaded", times: 220)
    }
  }

  @Test("restarts a provider that returned another manifest, but not one whose licence allows more concurrent calls")
  func manifests() async throws {
    try await withOwn { home, file, daemon, client in
      try home.folder.write(script(version: 2), to: "own.py")
      for process in try daemon.children() { kill(process, SIGKILL) }
      try await daemon.logged("reload the configuration")
      #expect(try await client.suggest("own").report("own")?["outcome"] != "ok")
      _ = try await client.call("service.reload")
      try await client.ready("own")
      #expect(try await client.suggest("own").texts.contains("Own 2"))
      let running = try daemon.children()
      _ = try await client.call("service.reload")
      #expect(try daemon.children() == running, "nothing has changed")
      try home.configure(providers: settings(file, "license_override = \"a contract\""))
      _ = try await client.call("service.reload")
      #expect(try daemon.children() == running)
    }
  }

  @Test("neither restarts a provider nor ends its calls if its rate, weight, budget, terms or share of failures change")
  func callsUnderWay() async throws {
    try await withOwn { home, file, daemon, client in
      let gate = home.folder.file("gate")
      try #require(mkfifo(gate, 0o600) == 0)
      let slow = script(version: 2).replacing(
        "    if \"method\" in message and",
        with: "    if message.get(\"method\") == \"autocomplete\":\n        open(sys.argv[1]).read()\n    if \"method\" in message and")
      try home.folder.write(slow, to: "own.py")
      let common = "[providers.own]\ncommand = [\"/usr/bin/python3\", \"\(file)\", \"\(gate)\"]\nenabled = true\n"
      try home.configure(providers: common + "rate.concurrent = 32\n")
      _ = try await client.call("service.reload")
      try await client.ready("own")
      let running = try daemon.children()
      let changes = [
        "rate = { per_second = 3, burst = 2, concurrent = 2 }", "weight = 2", "budget = { calls_per_day = 50 }",
        "keep = { other_seconds = 1 }", "failure_share = 0.9",
      ]
      for change in changes {
        let caller = try await daemon.connect()
        let parameters: JSONValue = ["query": .string("own \(change.prefix(3))"), "deadlineMs": 10_000]
        try caller.send(caller.request("places.autocomplete", parameters).text + "\n")
        // The call waits for a writer of the pipe, and then for its end.
        let writer = try await eventually("the call") {
          let writer = open(gate, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
          return writer < 0 ? nil : writer
        }
        try home.configure(providers: common + (change.hasPrefix("rate") ? "" : "rate.concurrent = 32\n") + change + "\n")
        _ = try await client.call("service.reload")
        close(writer)
        #expect(try await caller.reply().report("own")?["outcome"] == "ok", "\(change)")
        #expect(try daemon.children() == running, "\(change)")
        if change.hasPrefix("budget") {
          let budget = try await client.call("budget.get", ["provider": "own"])
          #expect(budget["result"]?["providers"]?[0]?["day"]?["callLimit"] == 12, "a user's share of 50: \(budget.text)")
        }
      }
    }
  }

  @Test("does not apply changes that need a restart: restarted providers still use the old directories")
  func atNextStart() async throws {
    try await withOwn { home, file, daemon, client in
      let elsewhere = home.folder.file("elsewhere")
      for timeout in [900, 901] {
        try home.configure(providers: settings(file, "timeout_ms = \(timeout)") + "[providers.gazetteer]\ntimeout_ms = \(timeout)\n")
        let written = try String(contentsOfFile: home.configuration, encoding: .utf8)
        try home.folder.write(
          written.replacing("state_dir = \"\(home.folder.file("state"))\"", with: "state_dir = \"\(elsewhere)\""), to: "placesd.toml")
        let reply = try await client.call("service.reload")["result"]
        #expect(reply?["reloaded"] == true && reply?["atNextStart"] == ["daemon.state_dir"], "\(reply?.text ?? "")")
        let answer = try await client.suggest("munich", ["cache": "bypass"])
        #expect(answer.texts.contains("Munich, Bavaria, Germany"), "\(answer.text)")
        #expect(answer.report("own")?["outcome"] == "ok", "\(answer.text)")
      }
      let kept = home.folder.file("state/providers/own/count")
      #expect(try String(contentsOfFile: kept, encoding: .utf8) == "kept")
      #expect(!FileManager.default.fileExists(atPath: elsewhere))
    }
  }

  @Test("reports each mistake in a provider's settings separately, with its file and line, as the check before a start does")
  func mistakes() async throws {
    try await withOwn { home, file, daemon, client in
      try home.configure(providers: settings(file, "frob = 5\nfrobs = 6"))
      let errors = try await client.call("service.reload")["result"]?["errors"]?.array?.compactMap(\.string) ?? []
      #expect(errors.count == 2, "\(errors)")
      for (error, key) in zip(errors, ["frob", "frobs"]) {
        #expect(error.contains("placesd.toml:") && error.contains(": unknown key `providers.own.\(key)`"), "\(error)")
        #expect(!error.contains("\n") && !error.contains("cannot be started"), "\(error)")
        try await daemon.logged(error)
      }
      let checked = try await ProgramRun("placesd", ["--check", "--config", home.configuration])
      #expect(checked.exit == 6 && errors.allSatisfy { checked.diagnostics.contains($0 + "\n") }, "\(checked)")
    }
  }

  @Test("applies a configuration without a provider that crashes, reports that, and keeps the provider's log")
  func dying() async throws {
    try await withOwn { home, file, daemon, client in
      let script = self.script(version: 1).replacing(
        "say({\"id\": \"keep\"", with: "sys.exit(\"no licence on this machine\")\n        say({\"id\": \"keep\"")
      try home.folder.write(script, to: "own.py")
      try home.configure(providers: settings(file, "timeout_ms = 900"))
      let checked = try await ProgramRun("placesd", ["--check", "--config", home.configuration])
      #expect(checked.exit == 6 && checked.diagnostics.contains("no licence on this machine"), "\(checked)")
      let environment = ["PLACES_SOCKET": home.socket, "PLACES_CONFIG": home.configuration]
      let other = try await ProgramRun("placesctl", ["config", "check"], environment: environment)
      #expect(other.exit == 6 && other.diagnostics.contains("no licence on this machine"), "\(other)")
      let reply = try await client.call("service.reload")["result"]
      #expect(reply?["reloaded"] == true && reply?["errors"] == [], "\(reply?.text ?? "")")
      let told = reply?["failed"]?[0]?.string ?? ""
      #expect(told.contains("placesd.toml:") && [checked, other].allSatisfy { $0.diagnostics.contains(told) }, "all say the same: \(told)")
      #expect(reply?["failed"]?[0]?.string?.contains("ended itself with status 1 while it started") == true, "\(reply?.text ?? "")")
      let lines = try await client.call("providers.log", ["provider": "own"])["result"]?["lines"]
      #expect(lines?.array?.last?.string?.hasSuffix("Z no licence on this machine") == true, "\(lines?.text ?? "")")
      let status = try await client.call("providers.get", ["provider": "own"])["result"]?["provider"]
      #expect(status?["state"] == "failed")
      #expect(status?["reason"]?.string?.hasSuffix("; what it wrote: placesctl providers log own") == true, "\(status?.text ?? "")")
    }
  }

  private func paid(_ currency: String) -> String {
    script(version: 1).replacing(
      "\"hosts\": [",
      with: """
        "prices": {"currency": "\(currency)", "classes": [{"name": "c", "micros": 9}], "calls": {"autocomplete": "c"}}, "hosts": [
        """)
  }

  /// The settings of two providers that charge in two currencies, and of a sum over both.
  private func charging(_ home: Home) throws -> String {
    for currency in ["EUR", "USD"] { try home.folder.write(paid(currency), to: "\(currency).py") }
    let providers = ["EUR", "USD"].map { settings(home.folder.file("\($0).py")).replacing("[providers.own]", with: "[providers.\($0)]") }
    return "[quota]\nmoney_per_day = 1\n" + providers.joined()
  }

  @Test("rejects a total over two currencies, as both checks do; a start uses one currency and warns")
  func currencies() async throws {
    try await withOwn { home, file, daemon, client in
      try home.configure(providers: try charging(home))
      let checked = try await ProgramRun("placesd", ["--check", "--config", home.configuration])
      #expect(checked.exit == 6 && checked.diagnostics.contains("providers charge EUR in EUR, USD in USD"), "\(checked)")
      let reply = try await client.call("service.reload")["result"]
      #expect(reply?["reloaded"] == false, "\(reply?.text ?? "")")
      #expect(reply?["errors"]?[0]?.string.map { checked.diagnostics.contains($0) } == true, "\(reply?.text ?? "")")
      #expect(try await client.suggest("own").texts.contains("Own 1"), "the old one stays in force")
      daemon.signal(SIGTERM)
      #expect(try await daemon.exitCode() == 0)
      try await withDaemon(home) { later in
        let client = try await later.connect()
        try await client.ready("EUR")
        try await client.ready("USD")
        try await later.logged("providers charge EUR in EUR, USD in USD")
        let again = try await client.call("service.reload")["result"]
        #expect(again?["reloaded"] == true, "it was so before: \(again?.text ?? "")")
      }
    }
  }

  @Test("starts a provider with another currency once its file is corrected; the log warns about the sum once")
  func mended() async throws {
    let home = try Home()
    try home.configure(providers: try charging(home))
    try home.folder.write("import frobnication", to: "USD.py")
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      try await client.ready("EUR")
      try await daemon.logged("provider USD could not be started")
      let warning = "providers charge EUR in EUR, USD in USD"
      #expect(!home.log.contains(warning))
      try home.configure(daemon: "region = \"DE\"", providers: try charging(home))
      let reply = try await client.call("service.reload")["result"]
      #expect(reply?["reloaded"] == true && reply?["failed"] == nil, "\(reply?.text ?? "")")
      try await client.ready("USD")
      for method in ["disable", "enable"] { _ = try await client.call("providers.\(method)", ["provider": "gazetteer"]) }
      #expect(home.log.split(separator: warning, omittingEmptySubsequences: false).count == 2, "\(home.log)")
    }
  }

  @Test("reports the providers that could not be started, also if others are enabled or disabled meanwhile")
  func failures() async throws {
    try await withOwn { home, file, daemon, client in
      // A provider without a host does not leave the machine, and the daemon probes it.
      let slow = self.script(version: 2).replacing("\"places.example\"", with: "").replacing(
        "message = json.loads(line)",
        with: "message = json.loads(line)\n    if message.get(\"method\") == \"probe\": __import__(\"time\").sleep(0.9)")
      try home.folder.write(slow, to: "own.py")
      let dying = try home.folder.write("import frobnication", to: "dying.py")
      try home.configure(
        providers: settings(file, "timeout_ms = 901") + settings(dying).replacing("[providers.own]", with: "[providers.dying]"))
      try client.send(client.request("service.reload", [:]).text + "\n")
      try await daemon.logged("the configuration was reloaded")
      let change = try await daemon.connect().call("providers.disable", ["provider": "dying"])["result"]?["provider"]
      #expect(change?["state"] == "disabled", "\(change?.text ?? "")")
      let reply = try await client.reply()["result"]
      #expect(reply?["failed"]?[0]?.string?.contains("[providers.dying] cannot be started") == true, "\(reply?.text ?? "")")
    }
  }

  @Test("marks the cached data of a removed provider, which can still be purged; then it is no longer listed")
  func left() async throws {
    try await withOwn(terms: ", \"idsSeconds\": 600, \"coordinatesSeconds\": 600, \"otherSeconds\": 600") { home, _, _, client in
      func share() async throws -> JSONValue? {
        try await client.call("cache.stats")["result"]?["providers"]?.array?.first { $0["provider"] == "own" }
      }
      for query in ["own", "own", "ow"] { _ = try await client.suggest(query) }
      let before = try await share()
      #expect(before?["answers"]?.integer ?? 0 > 0 && before?["configured"] == nil, "\(before?.text ?? "none")")
      try home.configure()
      #expect(try await client.call("service.reload")["result"]?["reloaded"] == true)
      let after = try await share()
      #expect(after?["answers"] == before?["answers"] && after?["configured"] == false, "\(after?.text ?? "none")")
      let removed = try await client.call("cache.purge", ["provider": "own"])["result"]
      #expect(removed?["answers"] == before?["answers"], "\(removed?.text ?? "none")")
      let rest = try await share()
      #expect(rest == nil, "\(rest?.text ?? "")")
    }
  }

  @Test("providers reset restores the configured state of a provider")
  func reset() async throws {
    try await withOwn { home, _, _, client in
      for method in ["disable", "reset"] {
        let change = try await client.call("providers.\(method)", ["provider": "own"])["result"]?["provider"]
        #expect(change?["state"] == (method == "reset" ? "ready" : "disabled"), "\(change?.text ?? "")")
      }
      let kept = try String(contentsOfFile: home.folder.file("state/switches.json"), encoding: .utf8)
      #expect(!kept.contains("own"), "\(kept)")
      #expect(try await client.call("providers.reset", ["provider": "nosuch"])["error"] != nil)
    }
  }

  @Test("providers reset also works for a provider that is no longer configured")
  func resetOfRemoved() async throws {
    try await withOwn { home, file, _, client in
      _ = try await client.call("providers.disable", ["provider": "own"])
      try home.configure()
      #expect(try await client.call("service.reload")["result"]?["reloaded"] == true)
      let change = try await client.call("providers.reset", ["provider": "own"])
      #expect(change["result"]?["provider"]?["state"] == "disabled", "\(change.text)")
      #expect(try await client.call("providers.reset", ["provider": "own"])["error"] != nil, "nothing is left to forget")
      try home.configure(providers: settings(file))
      #expect(try await client.call("service.reload")["result"]?["reloaded"] == true)
      try await client.ready("own")
    }
  }

  @Test("Both checks include providers that were enabled by command, and none that were disabled")
  func checksOfSwitches() async throws {
    try await withOwn { home, file, _, client in
      _ = try await client.call("providers.disable", ["provider": "own"])
      let environment = ["PLACES_SOCKET": home.socket, "PLACES_CONFIG": home.configuration]
      func exits() async throws -> [Int32] {
        let check = try await ProgramRun("placesd", ["--check", "--config", home.configuration])
        return [check.exit, try await ProgramRun("placesctl", ["config", "check"], environment: environment).exit]
      }
      try home.folder.write("import frobnication", to: "own.py")
      #expect(try await exits() == [0, 0])
      try home.configure(providers: settings(file).replacing("enabled = true", with: "enabled = false"))
      #expect(try await client.call("service.reload")["result"]?["reloaded"] == true)
      _ = try await client.call("providers.enable", ["provider": "own"])
      #expect(try await exits() == [6, 6])
      _ = try await client.call("providers.reset", ["provider": "own"])
      #expect(try await exits() == [0, 0])
    }
  }

  @Test("changes nothing if a plugin refuses its settings")
  func refused() async throws {
    try await withOwn { home, file, daemon, client in
      let running = try daemon.children()
      for line in ["frob = 5", "plugin = \"own\"", "prices.nosuch.per_thousand = 1"] {
        try home.configure(daemon: "region = \"DE\"", providers: settings(file, line))
        let reply = try await client.call("service.reload")["result"]
        #expect(reply?["reloaded"] == false, "\(reply?.text ?? "")")
        #expect(reply?["errors"]?[0]?.string?.contains("placesd.toml:") == true, "\(reply?.text ?? "")")
        #expect(try daemon.children() == running)
        #expect(try await client.suggest("own").texts.contains("Own 1"))
        #expect(try await client.suggest("munich").texts.contains("Munich, Bavaria, Germany"), "no part of it is in force")
      }
    }
  }
}
