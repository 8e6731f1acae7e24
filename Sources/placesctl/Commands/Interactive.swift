import PlacesAPI
import PlacesKit

/// `placesctl suggest --interactive`: a list of suggestions that changes during typing, as in an application.
enum InteractiveCommand {
  /// Options that cannot be combined with --interactive, because they apply to a single request or name a session of another program.
  private static let incompatibleOptions = ["compare", "watch", "session", "offset"]

  /// The result for --json if the chosen row has no details.
  private struct Row: MethodResult {
    var suggestion: SuggestionRow
  }

  static func run(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    if let option = incompatibleOptions.first(where: { invocation.has($0) }) {
      throw invocation.usage("--interactive cannot be combined with --\(option)")
    }
    guard let terminal = context.terminal else {
      throw invocation.usage("--interactive needs a terminal as standard input and standard error")
    }
    var parameters = try invocation.parameters(Autocomplete.self) { object in
      SuggestCommand.addNearness(&object, invocation)
      // The parameters must have a query to be valid; the typed text replaces it.
      if object["query"] == nil { object["query"] = "a" }
    }
    parameters.stream = true
    // This call fails if no daemon answers, so that the error is reported before the first keystroke.
    _ = try await context.call(ServiceInfo.self, NoParameters())
    let text = invocation.arguments.joined(separator: " ")
    let session = TypingSession(
      context: context, terminal: terminal, parameters: parameters, text: text, reword: { invocation.rewordedForUser($0) })
    switch try await session.run() {
    case nil: return .noResults
    case .place(let place, let row, let credits, let note):
      defer { if let note { context.console.note(note) } }
      context.show(Details.Result(place: place, providers: [], attributions: place.attributions), rows: nil, of: invocation) {
        guard context.console.width == nil else {
          let card = PlaceCard(place, chosen: row, credits: credits, now: context.client.time.wall())
          return context.console.lines(card.lines(context.console))
        }
        context.console.lines(PlaceLines.fields(place, context.console))
        context.console.printCredits(place.attributions)
      }
    case .row(let row, let credits):
      context.show(Row(suggestion: row), rows: nil, of: invocation) {
        guard context.console.width == nil else {
          return context.console.lines(PlaceCard(row, credits: credits).lines(context.console))
        }
        context.console.lines(PlaceLines.fields(row, context.console))
        context.console.printCredits(credits)
      }
    }
    return .results
  }
}
