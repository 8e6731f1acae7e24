import Foundation
import JSON
import PlacesTesting
import Testing

/// The output of a provider that could not be started, as both checks show it.
@Suite("A check", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"))
struct CheckTests {
  /// A provider that writes a line, and ends while it is configured.
  private let script = """
    import json, sys
    print("warming\\x1b[2J\\u202eup", file=sys.stderr, flush=True)
    manifest = {"plugin": "own", "name": "Own", "version": "1", "summary": "One place.", "autocomplete": {},
                "terms": {"source": "ours"}, "settings": [{"name": "token", "kind": "string", "summary": "A token."}]}
    first = json.loads(sys.stdin.readline())
    result = {"protocol": {"major": 1, "minor": 0}, "manifest": manifest}
    print(json.dumps({"jsonrpc": "2.0", "id": first["id"], "result": result}), flush=True)
    sys.exit("no service for " + json.loads(sys.stdin.readline())["params"]["settings"].get("token", "nobody"))
    """

  /// The output of both checks.
  private func checks(_ home: Home) async throws -> [ProgramRun] {
    let environment = ["PLACES_SOCKET": home.socket, "PLACES_CONFIG": home.configuration]
    let all = [
      try await ProgramRun("placesd", ["--check", "--config", home.configuration]),
      try await ProgramRun("placesctl", ["config", "check"], environment: environment),
    ]
    for one in all { #expect(one.exit == 6, "\(one)") }
    return all
  }

  private func home(_ settings: String, script: String? = nil) throws -> Home {
    let home = try Home()
    try home.folder.write(script ?? self.script, to: "own.py")
    try home.configure(
      providers: "[providers.own]\ncommand = [\"/usr/bin/python3\", \"\(home.folder.file("own.py"))\"]\nenabled = true\n\(settings)\n")
    return home
  }

  @Test("prints the lines of a process that had no settings, without terminal control characters")
  func shown() async throws {
    for check in try await checks(try home("")) {
      #expect(check.diagnostics.contains("no service for nobody"), "\(check)")
      #expect(!check.diagnostics.contains("\u{1B}") && !check.diagnostics.contains("\u{202E}"), "\(check)")
    }
    let early = "import sys\nsys.exit('no map')\n"
    for check in try await checks(try home("token = \"s3cret\"", script: early)) {
      #expect(check.diagnostics.contains("no map"), "\(check)")
    }
  }

  @Test("does not print the lines of a process that had its settings, and says how an administrator can read them")
  func withheld() async throws {
    let home = try home("token = \"s3cret\"")
    for check in try await checks(home) {
      #expect(!check.diagnostics.contains("s3cret") && !check.output.contains("s3cret"), "\(check)")
      #expect(check.diagnostics.contains("its output is not shown here, since it may contain its settings"), "\(check)")
      #expect(check.diagnostics.contains("placesctl providers log own"), "\(check)")
    }
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      let lines = try await eventually("the provider's end") {
        let lines = try await client.call("providers.log", ["provider": "own"])["result"]?["lines"]?.array
        return lines?.isEmpty == false ? lines : nil
      }
      #expect(lines.last?.string?.hasSuffix("no service for s3cret") == true, "\(lines)")
    }
  }

  @Test("and a status do not show the process's lines if the file has an invalid key")
  func mistaken() async throws {
    let home = try home("tokens = \"s3cret\"")
    for check in try await checks(home) {
      #expect(check.diagnostics.contains("unknown key `providers.own.tokens`"), "\(check)")
      #expect(!check.diagnostics.contains("warming") && !check.diagnostics.contains("wrote"), "\(check)")
    }
    try await withDaemon(home) { daemon in
      let client = try await daemon.connect()
      let reason = try await eventually("the reason") {
        let status = try await client.call("providers.get", ["provider": "own"])["result"]?["provider"]
        return status?["state"] == "failed" ? status?["reason"]?.string : nil
      }
      #expect(reason.contains("unknown key") && !reason.contains("wrote"), "\(reason)")
    }
  }

  @Test("prints a provider's own reason in one line, without terminal control characters")
  func reason() async throws {
    let refusing = """
      import json, sys
      first = json.loads(sys.stdin.readline())
      error = {"code": 1, "message": "no\\nplaces\\u001b[2J here\\u202e"}
      print(json.dumps({"jsonrpc": "2.0", "id": first["id"], "error": error}), flush=True)
      sys.stdin.read()
      """
    for check in try await checks(try home("", script: refusing)) {
      #expect(check.diagnostics.contains("no\u{FFFD}places\u{FFFD}[2J here\u{FFFD}"), "\(check)")
    }
  }
}
