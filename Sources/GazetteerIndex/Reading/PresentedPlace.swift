import PlacesKit
import Text

/// A place as it is shown to whoever asks in one language and region, whatever is typed.
final class PresentedPlace: Sendable {
  /// The language of what stands beside the name.
  let choice: LanguageChoice
  /// The row with nothing highlighted.
  private let row: Suggestion
  private let name: FoldedText
  /// Where the second text begins in the whole one, in code points.
  private let offset: Int

  init(_ row: Suggestion, name: String, choice: LanguageChoice) {
    self.row = row
    self.name = FoldedText(name)
    self.choice = choice
    offset = name.unicodeScalars.count + 2
  }

  /// The row with what words, already folded, match in the name, and those of them that match nothing there beside it.
  func row(matching words: [String]) -> Suggestion {
    guard !words.isEmpty else { return row }
    let inName = name.matches(ofWords: words)
    let rest = words.count > 1 ? name.unmatched(words) : inName.isEmpty ? words : []
    let inSecondary = rest.isEmpty ? [] : Highlighting.matches(ofWords: rest, in: row.secondary?.text ?? "")
    let ranges = inName.map { TextRange(start: $0.lowerBound, end: $0.upperBound) }
    let behind = inSecondary.map { TextRange(start: $0.lowerBound + offset, end: $0.upperBound + offset) }
    // Put together from its parts: a row is large, and one that is changed is copied twice.
    return Suggestion(
      kind: row.kind, id: row.id, text: FormattedText(row.text.text, matches: behind.isEmpty ? ranges : ranges + behind),
      primary: row.primary.map { FormattedText($0.text, matches: ranges) },
      secondary: row.secondary.map {
        FormattedText($0.text, matches: inSecondary.map { TextRange(start: $0.lowerBound, end: $0.upperBound) })
      },
      types: row.types, language: row.language, location: row.location, importance: row.importance, evidence: row.evidence,
      attributions: row.attributions)
  }
}
