import PlacesAPI
import PlacesKit

/// `placesctl suggest --interactive`: the list as an application shows it while somebody types.
enum InteractiveCommand {
  /// Options that mean one request, or a session that is somebody else's.
  private static let unfit = ["compare", "watch", "session", "offset"]

  private struct Row: MethodResult {
    var suggestion: SuggestionRow
  }

  static func run(_ invocation: Invocation, _ running: Running) async throws(Failure) -> ExitCode {
    if let option = unfit.first(where: { invocation.has($0) }) { throw invocation.usage("--interactive goes without --\(option)") }
    guard let terminal = running.terminal else {
      throw invocation.usage("--interactive needs a terminal as standard input and standard error")
    }
    var parameters = try invocation.parameters(Autocomplete.self) { object in
      SuggestCommand.addNearness(&object, invocation)
      // What is typed takes its place.
      if object["query"] == nil { object["query"] = "a" }
    }
    parameters.stream = true
    // A daemon that is not there is said at once, and not below the first letter.
    _ = try await running.call(ServiceInfo.self, NoParameters())
    let text = invocation.arguments.joined(separator: " ")
    let session = TypingSession(
      running: running, terminal: terminal, parameters: parameters, text: text, inWords: { invocation.inWords($0) })
    switch try await session.run() {
    case nil: return .none
    case .place(let place):
      running.show(Details.Result(place: place, providers: [], attributions: place.attributions), rows: nil, of: invocation) {
        running.console.lines(PlaceLines.fields(place, running.console))
        running.console.credit(place.attributions)
      }
    case .row(let row, let credits):
      running.show(Row(suggestion: row), rows: nil, of: invocation) {
        running.console.lines(PlaceLines.fields(row, running.console))
        running.console.credit(credits)
      }
    }
    return .results
  }
}
