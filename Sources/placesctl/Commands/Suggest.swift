import JSON
import PlacesAPI
import PlacesClient
import PlacesKit

/// `placesctl suggest`: prints the suggestions that an application shows during typing.
enum SuggestCommand {
  static let command = Command(
    path: ["suggest"],
    arguments: [Argument("TEXT", .any, sets: "query", "The text typed so far; several words are one text.")],
    options: [
      Option("interactive", short: "i", "Suggest while typing; arrow keys select, Enter shows the details, Esc quits."), .near,
      .language, .region, .country, .types,
      Option("kind", .list(of: .choice(["place", "query"])), "KIND", sets: "kinds", "Only rows of this kind: place or query."), .limit,
      .provider, .bias, .within, .origin,
      Option("offset", .integer, "COUNT", sets: "inputOffset", "The position of the caret, in characters of the text."), .timeout, .session,
      .cache, .watch, .explain, Option("compare", "Show the answers of the providers side by side, with lines between merged rows."),
      .unfold,
    ],
    summary: "Suggest places and queries for the beginning of a text.",
    notes: [
      "Matched parts are shown in bold; providers that did not answer are listed on standard error.",
      "If no row matches all words, a note says which words were ignored, if standard output is a terminal.", sources, interactive,
      SamePlaceMark.note, ownOrder,
      compareNote,
    ],
    run: run)

  private static let sources = "Each line is one place with its sources, the leading source first."

  private static let interactive =
    "With -i, the credits that the services require stand below the list, and below them what is waited for, or why a request failed and the seconds until it is repeated; Enter repeats it at once."

  private static let ownOrder =
    "The rows of a single provider keep that provider's order; --explain then shows its rank, as votes, and the user's earlier choices."

  private static let compareNote =
    "With --compare, the number before a text is its rank in that provider's own answer; a row without a number is among the first of one provider but not of the merged list. If a provider's terms forbid storing a row, or it is no longer stored, only its rank is shown: not stored. --explain shows how rows with equal ranks are ordered."

  static func run(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    if invocation.has("interactive") { return try await InteractiveCommand.run(invocation, context) }
    guard !invocation.arguments.isEmpty else { throw invocation.usage("TEXT missing") }
    // On a terminal, a note names the words that no row matches. The explanations of the rows show them.
    let isForPeople = context.console.width != nil && !["json", "jsonl", "compare"].contains(where: invocation.has)
    let parameters = try invocation.parameters(Autocomplete.self) {
      addNearness(&$0, invocation)
      if isForPeople { $0["explain"] = true }
      if invocation.has("unfold") || invocation.has("compare") { $0["fold"] = false }
    }
    if invocation.has("compare"), parameters.cache == .bypass {
      throw invocation.usage("--compare reads the providers' answers from the cache, and --cache bypass stores none there")
    }
    if invocation.has("compare") { return try await CompareCommand.run(parameters, invocation, context) }
    let partialAnswers = PartialAnswerView(console: context.console, isEnabled: parameters.stream)
    let seconds = PlacesClient.timeLimit(parameters.deadlineMs)
    let result = try await context.call(Autocomplete.self, parameters, within: seconds, partial: { partialAnswers.show($0) })
    partialAnswers.clear()
    context.show(result, rows: "suggestions", of: invocation) {
      for row in lines(result.suggestions, context.console, explained: invocation.has("explain")) { context.console.line(row) }
      context.console.printCredits(result.attributions)
    }
    context.console.noteUnanswered(result.providers, of: invocation)
    if isForPeople, let note = PartialMatchNote.text(parameters.query, result.suggestions) { context.console.note(note) }
    if result.suggestions.isEmpty { context.console.noteNothingFound(result.providers, complete: result.complete, of: invocation) }
    return ExitCode(rows: result.suggestions.count, complete: result.complete)
  }

  /// Applies --near, which sets a bias of 20 km around the point and the origin of distances, unless other options set them.
  static func addNearness(_ object: inout JSONObject, _ invocation: Invocation) {
    guard let texts = invocation.options["near"], let point = Option.ValueType.point.json(texts) else { return }
    if object["bias"] == nil, object["restriction"] == nil { object["bias"] = ["circle": ["center": point, "radius": 20_000]] }
    if object["origin"] == nil { object["origin"] = point }
  }

  /// The rows as text.
  /// - Parameter explained: whether the explanation of each row follows it.
  static func lines(_ rows: [SuggestionRow], _ console: Console, explained: Bool) -> [String] {
    var table = table(rows)
    table.width = console.width
    let lines = table.lines(colour: console.usesColour, titles: false)
    guard explained else { return lines }
    return zip(lines, rows).flatMap { line, row in [line] + (row.explain.map { Explain.lines($0, console) } ?? []) }
  }

  /// A table with one line for each suggestion. Its width is not limited yet.
  static func table(_ rows: [SuggestionRow]) -> TextTable {
    TextTable(
      columns: [
        TextTable.Column(title: "", shrinks: true), TextTable.Column(title: "", shrinks: true),
        TextTable.Column(title: "", isRightAligned: true),
        TextTable.Column(title: "", shrinks: true, shrinksFirst: true),
      ], rows: rows.map(cells))
  }

  /// The cells of a row: text, type, distance, sources.
  private static func cells(_ row: SuggestionRow) -> [StyledText] {
    var seen: Set<String> = []
    let sources = row.allSources.map(\.provider).filter { seen.insert($0).inserted }.joined(separator: " ")
    let type = row.kind == .query ? "query" : row.types.first?.rawValue ?? ""
    return [
      SamePlaceMark.mark(row.group) + StyledText(row.text), StyledText(type.replacing("_", with: " "), .dim),
      StyledText(row.distance.map(Format.distance) ?? "", .dim),
      StyledText(sources, .dim),
    ]
  }
}
