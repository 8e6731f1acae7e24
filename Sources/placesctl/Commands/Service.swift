import JSON
import PlacesAPI
import PlacesClient
import PlacesKit

/// `placesctl status`, `info`, `types`, `metrics`, `log`: the daemon itself.
enum ServiceCommands {
  static let all = [status, info, types, metrics, log]

  static let status = Command(
    path: ["status"],
    options: [
      Option(
        "wait", .longTime, "TIME",
        "How long to wait until the daemon answers and its providers have started: 500ms, 2s, or a number of seconds.")
    ],
    summary: "Report whether the daemon answers, and the status of each provider.",
    notes: [
      "The column SENT counts the calls that were attempted since the daemon's start, also those whose connection failed. FAILED counts those among them that ended with an error or were not answered in time. A call that ended without an answer, because no client waited for it any longer or a budget stopped it, counts only in SENT.",
      "The exit status is 3 if an enabled provider is not ready.",
    ],
    exitCodes: [.results, .partial, .failed, .unreachable, .deadline], run: runStatus)

  static let info = Command(
    path: ["info"], summary: "Show the daemon's name, version, limits and defaults.", exitCodes: ExitCode.administering, run: runInfo)

  static let types = Command(
    path: ["types"], summary: "List the types of places, with each provider's own names for them.", exitCodes: ExitCode.administering,
    run: runTypes)

  static let metrics = Command(
    path: ["metrics"],
    options: [
      Option("format", .choice(["json", "openmetrics"]), "FORMAT", sets: "format", "The format: json, or openmetrics for monitoring.")
    ],
    summary: "Print the daemon's counters.", exitCodes: ExitCode.administering, run: runMetrics)

  static let log = Command(
    path: ["log"],
    options: [
      Option("lines", short: "n", .integer, "COUNT", sets: "lines", "The maximum number of lines."),
      Option(
        "level", .choice(LogLevel.allCases.map(\.rawValue)), "LEVEL", sets: "level",
        "Set the log level: error to debug."),
    ],
    summary: "Print the daemon's latest log lines, or set the log level.",
    notes: [
      "In a pipe, each line is its time, its level as a number (<3> error, <4> warning, <5> notice, <6> info, <7> debug), and its text."
    ],
    exitCodes: ExitCode.administering, run: runLog)

  /// The result of `status` for --json.
  private struct Status: MethodResult {
    var service: ServiceInfo.Result
    var providers: [ProviderStatus]
  }

  static func runStatus(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let waitLimit = invocation.text("wait").flatMap(Option.ValueType.milliseconds).map { Double($0) / 1000 } ?? 0
    let end = context.client.time.monotonic() + waitLimit
    while true {
      do throws(Failure) {
        let service = try await context.call(ServiceInfo.self, NoParameters(), within: 5)
        let providers = try await context.call(ProvidersList.self, NoParameters(), within: 5).providers
        if context.client.time.monotonic() >= end || !providers.contains(where: { $0.state == .starting }) {
          return show(Status(service: service, providers: providers), invocation, context)
        }
      } catch {
        guard error.exitCode == .unreachable || error.exitCode == .deadline, context.client.time.monotonic() < end else { throw error }
      }
      do { try await context.client.time.sleep(until: context.client.time.monotonic() + 0.1) } catch {
        throw Failure(.failed, "cancelled")
      }
    }
  }

  private static func show(_ status: Status, _ invocation: Invocation, _ context: CommandContext) -> ExitCode {
    context.show(status, rows: "providers", of: invocation) {
      let version = status.service.protocol
      context.console.line("\(status.service.name) \(status.service.version), protocol \(version.major).\(version.minor)")
      let failing = status.providers.filter { [.failed, .suspended, .overBudget].contains($0.state) }
      // On a terminal, the table omits the reasons that are shown in full below it.
      let showsReasonsBelow = context.console.width != nil && context.console.isInteractive && !invocation.has("quiet")
      context.console.show(ProviderCommands.table(status.providers, showsReason: { !showsReasonsBelow || !failing.contains($0) }))
      for provider in failing {
        let reason = showsReasonsBelow ? provider.reason.map(printable) : nil
        let until = provider.until.map { ", until \($0)" } ?? ""
        let advice =
          switch provider.state {
          case .suspended: "; to call it again now: placesctl providers resume \(provider.id)"
          case .failed: "; once this is fixed: placesctl config reload"
          default: ""
          }
        context.console.note("\(provider.id): \(reason ?? provider.state.rawValue)\(until)\(advice)")
      }
      for warning in status.service.warnings ?? [] { context.console.note(printable(warning)) }
    }
    let isComplete = status.providers.allSatisfy { $0.state == .ready || $0.state == .disabled }
    return isComplete ? .results : .partial
  }

  static func runInfo(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let result = try await context.call(ServiceInfo.self, NoParameters())
    context.show(result, rows: nil, of: invocation) {
      var rows = [("name", result.name), ("version", result.version), ("protocol", "\(result.protocol.major).\(result.protocol.minor)")]
      rows += [("capabilities", result.capabilities.joined(separator: " "))]
      let limits = result.limits
      rows += [("request", Format.bytes(limits.requestBytes)), ("reply", Format.bytes(limits.replyBytes)), ("depth", "\(limits.depth)")]
      rows += [("batch", "\(limits.batch)"), ("in flight", "\(limits.inFlight)"), ("unread", Format.bytes(limits.unreadBytes))]
      rows += [
        ("deadline", "\(result.defaults.deadlineMs) ms"), ("language", result.defaults.language ?? ""),
        ("region", result.defaults.region ?? ""),
      ]
      rows += [("debounce", "\(result.suggestedDebounceMs) ms"), ("minimum letters", "\(result.minimumLetters)")]
      let columns = [TextTable.Column(title: ""), TextTable.Column(title: "", shrinks: true)]
      context.console.show(
        TextTable(columns: columns, rows: rows.filter { !$0.1.isEmpty }.map { [StyledText($0.0, .dim), StyledText($0.1)] }), titles: false)
    }
    return .results
  }

  static func runTypes(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let result = try await context.call(TypesList.self, NoParameters())
    context.show(result, rows: "types", of: invocation) {
      let columns = [
        TextTable.Column(title: "TYPE"), TextTable.Column(title: "GROUP"), TextTable.Column(title: "PROVIDERS' WORDS", shrinks: true),
      ]
      let rows = result.types.map { entry in
        let words = entry.providers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.joined(separator: ", "))" }
        return [StyledText(entry.type.rawValue), StyledText(entry.group.rawValue), StyledText(words.joined(separator: "; "), .dim)]
      }
      context.console.show(TextTable(columns: columns, rows: rows))
      context.console.line("collections: " + result.collections.map(\.rawValue).joined(separator: " "))
    }
    return .results
  }

  static func runMetrics(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let result = try await context.call(ServiceMetrics.self, try invocation.parameters(ServiceMetrics.self))
    if let text = result.string, !invocation.has("json"), !invocation.has("jsonl") {
      context.console.write(text)
      return .results
    }
    context.show(result, rows: nil, of: invocation) {
      let columns = [
        TextTable.Column(title: "NAME"), TextTable.Column(title: "OF"), TextTable.Column(title: "VALUE", isRightAligned: true),
      ]
      let families = (result.object?.members ?? []).sorted { $0.key < $1.key }
      context.console.show(TextTable(columns: columns, rows: families.flatMap { samples(of: $0.key, $0.value) }))
    }
    return .results
  }

  /// A row for each sample of a metric. The value is a number, or a list of objects, each with labels and the member `value`.
  private static func samples(of name: String, _ value: JSONValue) -> [[StyledText]] {
    guard let list = value.array else { return [[StyledText(name), StyledText(""), StyledText(value.text)]] }
    return list.map { sample in
      // The label `provider` is first, and the others follow in alphabetical order.
      let labels = (sample.object?.members ?? []).filter { $0.key != "value" }.sorted {
        $0.key == "provider" || $1.key != "provider" && $0.key < $1.key
      }
      let values = labels.map { $0.value.string ?? $0.value.text }
      return [StyledText(name), StyledText(values.joined(separator: " ")), StyledText(sample["value"]?.text ?? "")]
    }
  }

  static func runLog(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let result = try await context.call(ServiceLog.self, try invocation.parameters(ServiceLog.self))
    context.show(result, rows: nil, of: invocation) {
      LogLines.show(result.lines, context.console)
      if invocation.has("level") {
        context.console.note("The daemon logs \(result.level.rawValue) and above until its next start or reload.")
      }
    }
    return .results
  }
}
