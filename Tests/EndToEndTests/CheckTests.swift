import Foundation
import JSON
import Testing

/// What the two checks say of a provider that cannot be brought up.
@Suite("A check", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"))
struct CheckTests {
  /// What both checks say.
  private func checks(_ home: Home) async throws -> [Ran] {
    let environment = ["PLACES_SOCKET": home.socket, "PLACES_CONFIG": home.configuration]
    let all = [
      try await Ran("placesd", ["--check", "--config", home.configuration]),
      try await Ran("placesctl", ["config", "check"], environment: environment),
    ]
    for one in all { #expect(one.exit == 6, "\(one)") }
    return all
  }

  private func home(script: String) throws -> Home {
    let home = try Home()
    try home.folder.write(script, to: "own.py")
    try home.configure(
      providers: "[providers.own]\ncommand = [\"/usr/bin/python3\", \"\(home.folder.file("own.py"))\"]\nenabled = true\n")
    return home
  }

  @Test("prints the reason that a provider gives itself in one line, without what a terminal would obey")
  func reason() async throws {
    let refusing = """
      import json, sys
      first = json.loads(sys.stdin.readline())
      error = {"code": 1, "message": "no\\nplaces\\u001b[2J here\\u202e"}
      print(json.dumps({"jsonrpc": "2.0", "id": first["id"], "error": error}), flush=True)
      sys.stdin.read()
      """
    for check in try await checks(try home(script: refusing)) {
      #expect(check.diagnostics.contains("no\u{FFFD}places\u{FFFD}[2J here\u{FFFD}"), "\(check)")
    }
  }
}
