import Configuration
import JSON
import PlacesAPI
import PlacesClient
import PlacesKit
import PlacesTesting
import Synchronization

@testable import placesctl

/// A command's output, requests and exit status.
struct Outcome: Sendable {
  var exit: ExitCode
  var output: String
  var diagnostics: String
  var asked: [Asked]
}

struct Asked: Sendable, Equatable {
  var method: String
  var params: JSONValue
}

/// Runs a command line with a scripted daemon.
func run(
  _ words: [String], width: Int? = nil, colour: Bool = false, isInteractive: Bool = false, locations: Locations = .system,
  terminal: (any TypingTerminal)? = nil,
  language: String? = nil,
  input: [String] = [],
  pages: [String: String] = [:],
  answer: @escaping @Sendable (Asked) throws(ClientError) -> JSONValue = { _ throws(ClientError) in .null }
) async -> Outcome {
  let daemon = Daemon(answer: answer)
  let texts = Mutex((output: "", diagnostics: ""))
  let exit = await CommandLineProgram.run(words) { invocation in
    let isQuiet = invocation?.has("quiet") ?? false
    var context = CommandContext(
      console: Console(
        write: { text in texts.withLock { $0.output += text } },
        diagnose: { text in if !isQuiet { texts.withLock { $0.diagnostics += text } } }, width: width, usesColour: colour,
        isInteractive: isInteractive),
      client: PlacesClient(dialer: daemon, backoff: .none, time: ManualTime()), locations: locations, terminal: terminal,
      language: language, inputLines: { input })
    context.webPage = { address throws(Failure) in
      guard let page = pages[address] else { throw Failure(.failed, "\(address) cannot be read: no such page") }
      return WebPage(address: address, body: Array(page.utf8))
    }
    return context
  }
  let written = texts.withLock { $0 }
  return Outcome(exit: exit, output: written.output, diagnostics: written.diagnostics, asked: daemon.asked.withLock { $0 })
}

private final class Daemon: Dialer {
  let answer: @Sendable (Asked) throws(ClientError) -> JSONValue
  let asked = Mutex<[Asked]>([])

  init(answer: @escaping @Sendable (Asked) throws(ClientError) -> JSONValue) { self.answer = answer }

  func dial() async throws(ClientError) -> any Channel { Line(daemon: self) }

  final class Line: Channel {
    let daemon: Daemon
    init(daemon: Daemon) { self.daemon = daemon }
    func request(
      _ method: String, _ params: JSONObject, partial: (@Sendable ([UInt8]) -> Void)?
    ) async throws(ClientError) -> [UInt8] {
      let asked = Asked(method: method, params: .object(params))
      daemon.asked.withLock { $0.append(asked) }
      return try daemon.answer(asked).bytes
    }
    func close() {}
  }
}

/// A row of an autocomplete answer.
func row(
  _ text: String, matches: [(Int, Int)] = [], id: String = "gazetteer:1", type: String = "locality",
  sources: [(String, Int)] = [("gazetteer", 1)],
  distance: Double? = nil, explain: JSONValue? = nil
) -> JSONValue {
  var object: JSONObject = [
    "kind": "place", "id": .string(id),
    "text": [
      "text": .string(text),
      "matches": .array(matches.map { ["start": .integer(Int64($0.0)), "end": .integer(Int64($0.1))] }),
    ],
    "row": "r1", "types": [.string(type)],
    "sources": .array(sources.map { ["provider": .string($0.0), "id": .string("\($0.0):1"), "rank": .integer(Int64($0.1))] }),
  ]
  object["distance"] = distance.map { .number($0) }
  object["explain"] = explain
  return .object(object)
}

/// An autocomplete answer.
func suggestions(_ rows: [JSONValue], complete: Bool = true, providers: [JSONValue] = []) -> JSONValue {
  [
    "suggestions": .array(rows), "providers": .array(providers),
    "attributions": [["provider": "gazetteer", "text": "GeoNames (CC BY 4.0)"]], "complete": .boolean(complete), "revision": 1,
  ]
}

func report(
  _ provider: String, _ outcome: String, message: String? = nil, detail: String? = nil, retryAfterMs: Int64? = nil
) -> JSONValue {
  var object: JSONObject = ["provider": .string(provider), "outcome": .string(outcome), "count": 0, "latencyMs": 1]
  object["message"] = message.map { .string($0) }
  object["detail"] = detail.map { .string($0) }
  object["retryAfterMs"] = retryAfterMs.map { .integer($0) }
  return .object(object)
}
