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

  @Test(
    "a key that Google or a gateway repeats in an error, as it is, percent-encoded or in base64, is in no reply, log, status or metric",
    arguments: [400, 403, 429, 500])
  func repeatedKey(status: Int) async throws {
    let key = "canary+key/7f3a=&x%9b1c~d"
    let percentEncoded = key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    // Without the digits that also encode what follows the key.
    let base64 = String(Data(key.utf8).base64EncodedString().prefix(key.utf8.count * 4 / 3))
    let forms = [key, percentEncoded, percentEncoded.lowercased(), base64]
    let server = try ScriptedServer { _ in
      let text = "KEY " + forms.joined(separator: " ") + " Basic " + Data("id:\(key)".utf8).base64EncodedString()
      let details: JSONValue = [
        "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": .string(text), "metadata": ["quota_limit": .string(text)],
      ]
      let error: JSONValue = ["code": .integer(Int64(status)), "message": .string(text), "status": .string(text), "details": [details]]
      return [.answer(status: status, headers: [("X-Error", text)], JSONValue.object(["error": error]).text)]
    }
    defer { server.stop() }
    let home = try Home()
    let keyFile = try home.folder.write(key + "\n", to: "key")
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyFile)
    try home.configure(
      providers: """
        [providers.google]
        plugin = "google"
        enabled = true
        base_url = "\(server.url)"
        allow_private_addresses = true
        api_key_file = "\(keyFile)"
        budget.calls_per_day = 100
        """)
    var outputs: [String: String] = [:]
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      try await client.ready("google")
      let only: JSONValue = ["google"]
      let calls: [(method: String, parameters: JSONValue)] = [
        ("places.autocomplete", ["query": "berl", "providers": only]),
        ("places.search", ["query": "berl", "fields": ["name"], "providers": only]),
        ("places.details", ["id": "google:A1", "fields": ["name"]]),
        ("places.reverse", ["location": ["latitude": 52, "longitude": 13], "providers": only]),
        ("places.resolve", ["query": "berl"]), ("providers.test", ["provider": "google"]), ("providers.list", [:]),
        ("providers.get", ["provider": "google"]), ("providers.log", ["provider": "google"]), ("service.log", ["level": "debug"]),
        ("service.info", [:]), ("service.metrics", [:]), ("budget.get", [:]),
      ]
      for (method, parameters) in calls {
        // A refused key suspends the provider.
        if method.hasPrefix("places.") { _ = try await client.call("providers.resume", ["provider": "google"]) }
        outputs[method] = try await client.call(method, parameters).text
      }
      for words in [
        ["status"], ["status", "--json"], ["providers", "test", "google"], ["providers", "log", "google"], ["metrics"], ["log"],
      ] {
        let run = try await ProgramRun("placesctl", words, environment: ["PLACES_SOCKET": home.socket])
        outputs[words.joined(separator: " ")] = run.output + run.diagnostics
      }
      daemon.signal(SIGTERM)
      #expect(try await daemon.exitCode() == 0)
    }
    outputs["log of the daemon"] = home.log
    #expect(server.requests.contains { $0.header("X-Goog-Api-Key") == key }, "the key was never sent")
    let answers = ["places.autocomplete", "places.search", "places.details", "places.reverse"]
    for name in answers + (status == 403 ? ["status", "log of the daemon"] : []) {
      #expect(outputs[name]?.contains("KEY ") == true, "\(name) has no word of the service: \(outputs[name] ?? "")")
    }
    for (name, output) in outputs { for form in forms { #expect(!output.contains(form), "\(name) has \(form): \(output)") } }
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
