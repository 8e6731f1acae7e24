import Configuration
import Foundation
import PluginHost
import JSON
import PlacesTesting
import Testing

@testable import placesctl

@Suite("plugins check validates a provider without a daemon")
struct PluginTests {
  /// The directory of the built plugins.
  private static let folder = PluginFile.defaultFolders()[0]
  private static let example = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../etc/examples/provider.py")
    .standardizedFileURL.path

  @Test("A bundled plugin passes the check, and no daemon is needed")
  func sound() async throws {
    let outcome = await run(["plugin", "check", "\(PluginTests.folder)/libPhoton.so", "--base-url", "http://127.0.0.1:9", "--json"])
    #expect(outcome.exit == .results, "\(outcome)")
    let report = try JSONValue(parsing: outcome.output)
    #expect(report["sound"] == true)
    #expect(report["findings"]?.array?.allSatisfy { $0["severity"] == "warning" } == true, "\(outcome.output)")
    #expect(outcome.asked == [])
  }

  @Test("A finding names the option that mends it")
  func option() async {
    let outcome = await run(["plugin", "check", "\(PluginTests.folder)/libPelias.so"])
    #expect(outcome.exit == .failed)
    #expect(
      outcome.output.contains("error: --base-url: it cannot be called without the address of its service; set --base-url\n"), "\(outcome)")
  }

  @Test("The gazetteer reads the index of its settings, or the one of the daemon", arguments: [true, false])
  func index(isSet: Bool) async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("no index", to: "gazetteer.db")
    let locations = Locations(environment: ["STATE_DIRECTORY": folder.path], userID: 1_000)
    let words = ["plugin", "check", "\(PluginTests.folder)/libGazetteer.so", "--query", "ulm"] + (isSet ? ["--set", "index=\(file)"] : [])
    let outcome = await run(words, locations: isSet ? .system : locations)
    #expect(outcome.output.contains(file) && !outcome.output.contains("Permission denied"), "\(outcome)")
  }

  @Test("A program that does not implement the protocol is reported, as text and as JSON")
  func unsound() async throws {
    let folder = try TemporaryFolder()
    let program = try folder.write("#!/bin/sh\nread line\necho nonsense\n", to: "provider")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let outcome = await run(["plugin", "check", program])
    #expect(outcome.exit == .failed)
    #expect(outcome.output.hasPrefix("error: start: "), "\(outcome)")
    #expect(outcome.output.hasSuffix("\nnot sound: 1 error, 0 warnings\n"), "\(outcome)")
    let lines = await run(["plugin", "check", program, "--jsonl"]).output.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(try JSONValue(parsing: String(lines.first ?? ""))["severity"] == "error")
  }

  @Test("A setting that the manifest does not have is reported; the one that it has is accepted")
  func settings() async {
    let photon = "\(PluginTests.folder)/libPhoton.so"
    let wrong = await run(["plugin", "check", photon, "--base-url", "http://127.0.0.1:9", "--set", "langages=[\"de\"]"])
    #expect(wrong.exit == .failed)
    #expect(wrong.output.contains("langages"), "\(wrong)")
    let right = await run(["plugin", "check", photon, "--base-url", "http://127.0.0.1:9", "--set", "languages=[\"de\"]"])
    #expect(right.exit == .results, "\(right)")
  }

  @Test("A sample's answer may be in a file of any size")
  func answerFile() async throws {
    let folder = try TemporaryFolder()
    let row = #"{"id": "1", "name": "Ulm", "country": "DE", "latitude": 48.4, "longitude": 10}"#
    let file = try folder.write("[\(row)\(String(repeating: " ", count: 200_000))]\n", to: "ulm.json")
    let words = ["plugin", "check", PluginTests.example, "--base-url", "http://127.0.0.1:9", "--query", "ulm", "--sample"]
    let outcome = await run(words + [file])
    #expect(outcome.exit == .results && !outcome.output.contains("the sample"), "\(outcome)")
    let damaged = await run(words + [try folder.write("[", to: "cut.json")])
    #expect(damaged.output.contains("warning: autocomplete, the sample: it failed"), "\(damaged)")
    let missing = await run(words + ["/nowhere.json"])
    #expect(missing.exit == .failed)
    #expect(missing.diagnostics == "placesctl: /nowhere.json: No such file or directory\n")
    #expect(await run(words + ["/"]).diagnostics == "placesctl: /: Is a directory\n")
    let endless = await run(words + ["/dev/zero"])
    #expect(endless.diagnostics == "placesctl: /dev/zero: it is larger than 2 MiB\n")
  }

  @Test("A check that cannot run is reported")
  func mistakes() async {
    let missing = await run(["plugin", "check", "/nowhere/libX.so"])
    #expect(missing.exit == .failed)
    let advice = "PATH must name a file: a plugin's program or .so, or a description, NAME.toml.\n"
    #expect(missing.diagnostics == "placesctl: /nowhere/libX.so: No such file or directory\n" + advice)
    #expect(await run(["plugin", "check", "/"]).diagnostics == "placesctl: /: Is a directory\n" + advice)
    let setting = await run(["plugin", "check", "/bin/sh", "--set", "x"])
    #expect(setting.exit == .usage)
    #expect(setting.diagnostics == "placesctl: plugin check: --set must be NAME=VALUE, not x\nSee: placesctl plugin check --help\n")
    let url = await run(["plugin", "check", "/bin/sh", "--base-url", "places.example"])
    #expect(url.exit == .usage)
    #expect(url.diagnostics.hasPrefix("placesctl: plugin check: --base-url must be an http or https address, not places.example\n"))
    let answer = await run(["plugin", "check", "/bin/sh", "--sample", "/dev/null"])
    #expect(answer.exit == .usage)
    #expect(answer.diagnostics.contains("--sample needs --query"))
  }
}
