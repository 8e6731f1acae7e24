import JSON
import PlacesAPI

/// `placesctl choices …`: the user's learned choices.
enum ChoiceCommands {
  static let all = [
    Command(
      path: ["choices", "list"],
      options: [Option("limit", short: "n", .integer, "COUNT", sets: "limit", "The maximum number of choices.")],
      summary: "List your learned choices, latest first.",
      notes: ["A place that you chose rises when you type a similar text, among the places that fit the text as well as it does."],
      exitCodes: ExitCode.administering + [.noResults], run: runList),
    Command(
      path: ["choices", "forget"], arguments: [Argument("ID", .optional, sets: "id", "The place whose choices are removed.")],
      options: [Option("all", sets: "all", "Remove all your choices.")], summary: "Remove learned choices: those of one place, or all.",
      exitCodes: ExitCode.administering, run: runForget),
  ]

  static func runList(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    let result = try await context.call(ChoicesList.self, try invocation.parameters(ChoicesList.self))
    context.show(result, rows: "choices", of: invocation) {
      let columns = [
        TextTable.Column(title: "TEXT"), TextTable.Column(title: "PLACE"), TextTable.Column(title: "WEIGHT", isRightAligned: true),
        TextTable.Column(title: "LAST"),
      ]
      let rows = result.choices.map { choice in
        [choice.text, choice.id.text, Format.fixed(choice.weight, 2), choice.at].map { StyledText($0) }
      }
      context.console.show(TextTable(columns: columns, rows: rows))
    }
    if result.choices.isEmpty { context.console.note("no choices were learned") }
    return result.choices.isEmpty ? .noResults : .results
  }

  static func runForget(_ invocation: Invocation, _ context: CommandContext) async throws(Failure) -> ExitCode {
    guard invocation.arguments.isEmpty == invocation.has("all") else { throw invocation.usage("give an ID or --all") }
    let result = try await context.call(ChoicesForget.self, try invocation.parameters(ChoicesForget.self))
    context.show(result, rows: nil, of: invocation) { context.console.line("removed \(Format.count(result.choices, "choice"))") }
    return .results
  }
}
