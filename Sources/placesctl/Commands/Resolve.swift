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
      .near, .language, .region, .country, .fields, .bias, .within, .timeout,
      Option("output", .text, "FILE", "With -, append the results to this file, and skip the lines that it already has results of."),
    ],
    summary: "Find the one place that a text most likely means.",
    notes: [
      "The providers on this machine, which are free, are queried first. If they do not find the place, free services are queried; then paid services, one after the other, the lowest price first, whatever its currency: a search, or for a text that looks like an address, the service's geocoder.",
      "If the confidence is below 0.8, such as for a name of several shops, the candidates are listed and the exit status is 1.",
      "With -, each line of the output is a JSON object with query, certain, confidence and place or candidates; for an empty line or another text that cannot be a query, with the reason as error.",
    ],
    run: run)

  static func run(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    if invocation.arguments == ["-"] { return try await BatchResolve(invocation: invocation, context: context).run() }
    if invocation.has("output") { throw invocation.usage("--output needs - in place of TEXT") }
    let parameters = try parameters(invocation)
    guard let resolution = try await resolve(parameters, context) else {
      context.console.note("nothing found")
      return .none
    }
    let place = resolution.place
    let (query, name) = (printable(parameters.query), printable(resolution.name ?? place.id.text))
    guard resolution.fit != .part else {
      context.console.note("nothing found: only a part of “\(query)” is the name of a place, “\(name)” (\(place.id.text))")
      return .none
    }
    guard resolution.isCertain else { return showCandidates(of: resolution, query, invocation, context) }
    if [.other, .alike].contains(resolution.fit) { context.console.note("“\(query)” was matched to “\(name)”") }
    let result = Details.Result(place: place, providers: resolution.providers, attributions: place.attributions)
    context.show(result, rows: nil, of: invocation) {
      context.console.lines(PlaceLines.fields(place, context.console))
      context.console.credit(place.attributions)
    }
    return .results
  }

  /// The reason why a text cannot be resolved; nil if it can. A search may have no text, but then there is nothing to resolve.
  static func fault(in text: String, _ invocation: Invocation) -> String? {
    do { _ = try Autocomplete.schema.decode(["query": .string(text)]) } catch { return invocation.inWords(error.message) }
    return nil
  }

  /// - Parameter query: the text; nil for the arguments.
  static func parameters(_ invocation: Invocation, query: String? = nil) throws(Failure) -> Search.Parameters {
    if let fault = fault(in: query ?? invocation.arguments.joined(separator: " "), invocation) { throw invocation.usage(fault) }
    return try invocation.parameters(Search.self) {
      SuggestCommand.addNearness(&$0, invocation)
      if let query { $0["query"] = .string(query) }
      if $0["fields"] == nil {
        $0["fields"] = .array(PlaceField.allCases.filter(Resolution.usualFields.contains).map { .string($0.rawValue) })
      }
    }
  }

  static func resolve(_ parameters: Search.Parameters, _ context: CommandContext) async throws(Failure) -> Resolution? {
    do { return try await context.client.resolve(parameters.query, fields: parameters.fields) { $0 = parameters } } catch {
      throw Failure(error)
    }
  }

  private static func showCandidates(
    of resolution: Resolution, _ query: String, _ invocation: Invocation, _ context: CommandContext
  ) -> ExitCode {
    let candidates = resolution.candidates
    let places = PlacesResult(
      places: candidates, providers: resolution.providers, attributions: candidates.flatMap(\.attributions), complete: true)
    context.show(places, rows: "places", of: invocation) {
      context.console.lines(PlaceLines.rows(candidates, asked: [], context.console))
      context.console.credit(candidates.flatMap(\.attributions))
    }
    let confidence = Format.fixed(resolution.roundedConfidence, 2)
    context.console.note(
      "not certain which place “\(query)” means (confidence \(confidence)): \(Format.count(candidates.count, "candidate"))")
    return .none
  }
}

extension Resolution {
  /// The confidence in two decimals; that of an uncertain resolution stays below `certainty`.
  fileprivate var roundedConfidence: Double {
    let rounded = (confidence * 100).rounded() / 100
    return isCertain ? rounded : min(rounded, Resolution.certainty - 0.01)
  }
}

/// `placesctl resolve -`: one text a line in, one JSON object a line out. The order of the output is that of the input, so the number of
/// lines in the output file is the number of input lines that are done.
struct BatchResolve {
  var invocation: Invocation
  var context: CommandContext

  func run() async throws(Failure) -> ExitCode {
    // Options that are wrong are reported before the input is read.
    _ = try ResolveCommand.parameters(invocation, query: "a")
    let lines = context.inputLines()
    let output = try invocation.text("output").map { path throws(Failure) in try ResultFile(path: path) }
    let done = output?.queries ?? []
    guard lines.starts(with: done) else {
      throw Failure(
        .failed, "\(printable(output?.path ?? "")) has results of other texts", advice: ["Name another file, or delete this one."])
    }
    let clock = SystemTime()
    let start = clock.monotonic()
    var exit = ExitCode.results
    defer { if context.console.isInteractive { context.console.diagnose("\r\u{1B}[K") } }
    for (index, line) in lines.enumerated().dropFirst(done.count) {
      showProgress(index, of: lines.count, new: index - done.count, seconds: clock.monotonic() - start)
      let fault = ResolveCommand.fault(in: line, invocation)
      let resolution =
        fault != nil ? nil : try await ResolveCommand.resolve(try ResolveCommand.parameters(invocation, query: line), context)
      if resolution?.isCertain != true { exit = .none }
      let text = BatchResolve.line(line, resolution, fault: fault).text
      if let output { try output.append(text) } else { context.console.line(text) }
    }
    return exit
  }

  /// - Parameter fault: the reason why the text cannot be a query.
  static func line(_ query: String, _ resolution: Resolution?, fault: String? = nil) -> JSONValue {
    var object: JSONObject = [:]
    object["query"] = .string(query)
    object["certain"] = .boolean(resolution?.isCertain ?? false)
    object["confidence"] = .number(resolution?.roundedConfidence ?? 0)
    if let fault { object["error"] = .string(fault) }
    if let resolution, resolution.isCertain {
      object["place"] = json(resolution.place)
    } else {
      object["candidates"] = .array((resolution?.candidates ?? []).map(json))
    }
    return .object(object)
  }

  private static func json(_ place: PlaceRow) -> JSONValue {
    let result = Details.Result(place: place, providers: [], attributions: [])
    return (try? JSONValue(parsing: result.bytes))?["place"] ?? .null
  }

  private func showProgress(_ done: Int, of total: Int, new: Int, seconds: Double) {
    guard context.console.isInteractive, total > 0 else { return }
    let rate = seconds > 0.2 ? Double(new) / seconds : 0
    let left = rate > 0 ? ", \(Format.fixed(rate, 1))/s, \(Format.duration(Double(total - done) / rate)) left" : ""
    let bar = ProgressBar.bar("resolving", part: Double(done) / Double(total), left, width: context.console.width ?? 80)
    context.console.diagnose("\r" + bar + "\u{1B}[K")
  }
}

/// The file of `--output`.
struct ResultFile {
  var path: String
  /// The queries of the results that it has. An incomplete last line is removed.
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

  func append(_ line: String) throws(Failure) {
    do { try TextFile.append(line + "\n", to: path) } catch { throw ResultFile.failure(path, error) }
  }

  private static func failure(_ path: String, _ error: TextFile.SystemError) -> Failure {
    Failure(.failed, "\(printable(path)): \(error.reason)")
  }
}
