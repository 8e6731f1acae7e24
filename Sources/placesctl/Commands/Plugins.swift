import Configuration
import Glibc
import PluginHost
import JSON
import PlacesAPI
import PlacesKit

/// `placesctl plugin check`: checks that a provider obeys the contract of providers (places-provider(7)), before a daemon uses it.
enum PluginCommands {
  static let check = Command(
    path: ["plugin", "check"],
    arguments: [
      Argument(
        "PATH", .one,
        "The plugin (lib<Name>.so), a program that implements the provider protocol, or a description of a service (NAME.toml).")
    ],
    options: [
      Option("base-url", .text, "URL", "The address of the service, as base_url in the configuration."),
      Option("set", .text, "NAME=VALUE", isRepeatable: true, "One of the plugin's own settings, as in the configuration; may be repeated."),
      Option("query", .text, "TEXT", "A text for which the provider returns rows, so that the rows are checked too."),
      Option(
        "sample", .text, "FILE",
        "A saved answer of the service: for a description, shows its rows and what of them is not read; for others, the answer to --query."),
      Option("status", .integer, "CODE", "The HTTP status of the sample; shows which rule of [[errors]] fits. The default is 200."),
      Option(
        "call", .choice(["autocomplete", "search", "details", "reverse", "geocode", "photo"]), "CALL",
        "The call that the sample answers: autocomplete, search, details or reverse; by default the first."),
    ],
    summary: "Check that a provider obeys the contract, whatever its service returns.",
    notes: [
      "The provider runs as in the daemon, in a process of its own, but its requests are answered by this program: no network is used and nothing is paid.",
      "A description is checked as the daemon reads it, every mistake with its line and column; if it is sound, the plugin that reads it is checked with it.",
    ],
    exitCodes: [.results, .noResults, .failed], run: run)

  /// The result of the check for --json.
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

  static func run(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let path = absolute(invocation.arguments.first ?? "")
    var status = stat()
    var errorNumber: Int32 = 0
    if stat(path, &status) != 0 {
      errorNumber = errno
    } else if status.st_mode & S_IFMT == S_IFDIR {
      errorNumber = EISDIR
    }
    guard errorNumber == 0 else {
      throw Failure(
        .failed, "\(printable(path)): \(String(cString: strerror(errorNumber)))",
        advice: ["PATH must name a file: a plugin's program or .so, or a description, NAME.toml."])
    }
    if let url = invocation.text("base-url"), ServiceURL(url) == nil {
      throw invocation.usage("--base-url must be an http or https address, not \(printable(url))")
    }
    let settings = try givenSettings(invocation)
    var instance = InstanceDescription(
      id: "check", source: path.hasSuffix(".so") ? .file(path) : .command([path]), settings: settings,
      readablePaths: path.hasSuffix("/libGazetteer.so") ? indexFolders(settings, context) : [],
      // The user who runs this command could run the program without the sandbox as well.
      allowUnconfined: true)
    var advice: [ConformanceFinding] = []
    if path.hasSuffix(".toml") {
      let text = try contents(path)
      let savedAnswer = try invocation.text("sample").map { file throws(Failure) in try contents(file) }
      if savedAnswer == nil, invocation.has("status") { throw invocation.usage("--status needs --sample, the answer that has the status") }
      let result = try DescriptionCommands.check(path, text, sample: savedAnswer, settings: instance.settings, invocation, context)
      guard let description = result.description, savedAnswer == nil else { return result.exitCode }
      advice = DescriptionCommands.advice(on: description)
      instance = DescriptionCommands.instance(description, text, settings: instance.settings)
    } else if invocation.has("call") || invocation.has("status") {
      throw invocation.usage("--status and --call are for a description, whose file ends in .toml")
    }
    let sample = try givenSample(invocation)
    var findings = advice
    do throws(ProviderStartError) {
      findings += try await Conformance.check(instance, baseURL: invocation.text("base-url"), sample: sample)
    } catch {
      throw Failure(.failed, printable(error.message))
    }
    let errors = findings.count { $0.severity == .error }
    let rows = findings.map { Report.Row(severity: $0.severity.rawValue, subject: $0.subject, message: $0.message) }
    context.show(Report(path: path, sound: errors == 0, findings: rows), rows: "findings", of: invocation) {
      for finding in findings {
        let style: StyledText.Style = finding.severity == .error ? .red : .yellow
        let text = withOptionNames("\(finding.subject): \(finding.message)", check)
        let line = StyledText("\(finding.severity.rawValue): ", style) + StyledText(text)
        context.console.line(line.text(colour: context.console.usesColour))
      }
      let warnings = Format.count(findings.count - errors, "warning")
      context.console.line(errors == 0 ? "sound, \(warnings)" : "not sound: \(Format.count(errors, "error")), \(warnings)")
    }
    return errors == 0 ? .results : .failed
  }

  /// The text of a finding with each key of the configuration replaced by this command's option: `base_url` becomes `--base-url`.
  private static func withOptionNames(_ finding: String, _ command: Command) -> String {
    command.options.reduce(finding) { text, option in
      option.name.contains("-") ? text.replacing(option.name.replacing("-", with: "_"), with: "--\(option.name)") : text
    }
  }

  /// The paths that only the gazetteer may read: the path of the index in the settings, and the folders in which a daemon looks for an
  /// index.
  private static func indexFolders(_ settings: [String: JSONValue], _ context: CommandContext) -> [String] {
    (settings["index"]?.string.map { [$0] } ?? []) + Configuration.draft(locations: context.locations).configuration.dataDirectories
  }

  /// The sample for a check of a plugin, from --query and --sample; nil if neither is given.
  private static func givenSample(_ invocation: Invocation) throws(Failure) -> Conformance.Sample? {
    guard let query = invocation.text("query") else {
      if invocation.has("sample") { throw invocation.usage("--sample needs --query, the text that the sample answers") }
      return nil
    }
    guard let file = invocation.text("sample") else { return Conformance.Sample(query: query) }
    return Conformance.Sample(query: query, answer: try contents(file))
  }

  /// The bytes of a file or pipe, up to the size limit of a service's answer.
  static func contents(_ path: String) throws(Failure) -> [UInt8] {
    func failure(_ reason: String) -> Failure { Failure(.failed, "\(printable(path)): \(reason)") }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure(String(cString: strerror(errno))) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= 2 << 20 {
      let count = read(file, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(String(cString: strerror(errno))) }
      bytes += buffer[..<count]
    }
    throw failure("it is larger than 2 MiB")
  }

  /// The plugin's settings, from --set. A value that is not JSON is a string.
  private static func givenSettings(_ invocation: Invocation) throws(Failure) -> [String: JSONValue] {
    var settings: [String: JSONValue] = [:]
    for text in invocation.options["set"] ?? [] {
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else { throw invocation.usage("--set must be NAME=VALUE, not \(printable(text))") }
      settings[parts[0]] = (try? JSONValue(parsing: parts[1])) ?? .string(parts[1])
    }
    return settings
  }

  /// The absolute form of a path; a relative path is relative to the current folder.
  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
