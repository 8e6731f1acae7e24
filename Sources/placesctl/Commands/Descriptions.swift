import Glibc
import JSON
import PlacesAPI
import PlacesKit
import PluginHost
import ServiceDescriptions
import TOML

/// `placesctl plugin new`, and the part of `placesctl plugin check` for services that a file describes (places-service(5)).
enum DescriptionCommands {
  static let new = Command(
    path: ["plugin", "new"],
    arguments: [Argument("NAME", .one, "The name of the service: lower-case letters, digits, - and _; a directory may stand before it.")],
    summary: "Write NAME.toml, a commented description of a service to fill in.",
    notes: [
      "The daemon reads it from services beside the main configuration file. An existing file is not overwritten."
    ],
    exitCodes: [.results, .failed], run: runNew)

  private static func runNew(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let target = invocation.arguments.first ?? ""
    let name = target.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
    guard !name.isEmpty, name.utf8.count <= 64,
      name.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x5F })
    else { throw invocation.usage("NAME must be lower-case letters, digits, - and _, not \(printable(name))") }
    let path = "\(target).toml"
    try writeNewFile(Array(ServiceDescription.skeleton(name: name).utf8), to: path)
    context.show(NewFile(path: path), rows: nil, of: invocation) {
      context.console.line(printable("\(path): fill it in, then: placesctl plugin check \(path)"))
      let folder = context.locations.configuration.lastIndex(of: "/").map { String(context.locations.configuration[..<$0]) } ?? "."
      context.console.line(
        printable(
          "When it is sound, copy it to \(folder)/services, and name it in \(folder)/providers.d/\(name).toml: [providers.\(name)] with plugin = \"described\" and service = \"\(name)\"; then: placesctl config reload && placesctl providers enable \(name)"
        ))
    }
    return .results
  }

  /// Creates a file with these bytes. Throws if the file exists. If not all bytes can be written, removes the file and throws.
  private static func writeNewFile(_ bytes: [UInt8], to path: String) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    // Other calls may change errno, so it is read at once.
    let openingError = errno
    guard descriptor >= 0 else { throw Failure(.failed, "\(printable(path)): \(String(cString: strerror(openingError)))") }
    defer { close(descriptor) }
    var remaining = bytes[...]
    while !remaining.isEmpty {
      let count = remaining.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      let writingError = errno
      if count < 0, writingError == EINTR { continue }
      guard count > 0 else {
        unlink(path)
        throw Failure(.failed, "\(printable(path)): \(String(cString: strerror(writingError)))")
      }
      remaining = remaining.dropFirst(count)
    }
  }

  /// The result of `plugin new` for --json.
  private struct NewFile: MethodResult { var path: String }

  /// Converts an outcome for the report. A rule that makes an answer an empty one has the cause `nothing_found`.
  private static func reportOutcome(_ outcome: SampleOutcome) -> Report.Outcome {
    var result = Report.Outcome(
      rule: outcome.rule.map { Report.Outcome.Position(line: $0.line, column: $0.column) }, cause: outcome.error?.cause.rawValue,
      message: outcome.error?.message, retryAfter: outcome.error?.retryAfterSeconds)
    if outcome.rule != nil, outcome.error == nil { (result.cause, result.message) = ("nothing_found", "an answer without rows") }
    return result
  }

  /// Warnings about the file as a whole.
  static func advice(on description: ServiceDescription) -> [ConformanceFinding] {
    var findings: [ConformanceFinding] = []
    if let warning = description.exampleHostWarning { findings.append(ConformanceFinding(.warning, "hosts", warning)) }
    if description.verified == nil {
      let message = "the file names no day on which it was compared with the service's documentation"
      findings.append(ConformanceFinding(.warning, "verified", message))
    }
    return findings
  }

  /// A saved answer as the description reads it.
  private struct SampleReading {
    var call: Call
    var response: HTTPResponse
    var hasStatusOption: Bool
    var outcome: SampleOutcome
    /// The advice to add --call if the sample is an answer of another call.
    var callAdvice: String?
    /// Nil if the sample, as an answer of the call, cannot be read.
    var report: SampleReport?
    /// A hint on the path of the rows; nil if a row is used or if there is no hint.
    var rowsHint: String?

    /// True if the report has the outcome.
    var showsOutcome: Bool { hasStatusOption || outcome.rule != nil }
    var isError: Bool { outcome.rule != nil || hasStatusOption && outcome.error != nil }
    /// The report on the rows of an answer that is not an error.
    var rowReport: SampleReport? { isError ? nil : report }
    var usesRow: Bool { report?.rows.contains(where: \.isUsed) == true }
    /// True for an answer without rows, which is not a fault of the description.
    var foundNothing: Bool { rowsHint == nil && rowReport?.sentRows == 0 }
    var exitCode: ExitCode { isError || foundNothing || usesRow ? .results : .noResults }
  }

  /// Checks a description. If there is a saved answer, shows the request and the rows that the description reads from the answer.
  /// - Parameters:
  ///   - path: the path of the description, for messages.
  ///   - sample: the saved answer; nil if there is none.
  /// - Returns: the description, which is nil if it has errors, and the exit code.
  static func check(
    _ path: String, _ text: [UInt8], sample: [UInt8]?, settings: [String: JSONValue], _ invocation: Invocation, _ context: CommandContext
  ) throws(Failure) -> (description: ServiceDescription?, exitCode: ExitCode) {
    let name = path.split(separator: "/").last.map { String($0.dropLast(".toml".count)) } ?? path
    let reading = ServiceDescription.read(text, service: name, file: path)
    var report = Report(path: path, sound: reading.problems.isEmpty, problems: reading.problems.map(reportProblem))
    guard let description = reading.description else {
      context.show(report, rows: "problems", of: invocation) {
        for problem in reading.problems { context.console.line(printable(problem.description)) }
        context.console.line("not sound: \(Format.count(reading.problems.count, "problem"))")
      }
      return (nil, .failed)
    }
    guard let sample else { return (description, .results) }
    let sampleReading = try readSample(sample, with: description, invocation)
    report.requests = requests(of: description, sampleReading, settings: settings, invocation)
    if sampleReading.showsOutcome { report.outcome = reportOutcome(sampleReading.outcome) }
    addRows(of: sampleReading, to: &report)
    report.warnings += advice(on: description).map { Report.Warning(subject: $0.subject, message: $0.message) }
    show(report, sampleReading, file: path, invocation, context)
    return (description, sampleReading.exitCode)
  }

  private static func reportProblem(_ problem: ConfigurationProblem) -> Report.Problem {
    let hasLine = problem.origin.line > 0
    return Report.Problem(
      line: hasLine ? problem.origin.line : nil, column: hasLine ? problem.origin.column : nil, message: problem.message,
      suggestion: problem.suggestion)
  }

  /// Reads the saved answer. Throws if it is not an answer of the call, unless it may be an error.
  private static func readSample(
    _ sample: [UInt8], with description: ServiceDescription, _ invocation: Invocation
  ) throws(Failure) -> SampleReading {
    let call = try call(of: description, invocation)
    if sample.isEmpty, !invocation.has("status") {
      throw Failure(
        .failed, "the sample is empty", advice: ["Save the body of an answer in it; for an error with an empty body, add --status."])
    }
    let response = HTTPResponse(status: try status(invocation) ?? 200, body: sample)
    let outcome = description.outcome(of: response, to: call)
    let matchingCall = invocation.has("call") ? nil : description.call(readFrom: response, besides: call)
    let callAdvice = matchingCall.map { "the sample is an answer of [\($0.rawValue)]: add --call \($0.rawValue)" }
    var reading = SampleReading(
      call: call, response: response, hasStatusOption: invocation.has("status"), outcome: outcome, callAdvice: callAdvice)
    do throws(ProviderError) {
      reading.report = try description.report(on: response, to: call, query: invocation.text("query") ?? "", points: ZoneTable.points())
    } catch {
      guard reading.showsOutcome else {
        throw Failure(
          .failed, "the sample, read as an answer of [\(call.rawValue)]: \(printable(error.message))",
          advice: (callAdvice ?? description.rowsHint(of: response, to: call)).map { [printable($0)] } ?? [])
      }
    }
    if reading.rowReport != nil, !reading.usesRow { reading.rowsHint = description.rowsHint(of: response, to: call) }
    return reading
  }

  /// The example requests of the sample's call.
  private static func requests(
    of description: ServiceDescription, _ sample: SampleReading, settings: [String: JSONValue], _ invocation: Invocation
  ) -> [Report.Request] {
    let id = sample.report?.rows.lazy.compactMap(\.id).first ?? "ID"
    let examples = description.exampleRequests(of: sample.call, query: invocation.text("query") ?? "Berlin", id: id, settings: settings)
    return examples.map { request($0, of: description, base: invocation.text("base-url")) }
  }

  /// Adds the rows of the sample to the report, and what the description reads in vain or does not read.
  private static func addRows(of sample: SampleReading, to report: inout Report) {
    guard var rowReport = sample.rowReport else { return }
    report.rows = rowReport.rows.map { row in
      Report.Row(
        number: row.number, used: row.isUsed, omission: row.omission, id: row.id, text: row.text, types: row.types,
        coordinate: row.location,
        fields: row.fields.map { Report.FieldValue(field: $0.field, value: $0.value) })
    }
    if let hint = sample.rowsHint {
      // Findings about the members of such rows are dropped, because they would concern the wrong values.
      (rowReport.unmatched, rowReport.unread, rowReport.unknownTypes) = ([], [], [])
      report.warnings.append(Report.Warning(subject: "rows", message: hint))
    }
    if !sample.usesRow, let callAdvice = sample.callAdvice {
      report.warnings.append(Report.Warning(subject: "call", message: callAdvice))
    }
    report.unmatched = rowReport.unmatched.map { Report.Unmatched(field: $0.field, path: $0.path, suggestion: $0.suggestion) }
    report.warnings += rowReport.warnings.map { Report.Warning(subject: $0.subject, message: $0.message) }
    report.unread = rowReport.unread
    report.unknownTypes = rowReport.unknownTypes
  }

  private static func show(
    _ report: Report, _ sample: SampleReading, file: String, _ invocation: Invocation, _ context: CommandContext
  ) {
    context.show(report, rows: "rows", of: invocation) {
      for request in report.requests { show(request, context) }
      if let outcome = report.outcome { show(outcome, file: file, context) }
      if let rowReport = sample.rowReport { show(rowReport, context) }
      for warning in report.warnings {
        let line = StyledText("warning: ", .yellow) + StyledText(printable("\(warning.subject): \(warning.message)"))
        context.console.line(line.text(colour: context.console.usesColour))
      }
      for path in report.unmatched {
        let suggestion = path.suggestion.map { "; did you mean \($0)?" } ?? ""
        context.console.line(printable("\(path.field): no row has \(path.path)\(suggestion)"))
      }
      for path in report.unread { context.console.line(printable("not read: \(path)")) }
      for word in report.unknownTypes { context.console.line(printable("not in [types]: \(word)")) }
    }
  }

  /// The value of --status; nil if it was not given.
  private static func status(_ invocation: Invocation) throws(Failure) -> Int? {
    guard let text = invocation.text("status") else { return nil }
    guard let status = Int(text), (100...599).contains(status) else {
      throw invocation.usage("--status must be an HTTP status, 100 to 599, not \(printable(text))")
    }
    return status
  }

  /// The report of an example request, with a readable URL.
  /// - Parameter base: the base URL of the command line; nil to use the description's host.
  private static func request(_ example: ExampleRequest, of description: ServiceDescription, base: String?) -> Report.Request {
    let request = example.request
    var origin = base ?? (request.host ?? description.manifest.hosts.first).map { "https://\($0)" } ?? "BASE_URL"
    if origin.hasSuffix("/") { origin.removeLast() }
    let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    return Report.Request(
      area: example.area, method: request.method.rawValue,
      url: "\(origin)/\(request.path.joined(separator: "/"))" + (query.isEmpty ? "" : "?\(query)"),
      headers: request.headers.map { Report.Request.Header(name: $0.name, value: $0.value) },
      body: request.body.isEmpty ? nil : String(decoding: request.body, as: UTF8.self))
  }

  private static func show(_ request: Report.Request, _ context: CommandContext) {
    context.console.line(printable((request.area.map { "\($0): " } ?? "") + "\(request.method) \(request.url)"))
    for header in request.headers { context.console.line(printable("  \(header.name): \(header.value)")) }
    if let body = request.body { context.console.line(printable("  \(body)")) }
  }

  private static func show(_ outcome: Report.Outcome, file: String, _ context: CommandContext) {
    let rule = outcome.rule.map { "\(file):\($0.line):\($0.column): this rule of [[errors]] fits" }
    context.console.line(printable(rule ?? "no rule of [[errors]] fits"))
    guard let cause = outcome.cause, let message = outcome.message else { return }
    let retryAdvice = outcome.retryAfter.map { "; retry after \(Int($0)) s" } ?? ""
    context.console.line(printable("\(cause): \(message)\(retryAdvice)"))
  }

  /// The number of rows whose fields are shown. Later rows are shown without fields, so that a long answer does not hide the remaining
  /// lines.
  private static let maxRowsInFull = 10

  private static func show(_ report: SampleReport, _ context: CommandContext) {
    for row in report.rows {
      let point = row.location.map { " \($0.latitude),\($0.longitude)" } ?? ""
      let types = row.types.isEmpty ? "" : " [\(row.types.joined(separator: ", "))]"
      let text = row.omission.map { "left out: \($0)" } ?? "\(row.id ?? "(completion)")  \(row.text)\(types)\(point)"
      context.console.line(printable("row \(row.number): \(text)"))
      guard row.number <= maxRowsInFull else { continue }
      for value in row.fields { context.console.line(printable("  \(value.field): \(value.value)")) }
    }
    let rowsBeyond = report.rowsBeyond
    let usedCount = report.rows.count(where: \.isUsed)
    context.console.line(
      Format.count(usedCount, "row") + (report.rows.count > usedCount ? ", \(report.rows.count - usedCount) left out" : "")
        + (rowsBeyond > 0 ? ", \(rowsBeyond) beyond the \(report.sentRows - rowsBeyond) that are read" : ""))
  }

  /// The value of --call; without it, the first call of the description.
  private static func call(of description: ServiceDescription, _ invocation: Invocation) throws(Failure) -> Call {
    guard let name = invocation.text("call") else { return description.calls.first ?? .search }
    guard let call = Call(rawValue: name), description.calls.contains(call) else {
      let calls = description.calls.map(\.rawValue).joined(separator: ", ")
      throw invocation.usage("--call must be a call of the description (\(calls)), not \(printable(name))")
    }
    return call
  }

  /// The instance with which the daemon would start the plugin that reads the description.
  static func instance(_ description: ServiceDescription, _ text: [UInt8], settings: [String: JSONValue]) -> InstanceDescription {
    InstanceDescription(
      id: "check", source: .plugin("described"),
      service: .init(
        manifest: description.manifest,
        settings: ["service": .string(description.service), "description": .string(String(decoding: text, as: UTF8.self))]),
      settings: settings)
  }
}
