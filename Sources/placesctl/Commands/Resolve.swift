import JSON
import PlacesAPI
import PlacesClient
import PlacesKit

/// `placesctl resolve`: the place that a text means, or the candidates if that is not certain.
enum ResolveCommand {
  static let command = Command(
    path: ["resolve"],
    arguments: [Argument("TEXT", .many, sets: "query", "The text to resolve; - reads one text from each line of standard input.")],
    options: [
      .near, .language, .region, .country,
      Option("type", short: "t", .word(.types), "TYPE", sets: "includedType", "The preferred type of the place."), .fields, .provider,
      .bias,
      .within, .origin, .timeout, .cache,
      Option("output", .text, "FILE", "With -, append the results to this file, and skip the lines that it already has results of."),
    ],
    summary: "Find the one place that a text most likely means.",
    notes: [
      "The providers on this machine, which are free, are queried first. If they are not certain of a place, free services are queried, and, if no place has all words of the text, paid services, one after the other. The service with the lowest price is first; currencies are not converted. A text that looks like an address is sent to a service's geocoder, any other text to its search.",
      "If the confidence is below 0.8, such as for a name of several shops, the candidates are listed and the exit status is 1.",
      "With -, each line of the output is a JSON object with query, certain, confidence, match and place or candidates; for an empty line or another text that cannot be a query, with the reason as error.",
    ],
    run: run)

  static func run(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    if invocation.arguments == ["-"] { return try await BatchResolve(invocation: invocation, context: context).run() }
    if invocation.has("output") { throw invocation.usage("--output needs - in place of TEXT") }
    let parameters = try parameters(invocation)
    let result = try await resolve(parameters, context)
    defer { context.console.noteUnanswered(result.providers, of: invocation) }
    func showAsJSON() { context.show(result, rows: "candidates", of: invocation) {} }
    guard let best = result.place ?? result.candidates?.first else {
      showAsJSON()
      let isComplete = result.providers.allSatisfy { $0.outcome.isAnswer || $0.outcome == .skipped }
      context.console.noteNothingFound(result.providers, complete: isComplete, of: invocation)
      return isComplete ? .noResults : .partial
    }
    let (query, name) = (printable(parameters.query), printable(result.name ?? best.values[.name]?.string ?? best.id.text))
    guard result.match != .part else {
      showAsJSON()
      context.console.note("nothing found: no place matches all of “\(query)”; “\(name)” (\(best.id.text)) matches a part of it")
      context.console.note("To add streets and businesses, see: placesctl gazetteer import --help, placesctl providers list")
      return .noResults
    }
    context.show(result, rows: result.certain ? nil : "candidates", of: invocation) {
      context.console.lines(
        result.certain
          ? PlaceLines.fields(best, context.console)
          : PlaceLines.rows(result.candidates ?? [], requested: PlaceCommands.fields(of: invocation), context.console))
      context.console.printCredits(result.attributions)
    }
    if !result.certain {
      let (count, confidence) = (result.candidates?.count ?? 0, Format.fixed(result.confidence, 2))
      context.console.note(
        count == 1
          ? "not certain that “\(query)” means this place (confidence \(confidence))"
          : "not certain which place “\(query)” means (confidence \(confidence)): \(Format.count(count, "candidate"))")
      let alternative = invocation.options["near"] == nil ? ", or a point with --near" : ""
      context.console.note("To be certain, add a town, a region or a country to the text\(alternative).")
    } else if let note = note(on: result, for: parameters.query) {
      context.console.note(note)
    }
    return result.certain ? .results : .noResults
  }

  /// A note that names the matched place, if the text is not one of its names; otherwise nil.
  static func note(on result: Resolve.Result, for query: String) -> String? {
    guard let place = result.place, result.match == .other || result.match == .fuzzy else { return nil }
    return "“\(printable(query))” was matched to “\(printable(result.name ?? place.values[.name]?.string ?? place.id.text))”"
  }

  /// The reason why a text cannot be a query; nil if it can.
  static func fault(in text: String, _ invocation: Invocation) -> String? {
    if text.isBlank { return "the text is empty" }
    do { _ = try Resolve.schema.decode(["query": .string(text)]) } catch { return invocation.rewordedForUser(error.message) }
    return nil
  }

  /// The request for a text, with the options of the command line.
  /// - Parameter query: the text to resolve; nil to use the arguments.
  static func parameters(_ invocation: Invocation, query: String? = nil) throws(Failure) -> Resolve.Parameters {
    try invocation.parameters(Resolve.self) {
      SuggestCommand.addNearness(&$0, invocation)
      if let query { $0["query"] = .string(query) }
    }
  }

  static func resolve(_ parameters: Resolve.Parameters, _ context: CommandContext) async throws(Failure) -> Resolve.Result {
    try await context.call(Resolve.self, parameters, within: PlacesClient.timeLimit(parameters.deadlineMs))
  }
}

/// `placesctl resolve -`: reads one text from each line, and writes one JSON object for each text, in the same order. The output
/// file therefore shows how many lines were resolved, and a repeated command continues after them.
struct BatchResolve {
  var invocation: Invocation
  var context: CommandContext

  func run() async throws(Failure) -> ExitCode {
    // Invalid options are reported before the input is read.
    _ = try ResolveCommand.parameters(invocation, query: "a")
    let lines = context.inputLines()
    let output = try invocation.text("output").map { path throws(Failure) in try ResultFile(path: path) }
    let resolvedQueries = output?.queries ?? []
    guard lines.starts(with: resolvedQueries) else {
      throw Failure(
        .failed, "\(printable(output?.path ?? "")) has results of other texts", advice: ["Name another file, or delete this one."])
    }
    let clock = SystemTime()
    let start = clock.monotonic()
    var exitCode = ExitCode.results
    defer { if context.console.isInteractive { context.console.diagnose("\r\u{1B}[K") } }
    for (index, line) in lines.enumerated().dropFirst(resolvedQueries.count) {
      showProgress(index, of: lines.count, newCount: index - resolvedQueries.count, seconds: clock.monotonic() - start)
      let fault = ResolveCommand.fault(in: line, invocation)
      let result =
        fault != nil ? nil : try await ResolveCommand.resolve(try ResolveCommand.parameters(invocation, query: line), context)
      if result?.certain != true { exitCode = .noResults }
      let text = BatchResolve.outputLine(line, result, fault: fault).text
      if let output { try output.append(text) } else { context.console.line(text) }
    }
    return exitCode
  }

  /// The JSON object for one text.
  /// - Parameter fault: the reason why the text cannot be a query; nil if it can.
  private static func outputLine(_ query: String, _ result: Resolve.Result?, fault: String?) -> JSONValue {
    let resultJSON = result.flatMap { try? JSONValue(parsing: $0.bytes) }
    var object: JSONObject = [
      "query": .string(query), "certain": resultJSON?["certain"] ?? false, "confidence": resultJSON?["confidence"] ?? 0,
    ]
    if let fault { object["error"] = .string(fault) }
    for member in ["match", "place"] { object[member] = resultJSON?[member] }
    if object["place"] == nil { object["candidates"] = resultJSON?["candidates"] ?? [] }
    return .object(object)
  }

  /// Shows the progress on a terminal.
  /// - Parameters:
  ///   - done: the lines that have a result, including those from an earlier run.
  ///   - newCount: the lines that this run has resolved.
  ///   - seconds: the duration of this run so far.
  private func showProgress(_ done: Int, of total: Int, newCount: Int, seconds: Double) {
    guard context.console.isInteractive, total > 0 else { return }
    let rate = seconds > 0.2 ? Double(newCount) / seconds : 0
    let rateText = rate > 0 ? ", \(Format.fixed(rate, 1))/s, \(Format.duration(Double(total - done) / rate)) left" : ""
    let bar = ProgressBar.bar("resolving", fraction: Double(done) / Double(total), rateText, width: context.console.width ?? 80)
    context.console.diagnose("\r" + bar + "\u{1B}[K")
  }
}

/// The file of `--output`.
struct ResultFile {
  var path: String
  /// The queries of the results that the file contains, in its order. An incomplete last line is removed from the file.
  var queries: [String] = []

  init(path: String) throws(Failure) {
    self.path = path
    let text: String
    do { text = try TextFile.read(path) ?? "" } catch { throw ResultFile.failure(path, error) }
    let end = text.lastIndex(of: "\n").map { text.index(after: $0) } ?? text.startIndex
    for line in text[..<end].split(separator: "\n") {
      guard let query = (try? JSONValue(parsing: Array(line.utf8)))?["query"]?.string else {
        throw Failure(.failed, "\(printable(path)) is not an output of resolve", advice: ["Name another file."])
      }
      queries.append(query)
    }
    if end != text.endIndex {
      do { try TextFile.truncate(path, to: text[..<end].utf8.count) } catch { throw ResultFile.failure(path, error) }
    }
  }

  /// Writes a line at the end of the file.
  func append(_ line: String) throws(Failure) {
    do { try TextFile.append(line + "\n", to: path) } catch { throw ResultFile.failure(path, error) }
  }

  private static func failure(_ path: String, _ error: TextFile.FileError) -> Failure {
    Failure(.failed, "\(printable(path)): \(error.reason)")
  }
}
