import JSON
import PlacesAPI
import PlacesClient
import PlacesKit

/// `suggest --compare`: prints one line for each row of the merged answer and one column for each provider, and draws lines between the
/// rows that were merged. Lines without a number follow, with the first rows of each provider that are not in the merged answer.
enum CompareCommand {
  static func run(_ parameters: Autocomplete.Parameters, _ invocation: Invocation, _ context: CommandContext) async throws(Failure)
    -> ExitCode
  {
    let merged = try await context.call(Autocomplete.self, parameters, within: PlacesClient.timeLimit(parameters.deadlineMs))
    let queriedProviders = merged.providers.filter { $0.outcome != .skipped }.map(\.provider)
    var answers: [String: [SuggestionRow]] = [:]
    var credits = merged.attributions
    for provider in queriedProviders {
      // The provider's answer is read from the cache, because a second call might cost money. If the terms forbid storing, the cache has
      // no answer.
      var request = parameters
      request.providers = [provider]
      if queriedProviders.count > 1 { request.limit = Autocomplete.depth(for: parameters.limit) }
      request.session = nil
      request.seq = nil
      request.cache = .only
      let answer = try? await context.call(Autocomplete.self, request, within: PlacesClient.timeLimit(parameters.deadlineMs))
      answers[provider] = answer?.suggestions
      credits += answer?.attributions ?? []
    }
    context.show(merged, rows: "suggestions", of: invocation) {
      context.console.lines(lines(merged.suggestions, queriedProviders, answers, limit: parameters.limit, context.console))
      context.console.printCredits(credits)
      if merged.suggestions.contains(where: { row in row.sources.contains { text(of: row, from: $0.provider, answers) == nil } }) {
        context.console.note("not stored: the provider's answer must not be stored, or is no longer stored; only its rank is known")
      }
    }
    context.console.noteUnanswered(merged.providers, of: invocation)
    if merged.suggestions.isEmpty { context.console.noteNothingFound(merged.providers, complete: merged.complete, of: invocation) }
    return ExitCode(rows: merged.suggestions.count, complete: merged.complete)
  }

  /// The lines of the comparison. If the output is not a terminal, each column has about 40 characters.
  static func lines(
    _ rows: [SuggestionRow], _ providers: [String], _ answers: [String: [SuggestionRow]], limit: Int, _ console: Console
  ) -> [String] {
    let width = max(12, ((console.width ?? 40 * (providers.count + 1)) - 4 - 3 * max(0, providers.count - 1)) / max(1, providers.count))
    let titles = providers.map { StyledText($0, .dim) }
    let header = "    " + joined(titles.map { padded($0, width, " ", console) }, gaps: Array(repeating: "   ", count: providers.count))
    return [header] + rows.enumerated().map { line($1, number: $0 + 1, providers, answers, width, console) }
      + unmergedLines(rows, providers, answers, limit: limit, width, console)
  }

  /// The lines for the first `limit` rows of each provider, except the rows that are in the merged list.
  private static func unmergedLines(
    _ rows: [SuggestionRow], _ providers: [String], _ answers: [String: [SuggestionRow]], limit: Int, _ width: Int, _ console: Console
  ) -> [String] {
    let mergedRows = Set(rows.flatMap(\.sources).map { "\($0.rank) \($0.provider)" })
    let columns = providers.map { provider in
      (answers[provider] ?? []).compactMap { row -> StyledText? in
        guard let rank = row.sources.first(where: { $0.provider == provider })?.rank, rank <= limit,
          !mergedRows.contains("\(rank) \(provider)")
        else { return nil }
        return StyledText("\(rank). ", .dim) + StyledText(row.text)
      }
    }
    let gaps = Array(repeating: "   ", count: providers.count)
    return (0..<(columns.map(\.count).max() ?? 0)).map { index in
      "    " + joined(columns.map { padded(index < $0.count ? $0[index] : StyledText(""), width, " ", console) }, gaps: gaps)
    }
  }

  /// The line for a row of the merged list: its number, and in the column of each source the rank and text that the source gave it.
  private static func line(
    _ row: SuggestionRow, number: Int, _ providers: [String], _ answers: [String: [SuggestionRow]], _ width: Int, _ console: Console
  ) -> String {
    let sourceColumns = providers.indices.filter { index in row.sources.contains { $0.provider == providers[index] } }
    // The connecting line begins at the first source of the row and ends at the last one.
    let (firstColumn, lastColumn) = (sourceColumns.first ?? 0, sourceColumns.last ?? 0)
    let cells = providers.enumerated().map { index, provider in
      let isBetween = sourceColumns.count > 1 && index > firstColumn && index < lastColumn
      guard let source = row.sources.first(where: { $0.provider == provider }) else {
        return padded(StyledText(""), width, isBetween ? "─" : " ", console)
      }
      let ownText = text(of: row, from: provider, answers).map { StyledText($0) } ?? StyledText("not stored", .dim)
      let cellText = SamePlaceMark.mark(row.group) + StyledText("\(source.rank). ", .dim) + ownText
      return padded(cellText, width, index < lastColumn ? "─" : " ", console)
    }
    let gaps = providers.indices.map { index in
      // The connecting line ends with a space before the text of the next column.
      sourceColumns.count > 1 && index >= firstColumn && index < lastColumn
        ? (sourceColumns.contains(index + 1) ? "── " : "───") : "   "
    }
    let label = String(repeating: " ", count: max(0, 2 - "\(number)".count)) + "\(number)  "
    return label + joined(cells, gaps: gaps)
  }

  /// A provider's own text for a row; nil if it is not stored.
  private static func text(of row: SuggestionRow, from provider: String, _ answers: [String: [SuggestionRow]]) -> FormattedText? {
    guard let source = row.sources.first(where: { $0.provider == provider }) else { return nil }
    let match = answers[provider]?.first { answerRow in
      answerRow.sources.contains { $0.provider == provider && $0.rank == source.rank }
    }
    // The merged row has the text of its first source. If the terms of another source forbid storing, only its rank is known.
    return match?.text ?? (row.sources.first?.provider == provider ? row.text : nil)
  }

  /// Joins cells to a line. The gap at an index follows the cell at this index; the last cell has no gap.
  private static func joined(_ cells: [String], gaps: [String]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() { line += cell + (index < cells.count - 1 ? gaps[index] : "") }
    while line.last == " " { line.removeLast() }
    return line
  }

  /// Cuts a text to the width, or extends it to the width with `fill`.
  private static func padded(_ text: StyledText, _ width: Int, _ fill: Character, _ console: Console) -> String {
    let shortened = text.cut(to: width)
    let space = width - shortened.width
    // A space separates the text from the connecting line that begins after it.
    let gap =
      fill == "─" && !shortened.plain.isEmpty && space > 0
      ? " " + String(repeating: "─", count: space - 1) : String(repeating: fill, count: space)
    return shortened.text(colour: console.usesColour) + gap
  }
}
