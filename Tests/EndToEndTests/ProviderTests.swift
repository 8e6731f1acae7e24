import Foundation
import JSON
import PlacesTesting
import Testing

@Suite("A provider in a process of its own")
struct ProviderTests {
  @Test("Its rows are merged with the gazetteer's, with both credits, and cached")
  func blends() async throws {
    try await withPhoton { service, _, _, client in
      let live = try await client.suggest("berl")
      #expect(live["result"]?["complete"] == true, "\(live.text)")
      #expect(live.report("photon")?["served"] == "live")
      let rows = live["result"]?["suggestions"]?.array ?? []
      let sources = rows.first?["sources"]?.array?.compactMap { $0["id"]?.string } ?? []
      #expect(Set(sources) == ["gazetteer:2950159", "photon:relation/62422"], "\(live.text)")
      #expect(Set(live.ids).isDisjoint(with: sources.dropFirst()) && rows.allSatisfy { $0["alternatives"] == nil && $0["group"] == nil })
      #expect(live.texts.contains { $0.hasPrefix("Berliner Kaffee") })
      let credits = live["result"]?["attributions"]?.array?.compactMap { $0["text"]?.string } ?? []
      #expect(credits.contains { $0.contains("GeoNames") } && credits.contains { $0.contains("OpenStreetMap") })

      let kept = try await client.suggest("berl")
      #expect(kept.report("photon")?["served"] == "cache")
      #expect(kept.withoutTimes == live.withoutTimes)
      #expect(service.asked.count == 1)
    }
  }

  @Test("With merge = \"never\" its row is an alternative of the gazetteer's, and a row of its own without folding")
  func alternatives() async throws {
    try await withPhoton("merge = \"never\"") { _, _, _, client in
      let reply = try await client.suggest("berl")
      let row = try #require(reply["result"]?["suggestions"]?[0], "\(reply.text)")
      #expect(row["sources"]?.array?.compactMap { $0["id"]?.string } == ["gazetteer:2950159"])
      #expect(row["alternatives"]?.array?.compactMap { $0["id"]?.string } == ["photon:relation/62422"], "\(reply.text)")
      let flat = try await client.suggest("berl", ["fold": false])
      let rows = flat["result"]?["suggestions"]?.array ?? []
      let group = try #require(rows.first { $0["id"] == "gazetteer:2950159" }?["group"], "\(flat.text)")
      #expect(rows.filter { $0["group"] == group }.compactMap { $0["id"]?.string } == ["gazetteer:2950159", "photon:relation/62422"])
    }
  }

  @Test("A license_override is logged once")
  func licence() async throws {
    let licence = "merge = \"free\"\nlicense_override = \"a test's own data\""
    try await withPhoton(licence) { _, _, daemon, _ in
      daemon.signal(SIGHUP)
      try await daemon.logged("the configuration was reloaded")
      let lines = daemon.home.log.components(separatedBy: "follows your licence instead of its terms: a test's own data")
      #expect(lines.count == 2, "the licence is logged once:\n\(daemon.home.log)")
    }
  }

  @Test("has its call cancelled when the only client disconnects, but not when the client only shuts down its writing side")
  func hangUp() async throws {
    let service = try PhotonService { _ in [.wait(30)] }
    defer { service.stop() }
    try await withDaemon(Home(providers: service.settings)) { daemon in
      try await daemon.connect().ready("photon")
      for leaves in [true, false] {
        let asked = service.asked.count
        var client: Connection? = try Connection(to: daemon.home.socket)
        let request = client?.request("places.autocomplete", ["query": "berl", "deadlineMs": 4000, "cache": "bypass"])
        try client?.send((request?.text ?? "") + "\n")
        try await eventually("the service's request") { service.asked.count > asked ? () : nil }
        if leaves {
          client = nil
          // Long before the request's deadline and the call's limit.
          try await eventually("the end of the transfer", within: 2) { service.open == 0 ? () : nil }
        } else {
          client?.halfClose()
          let reply = try await client?.reply()
          #expect(reply?.report("photon")?["outcome"] == "timeout", "\(reply?.text ?? "")")
          #expect(reply?.ids.first == "gazetteer:2950159")
        }
      }
    }
  }

  @Test("may be killed: the next answer still has the gazetteer's rows, and the provider is restarted")
  func killed() async throws {
    try await withPhoton { _, _, daemon, client in
      let before = try daemon.children()
      #expect(before.count == 1)
      for process in before { Glibc.kill(process, SIGKILL) }
      let reply = try await client.suggest("berl", ["cache": "bypass", "deadlineMs": 3000])
      #expect(reply.ids.first == "gazetteer:2950159", "\(reply.text)")
      // With more frequent requests, the provider would fail so often that its breaker opens for seconds.
      try await eventually("the provider's return", within: 40, every: .milliseconds(400)) {
        let reply = try await client.suggest("berl", ["cache": "bypass"])
        return reply.report("photon")?["outcome"] == "ok" ? () : nil
      }
      let after = try daemon.children()
      #expect(after.count == 1 && after != before)
    }
  }

  @Test("is reported as failed if it crashed too often, with cause and time, until it is resumed")
  func off() async throws {
    try await withPhoton { _, _, daemon, client in
      let status = try await eventually("the provider's end", within: 60, every: .milliseconds(50)) { () -> JSONValue? in
        for process in try daemon.children() { Glibc.kill(process, SIGKILL) }
        let status = try await client.call("providers.get", ["provider": "photon"])["result"]?["provider"]
        return status?["state"] == "failed" ? status : nil
      }
      #expect(status["cause"] == "plugin")
      let reason = status["reason"]?.string ?? ""
      #expect(reason.hasPrefix("its process ended too often, last at 2") && reason.contains("signal 9"), "\(reason)")
      _ = try await client.call("providers.resume", ["provider": "photon"])
      try await client.ready("photon")
    }
  }

  @Test("whose service refuses the key is not called after a restart of the daemon, until the key changes or it is resumed")
  func refusedKey() async throws {
    let service = try ScriptedServer { _ in [.answer(status: 401, "{}")] }
    defer { service.stop() }
    let home = try Home()
    let key = try home.folder.write("a-key", to: "key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
    let settings = Home.pelias(at: service.url) + "\napi_key_file = \"\(key)\""
    try home.configure(providers: settings)
    func ask(_ asked: Int, _ more: (Connection) async throws -> Void = { _ in }) async throws {
      try await withDaemon(home) { daemon in
        let client = try await daemon.connect()
        try await eventually("the provider's start") {
          let state = try await client.call("providers.get", ["provider": "pelias"])["result"]?["provider"]?["state"]
          return state == "ready" || state == "suspended" ? () : nil
        }
        try await more(client)
        let reply = try await client.suggest("berl")
        #expect(service.requests.count == asked, "\(reply.text)")
        try await eventually("the note of it") { FileManager.default.fileExists(atPath: home.folder.file("state/refused.json")) ? () : nil }
        daemon.signal(SIGTERM)
        _ = try await daemon.exitCode()
      }
    }
    try await ask(1)
    for _ in 0..<2 { try await ask(1) }
    try await ask(2) { _ = try await $0.call("providers.resume", ["provider": "pelias"]) }
    try await ask(2)
    try home.configure(providers: settings + "\ntimeout_ms = 900")
    try await ask(3)
    try home.configure(providers: settings + "\ntimeout_ms = 900\n[http]\nno_proxy = [\"places.example\"]")
    try await ask(4)
    try await ask(4)
  }

  @Test("whose service refuses access without a key is called again, and the reason contains advice")
  func keyless() async throws {
    let service = try ScriptedServer { _ in [.answer(status: 403, "{}")] }
    defer { service.stop() }
    let home = try Home(providers: Home.pelias(at: service.url))
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      try await client.ready("pelias")
      for (number, query) in ["berl", "paris"].enumerated() {
        let report = try await client.suggest(query).report("pelias")
        let message = report?["message"]?.string ?? ""
        #expect(report?["cause"] == "http" && message.contains("HTTP 403") && message.contains("no key is configured"), "\(message)")
        #expect(service.requests.count == number + 1, "what was refused is refused again at once")
      }
      try await daemon.logged("its service refuses access, and no key is configured")
      try await client.ready("pelias")
    }
  }

  @Test("ends with the daemon, also when the daemon is killed", arguments: [SIGTERM, SIGKILL])
  func ends(_ signal: Int32) async throws {
    try await withPhoton { _, _, daemon, _ in
      let child = try #require(try daemon.children().first)
      daemon.signal(signal)
      _ = try await daemon.exitCode()
      try await eventually("the provider's end", within: 5) { Home.isRunning(child) ? nil : () }
    }
  }
}

extension Home {
  /// True if a process runs; a zombie process does not.
  static func isRunning(_ process: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
    return status.split(separator: ")").last?.split(separator: " ").first != "Z"
  }
}
