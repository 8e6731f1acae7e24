import Foundation
import PlacesKit
import PlacesTesting
import Testing

@testable import PluginHost

/// The log of a provider that could not be started, and the users who may read it.
@Suite(.timeLimit(.minutes(2)), .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs /usr/bin/python3"))
struct LastWordsTests {
  /// Sends its manifest and reads its settings.
  static let greeting = """
    import sys, json
    manifest = {"plugin": "p", "name": "P", "version": "1", "summary": "s", "autocomplete": {}, "terms": {"source": "test"},
      "settings": [{"name": "word", "kind": "string", "summary": "s"}]}
    def say(message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
    say({"id": json.loads(sys.stdin.readline())["id"], "result": {"protocol": {"major": 1, "minor": 0}, "manifest": manifest}})
    settings = sys.stdin.readline()

    """

  /// The reason why it cannot be started.
  private func failure(of script: String, settings: [String: JSONValue] = [:]) async throws -> ProviderStartError {
    try await withHosting { hosting, _ in
      let error = await #expect(throws: ProviderStartError.self) {
        try await hosting.start(
          InstanceDescription(id: "x", source: .command(["/usr/bin/python3", "-c", script]), isolation: .process, settings: settings)
        ) { manifest in
          ProviderContext(
            id: "x", http: { _ throws(ProviderError) in HTTPResponse(status: 200, body: []) }, storage: MemoryStorage(), log: { _, _ in },
            now: { 0 })
        }
      }
      return try #require(error)
    }
  }

  @Test(
    "are heard also where the line has no end",
    arguments: [("import sys\n", " (no licence)"), (greeting, "")])
  func unended(before: String, told: String) async throws {
    let error = try await failure(
      of: before + "sys.stderr.write('no licence'); sys.stderr.flush(); sys.exit(3)")
    #expect(error.message.hasSuffix("ended itself with status 3\(told) while it started"), "\(error)")
    #expect(error.logLines.count == 1 && error.logLines.first?.hasSuffix("Z no licence") == true, "\(error.logLines)")
  }

  @Test("are for administrators only after the process received a setting or stored data")
  func confidential() async throws {
    let end = "sys.exit('bad ' + settings)"
    let early = try await failure(of: "import sys; sys.exit('no map')", settings: ["word": "s3cret"])
    #expect(!early.isConfidential && early.logLines.count == 1)
    let bare = try await failure(of: Self.greeting + end)
    #expect(!bare.isConfidential && bare.logLines.count == 1)
    let told = try await failure(of: Self.greeting + end, settings: ["word": "s3cret"])
    #expect(told.isConfidential && told.logLines.first?.contains("s3cret") == true)
    let asked = "say({'id': 'a', 'method': 'storage.get', 'params': {'key': 'k'}}); sys.stdin.readline();"
    #expect(try await failure(of: Self.greeting + asked + end).isConfidential)
  }

  @Test(
    "are the last line that is not blank, unless the reason has it already",
    arguments: [
      (["T first", "T last", "T ", "T  \u{FFFD}"], "ended", "last"), (["T 1"], "was ended by signal 11", "1"), ([], "ended", nil),
      (["T "], "ended", nil), (["T no map"], "ended itself with status 1 (no map) while it started", nil),
      (["T no map"], "provider x cannot start: no map", nil),
    ] as [([String], String, String?)])
  func last(lines: [String], message: String, words: String?) {
    var error = ProviderStartError(.start, "x", message)
    error.logLines = lines
    #expect(error.lastErrorLine.map(String.init) == words)
  }
}
