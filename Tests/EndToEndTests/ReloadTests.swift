import Foundation
import JSON
import PlacesTesting
import Testing

/// What a reload of the configuration does to a provider whose own settings did not change.
@Suite("A reload", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"))
struct ReloadTests {
  private func script(version: Int) -> String {
    """
    import json, sys
    manifest = {"plugin": "own", "name": "Own", "version": "\(version)", "summary": "One place.", "autocomplete": {},
                "terms": {"source": "ours", "isolation": "system"}, "hosts": ["places.example"]}
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
  private func withOwn(_ body: (Home, String, DaemonProcess, Connection) async throws -> Void) async throws {
    let home = try Home()
    let file = home.folder.file("own.py")
    try home.folder.write(script(version: 1), to: "own.py")
    try home.configure(providers: settings(file))
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      try await client.ready("own")
      try await body(home, file, daemon, client)
    }
  }

  @Test("starts a provider anew that came back with another manifest, and one whose licence lets it call more often at once")
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
      #expect(try daemon.children() != running)
    }
  }

  @Test("leaves for the next start what takes effect then: providers that are started anew find their data and their index where they were")
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

  @Test("marks what is kept of a provider that it takes away, and that can be forgotten still")
  func left() async throws {
    try await withOwn { home, _, _, client in
      func share() async throws -> JSONValue? {
        try await client.call("cache.stats")["result"]?["providers"]?.array?.first { $0["provider"] == "own" }
      }
      for query in ["own", "own", "ow"] { _ = try await client.suggest(query) }
      let before = try await share()
      #expect(before != nil && before?["configured"] == nil, "\(before?.text ?? "none")")
      try home.configure()
      #expect(try await client.call("service.reload")["result"]?["reloaded"] == true)
      let after = try await share()
      #expect(after?["configured"] == false, "\(after?.text ?? "none")")
      _ = try await client.call("cache.purge", ["provider": "own"])
      #expect(try await share()?["answers"] ?? 0 == 0)
    }
  }

  @Test("Whether a provider is on is up to the configuration again once the command that switched it is forgotten")
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

  @Test("changes nothing where a plugin refuses what is written for it")
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
