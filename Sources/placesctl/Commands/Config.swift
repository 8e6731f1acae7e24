import Configuration
import JSON
import PlacesAPI
import PlacesKit

/// `placesctl config …`: checks, shows and reloads the daemon's configuration.
enum ConfigCommands {
  private static let file = Argument("FILE", .optional, "The main file; by default $PLACES_CONFIG, the user's file or the system's.")

  static let all = [
    Command(
      path: ["config", "check"], arguments: [file], summary: "Check the configuration and report the errors in it.",
      notes: [
        "One run reports all errors. Every provider is started for a moment but not queried. A disabled provider does not need a key, an address or a contact yet, and a disabled command is not run; its settings are checked when it is enabled. If a provider ends, its standard error is shown only if it had not yet received its settings, because it could repeat secrets in them; otherwise a daemon shows it to administrators: placesctl providers log ID. To test whether a service answers and accepts its key: placesctl providers test ID"
      ],
      exitCodes: [.results, .configuration], run: runCheck),
    Command(
      path: ["config", "show"], arguments: [file], options: [Option("origin", "Show the origin of each value.")],
      summary: "Print all values in force.",
      notes: [
        "If a provider was enabled or disabled by command, that state is shown; its origin is the file in state_dir that records it."
      ],
      exitCodes: [.results, .configuration], run: runShow),
    Command(
      path: ["config", "reload"], summary: "Make the daemon reload its configuration; an invalid one changes nothing.",
      notes: [
        "If the configuration is valid, providers that could not be started are reported on standard error, and the exit status is 0. The settings of disabled providers are not examined; placesctl config check examines them."
      ],
      exitCodes: [.results, .failed, .unreachable, .configuration, .deadline], run: runReload),
  ]

  /// The result of `config check` for --json.
  private struct Check: MethodResult {
    var files: [String]
    var problems: [Problem]
    struct Problem: Codable, Sendable {
      var source: String
      var line: Int?
      var column: Int?
      var message: String
      var suggestion: String?
    }
  }

  /// The result of `config show` for --json.
  private struct Entries: MethodResult {
    var entries: [Entry]
    struct Entry: Codable, Sendable {
      var name: String
      var value: JSONValue
      var origin: String
    }
  }

  static func runCheck(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let draft = Configuration.draft(path: invocation.arguments.first, locations: context.locations)
    let configuration = draft.configuration
    let enabled = configuration.enabledProviders
    var problems = draft.problems
    var notes = [configuration.daemon.adminGroupNote, configuration.daemon.gatewayUserNote].compactMap { $0 }
    var manifests: [String: Manifest] = [:]
    for settings in configuration.providers where settings.namesProgram {
      let isEnabled = enabled.contains { $0.id == settings.id }
      // A disabled provider's program is not started.
      guard isEnabled || settings.command == nil else { continue }
      let outcome = await context.checkStart(configuration, settings)
      // A disabled provider may lack required settings.
      let missingSettings = isEnabled ? [] : outcome.manifest.map(settings.missingSettings) ?? []
      problems += outcome.problems.filter { !missingSettings.contains($0) }
      guard isEnabled, let manifest = outcome.manifest else { continue }
      manifests[settings.id] = manifest
      notes += settings.notes(for: manifest, locations: context.locations)
    }
    for note in notes { context.console.note(printable(note)) }
    if let problem = configuration.mixedCurrencyProblem(manifests) { problems.append(problem) }
    guard problems.isEmpty else { return show(ConfigurationErrors(problems).problems, invocation, context) }
    context.show(Check(files: configuration.files, problems: []), rows: "problems", of: invocation) {
      let files = configuration.files
      context.console.lines(files.isEmpty ? ["No file; the defaults apply."] : files.map { printable($0) + ": good" })
      let names = enabled.map { $0.id + ($0.enabled ? "" : " (by command)") }
      context.console.line("Enabled providers: \(names.isEmpty ? "none" : names.joined(separator: ", ")).")
      if !files.isEmpty, invocation.arguments.isEmpty {
        context.console.line("A running daemon uses changes of these files after: placesctl config reload")
      }
    }
    return .results
  }

  private static func show(_ configurationProblems: [ConfigurationProblem], _ invocation: Invocation, _ context: CommandContext) -> ExitCode
  {
    let problems = configurationProblems.map { problem in
      Check.Problem(
        source: problem.origin.source, line: problem.origin.line == 0 ? nil : problem.origin.line,
        column: problem.origin.line == 0 ? nil : problem.origin.column, message: problem.message, suggestion: problem.suggestion)
    }
    context.show(Check(files: [], problems: problems), rows: "problems", of: invocation) {
      for problem in configurationProblems { context.console.note(printable(problem.description)) }
      context.console.note(Format.count(problems.count, "problem"))
    }
    return .configuration
  }

  static func runShow(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let configuration: Configuration
    do { configuration = try Configuration.load(path: invocation.arguments.first, locations: context.locations) } catch {
      throw Failure(.configuration, error.problems.map { printable($0.description) }.joined(separator: "\n"))
    }
    let entries = configuration.effectiveValues
    let result = Entries(entries: entries.map { .init(name: $0.name, value: $0.value, origin: $0.origin.description) })
    context.show(result, rows: "entries", of: invocation) {
      for entry in entries {
        // Paths are not shortened, because the reader may want to open the file. Each line has its own gap, so that one long path does not
        // widen all lines.
        let value = StyledText("\(entry.name) = \(entry.value.text)")
        let gap = String(repeating: " ", count: max(2, 50 - value.width))
        let origin = invocation.has("origin") ? StyledText(gap + entry.origin.description, .dim) : StyledText("")
        context.console.line((value + origin).text(colour: context.console.usesColour))
      }
    }
    return .results
  }

  static func runReload(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let result = try await context.call(ServiceReload.self, NoParameters())
    context.show(result, rows: nil, of: invocation) {
      if result.reloaded { context.console.line("The new configuration is in force.") }
      for section in result.atNextStart {
        context.console.note("\(section): the change takes effect at the next start of the daemon")
      }
      for error in result.errors { context.console.note(printable(error)) }
      if !result.reloaded { context.console.note("The configuration in force was not changed.") }
    }
    // The configuration is in force without the providers that could not be started.
    for failure in result.failed ?? [] { context.console.note(printable(failure)) }
    return result.reloaded ? .results : .configuration
  }
}
