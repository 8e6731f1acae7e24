import Configuration
import JSON
import PlacesAPI
import PlacesKit

/// `placesctl providers …`: the configured providers and their status.
enum ProviderCommands {
  private static let id = Argument("ID", .one, as: .provider, sets: "provider", "The id of the provider in the configuration.")

  static let all = [
    Command(
      path: ["providers", "list"], summary: "List the configured providers with the status of each.", exitCodes: ExitCode.administering,
      run: runList),
    Command(
      path: ["providers", "show"], arguments: [id], summary: "Show a provider's capabilities, terms, prices and status.",
      exitCodes: ExitCode.administering, run: runShow),
    Command(
      path: ["providers", "test"],
      arguments: [id, Argument("TEXT", .optional, sets: "query", "The text to search for; berlin by default.")],
      summary: "Send one real request to a provider and report what it cost.",
      exitCodes: [.results, .noResults, .failed, .unreachable, .deadline],
      run: runTest),
    Command(
      path: ["providers", "enable"], arguments: [id], summary: "Enable a provider, also after a restart of the daemon.",
      exitCodes: ExitCode.administering
    ) { (invocation, context) async throws(Failure) in try await change(ProvidersEnable.self, invocation, context) },
    Command(
      path: ["providers", "disable"], arguments: [id], summary: "Disable a provider, also after a restart of the daemon.",
      exitCodes: ExitCode.administering
    ) { (invocation, context) async throws(Failure) in try await change(ProvidersDisable.self, invocation, context) },
    Command(
      path: ["providers", "reset"], arguments: [id],
      summary: "Remove the effect of enable and disable: the configuration decides again.",
      notes: [
        "This also works for a provider that is no longer configured; otherwise the earlier command would take effect when it is configured again."
      ],
      exitCodes: ExitCode.administering
    ) { (invocation, context) async throws(Failure) in try await change(ProvidersReset.self, invocation, context) },
    Command(
      path: ["providers", "resume"], arguments: [id], summary: "End the suspension of a provider.", exitCodes: ExitCode.administering
    ) { (invocation, context) async throws(Failure) in try await change(ProvidersResume.self, invocation, context) },
    Command(
      path: ["providers", "log"], arguments: [id],
      options: [Option("lines", short: "n", .integer, "COUNT", sets: "lines", "The maximum number of lines.")],
      summary: "Print the latest log lines of a provider; for one that could not be started, what it wrote before it ended.",
      exitCodes: ExitCode.administering, run: runLog), DiscoverCommand.command,
  ]

  /// The table of providers.
  /// - Parameter showsReason: returns true if the reason why a provider is not ready is shown.
  static func table(_ providers: [ProviderStatus], showsReason: (ProviderStatus) -> Bool = { _ in true }) -> TextTable {
    TextTable(
      columns: [
        TextTable.Column(title: "PROVIDER"), TextTable.Column(title: "STATE"), TextTable.Column(title: "CALLS"),
        TextTable.Column(title: "SENT", isRightAligned: true),
        TextTable.Column(title: "FAILED", isRightAligned: true), TextTable.Column(title: "MEDIAN", isRightAligned: true),
        TextTable.Column(title: "REASON", shrinks: true),
      ],
      rows: providers.map { provider in
        let reason = (provider.reason ?? "") + (provider.until.map { ", until \($0)" } ?? "")
        return [
          StyledText(provider.id), StyledText(provider.state.rawValue.replacing("_", with: " "), style(provider.state)),
          StyledText(provider.calls.map(\.rawValue).joined(separator: " "), .dim), StyledText(Format.grouped(provider.counters.sent)),
          StyledText(Format.grouped(provider.counters.failed + provider.counters.timedOut)),
          StyledText(provider.counters.medianMs.map { Format.duration($0 / 1000) } ?? ""), StyledText(showsReason(provider) ? reason : ""),
        ]
      })
  }

  private static func style(_ state: ProviderStatus.State) -> StyledText.Style {
    switch state {
    case .ready: .green
    case .starting, .suspended, .overBudget: .yellow
    case .failed: .red
    case .disabled: .dim
    }
  }

  static func runList(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let result = try await context.call(ProvidersList.self, NoParameters())
    context.show(result, rows: "providers", of: invocation) { context.console.show(table(result.providers)) }
    return .results
  }

  static func runShow(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let parameters = try invocation.parameters(ProvidersGet.self)
    var result = try await call(ProvidersGet.self, parameters, context)
    // The daemon has no manifest of a provider that does not run. In this case, this program starts the plugin and reads its manifest.
    if result.manifest == nil, let configuration = try? Configuration.load(locations: context.locations),
      let settings = configuration[provider: parameters.provider]
    {
      result.manifest = await context.checkStart(configuration, settings).manifest
      result.provider.origins = result.manifest.map(settings.origins)
    }
    context.show(result, rows: nil, of: invocation) {
      context.console.show(table([result.provider]))
      if let manifest = result.manifest {
        context.console.lines(ManifestText.lines(manifest, origins: result.provider.origins, context.console))
      }
    }
    return .results
  }

  /// Calls a method for one provider. If the provider is not configured, the failure says how to configure it.
  static func call<M: PlacesAPI.Method>(
    _ method: M.Type, _ parameters: M.Parameters, _ context: CommandContext
  ) async throws(Failure) -> M.Result {
    do { return try await context.call(method, parameters) } catch {
      var failure = error
      if failure.exitCode == .noResults, let id = M.schema.encode(parameters)["provider"]?.string {
        failure.exitCode = .failed
        failure.advice = ProviderExamples.advice(on: id, locations: context.locations)
      }
      throw failure
    }
  }

  static func runTest(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let result = try await call(ProvidersTest.self, try invocation.parameters(ProvidersTest.self), context)
    let report = result.report
    context.show(result, rows: nil, of: invocation) {
      let cost =
        switch result.costMicros {
        case nil: "at a price that is not known"
        case 0?: "at no cost"
        case let micros?: "for \(Format.money(micros, result.currency ?? ""))"
        }
      let outcome = report.outcome.rawValue.replacing("_", with: " ")
      let rows = report.outcome.isAnswer ? ", " + Format.count(report.count, "row") : ""
      context.console.line("\(report.provider): \(outcome)\(rows) in \(Format.duration(report.latencyMs / 1000)), \(cost)")
      for row in result.rows { context.console.line("  " + printable(row)) }
      if let status = result.status { context.console.note("the service reports: \(printable(status))") }
      if let message = report.message { context.console.note(printable(message)) }
      if let message = result.serviceMessage { context.console.note("the service says: \(printable(message))") }
      if report.outcome == .suspended { context.console.note("to call it again now: placesctl providers resume \(report.provider)") }
    }
    switch report.outcome {
    case .ok: return .results
    case .empty: return .noResults
    case .timeout: return .deadline
    default: return .failed
    }
  }

  /// Enables, disables, resets or resumes a provider, and shows its new state.
  private static func change<M: PlacesAPI.Method>(
    _ method: M.Type, _ invocation: Invocation, _ context: CommandContext
  ) async throws(Failure) -> ExitCode where M.Parameters == ProviderParameters, M.Result == ProviderChange {
    let result = try await call(method, try invocation.parameters(method), context)
    context.show(result, rows: nil, of: invocation) {
      let reason = result.provider.reason.map { ": \(printable($0))" } ?? ""
      context.console.line("\(result.provider.id): \(result.provider.state.rawValue.replacing("_", with: " "))\(reason)")
    }
    if result.provider.state == .failed, M.self != ProvidersDisable.self {
      context.console.note("After you fix this, start it again with: placesctl config reload")
      if M.self == ProvidersEnable.self {
        let undo = "placesctl providers reset \(result.provider.id)"
        context.console.note("Until then it is enabled but does not run; to undo this command: \(undo)")
      }
    }
    return result.provider.state == .failed ? .failed : .results
  }

  static func runLog(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let result = try await call(ProvidersLog.self, try invocation.parameters(ProvidersLog.self), context)
    context.show(result, rows: nil, of: invocation) { LogLines.show(result.lines, context.console) }
    if result.lines.isEmpty { context.console.note("the provider wrote nothing; for the daemon's own log, run: placesctl log") }
    return .results
  }
}
