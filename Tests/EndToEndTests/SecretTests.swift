import Foundation
import JSON
import PlacesTesting
import Testing

@Suite("Secrets")
struct SecretTests {
  @Test("is not logged: neither queries, with any outcome, nor keys, which are in no other file either")
  func canaries() async throws {
    let (key, query) = ("canarykey7f3a", "canaryquery9b1c")
    // Answers, refusals and invalid responses alternate, because errors are where secrets could leak.
    let service = try ScriptedServer { request in
      switch request.connection % 4 {
      case 1: [.answer(#"{"type":"FeatureCollection","features":[]}"#), .close]
      case 2: [.answer(status: 403, "the key \(key) may not ask for \(query)"), .close]
      case 3: [.answer("<html>\(key) \(query)"), .close]
      default: [.close]
      }
    }
    defer { service.stop() }
    let home = try Home()
    let keyFile = try home.folder.write(key + "\n", to: "key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile)
    try home.configure(providers: Home.pelias(at: service.url) + "\napi_key_file = \"\(keyFile)\"")
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      try await client.ready("pelias")
      var replies = ""
      for round in 0..<6 { replies += try await client.suggest("\(query)\(round)").text }
      replies += try await client.suggest(query, ["limit": .string(query)]).text
      replies += try await client.call("providers.list").text + client.call("providers.log", ["provider": "pelias"]).text
      replies += try await client.call("service.log", ["level": "debug"]).text
      replies += try await client.call("service.metrics").text + client.call("providers.get", ["provider": "pelias"]).text
      #expect(!replies.contains(key))
      daemon.signal(SIGHUP)
      try await daemon.logged("the configuration was reloaded")
      daemon.signal(SIGTERM)
      #expect(try await daemon.exitCode() == 0)
    }
    #expect(service.requests.contains { $0.target.contains(key) && $0.target.contains(query) }, "the canaries never flew")
    #expect(!home.log.isEmpty && !home.log.contains(key) && !home.log.contains(query), "\(home.log)")
    let files = FileManager.default.enumerator(atPath: home.folder.path)?.compactMap { $0 as? String } ?? []
    #expect(files.contains("cache/cache.db"))
    for file in files where file != "key" {
      guard let bytes = FileManager.default.contents(atPath: home.folder.file(file)) else { continue }
      #expect(!bytes.contains(key), "the key stands in \(file)")
      #expect(file.hasPrefix("cache/") || !bytes.contains(query), "the query stands in \(file)")
    }
  }

  @Test("is not written by libraries, whatever the environment variables request")
  func environment() async throws {
    let home = try Home(providers: Home.pelias(at: "http://127.0.0.1:9"))
    let secrets = home.folder.file("secrets")
    let setting = DaemonProcess.Setting(environment: ["SSLKEYLOGFILE": secrets, "OPENSSL_CONF": secrets])
    try await withDaemon(home, in: setting) { daemon in
      let client = try await daemon.connect()
      try await client.ready("pelias")
      _ = try await client.suggest("berl")
      let names = try String(contentsOfFile: "/proc/\(daemon.id)/environ", encoding: .utf8)
      #expect(names.contains("SSLKEYLOGFILE="), "the daemon was started with it")
    }
    #expect(!FileManager.default.fileExists(atPath: secrets))
  }

  @Test("is in no crash report, whatever the runtime is configured to write", arguments: [SIGILL, SIGTRAP, SIGBUS, SIGSEGV])
  func crash(signal: Int32) async throws {
    let home = try Home(withIndex: false)
    let setting = DaemonProcess.Setting(environment: ["SWIFT_BACKTRACE": "enable=yes,threads=all,registers=all,color=no"])
    try await withDaemon(home, in: setting) { daemon in
      _ = try await daemon.connect().suggest("canaryquery9b1c")
      daemon.signal(signal)
      #expect(try await daemon.exitCode() == -signal)
    }
    for word in ["canaryquery9b1c", "crashed", "Thread", "Registers"] { #expect(!home.log.contains(word), "\(home.log)") }
  }
}

extension Data {
  fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
