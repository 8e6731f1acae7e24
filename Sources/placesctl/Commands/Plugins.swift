import Configuration
import Glibc
import Hosting
import JSON
import PlacesAPI
import PlacesKit

/// `placesctl plugin check`: whether a provider keeps to the contract, before a daemon is given it.
enum PluginCommands {
  static let check = Command(
    path: ["plugin", "check"],
    arguments: [Argument("PATH", .one, "The plugin (lib<Name>.so), or a program that speaks the provider protocol.")],
    options: [
      Option("base-url", .text, "URL", "The address of its service, as base_url in the configuration."),
      Option("set", .text, "NAME=VALUE", "One of the plugin's own settings, as in the configuration; may be repeated."),
      Option("query", .text, "TEXT", "A text that it finds something for, so that its rows are looked at as well."),
      Option("answer", .text, "BODY", "What its service answers to that, where it has one."),
    ],
    summary: "Check that a provider keeps to the contract, whatever its service answers.",
    notes: [
      "It runs as in the daemon, in a process of its own, but every request that it sends is answered here: no network is used and nothing is paid."
    ],
    exits: [.results, .failed], run: run)

  private struct Report: MethodResult {
    var path: String
    var sound: Bool
    var findings: [Row]
    struct Row: Codable, Sendable {
      var severity: String
      var subject: String
      var message: String
    }
  }

  static func run(_ invocation: Invocation, _ running: Running) async throws(Failure) -> ExitCode {
    let path = absolute(invocation.arguments.first ?? "")
    guard access(path, F_OK) == 0 else { throw Failure(.failed, "\(printable(path)): \(String(cString: strerror(errno)))") }
    let instance = InstanceDescription(
      id: "check", source: path.hasSuffix(".so") ? .file(path) : .command([path]), settings: try settings(invocation),
      // Who types this could run the program without the cage as well.
      allowUnconfined: true)
    if let url = invocation.text("base-url"), ServiceURL(url) == nil {
      throw invocation.usage("--base-url must be an http or https address, not \(printable(url))")
    }
    let answer = invocation.text("answer").map { Array($0.utf8) }
    let sample = invocation.text("query").map { Conformance.Sample(query: $0, answer: answer) }
    if sample == nil, answer != nil { throw invocation.usage("--answer needs --query, the text that it is the answer to") }
    let findings: [Finding]
    do throws(HostingError) { findings = try await Conformance.check(instance, baseURL: invocation.text("base-url"), sample: sample) } catch
    {
      throw Failure(.failed, printable(error.message))
    }
    let errors = findings.count { $0.severity == .error }
    let rows = findings.map { Report.Row(severity: $0.severity.rawValue, subject: $0.subject, message: $0.message) }
    running.show(Report(path: path, sound: errors == 0, findings: rows), rows: "findings", of: invocation) {
      for finding in findings {
        let style: Styled.Style = finding.severity == .error ? .red : .yellow
        let line = Styled("\(finding.severity.rawValue): ", style) + Styled("\(finding.subject): \(finding.message)")
        running.console.line(line.text(colour: running.console.colour))
      }
      let warnings = Words.count(findings.count - errors, "warning")
      running.console.line(errors == 0 ? "sound, \(warnings)" : "not sound: \(Words.count(errors, "error")), \(warnings)")
    }
    return errors == 0 ? .results : .failed
  }

  /// The plugin's settings: a value is JSON where it reads as such, else the text that stands there.
  private static func settings(_ invocation: Invocation) throws(Failure) -> [String: JSONValue] {
    var settings: [String: JSONValue] = [:]
    for text in invocation.options["set"] ?? [] {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else { throw invocation.usage("--set must be NAME=VALUE, not \(printable(text))") }
      settings[parts[0]] = (try? JSONValue(parsing: parts[1])) ?? .string(parts[1])
    }
    return settings
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
