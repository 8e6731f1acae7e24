import PlacesKit
import Text

/// A place as a row in one language and region, without what depends on the query.
final class RenderedPlace: Sendable {
  /// The language of the text beside the name.
  let choice: LanguageChoice
  /// The row with nothing highlighted.
  private let row: Suggestion
  private let name: FoldedText
  /// The offset of the secondary text in the whole text, in code points.
  private let offset: Int

  init(_ row: Suggestion, name: String, choice: LanguageChoice) {
    self.row = row
    self.name = FoldedText(name)
    self.choice = choice
    offset = name.unicodeScalars.count + 2
  }

  /// The row with highlights where folded words of a query match: in the name, and in the text beside it for words that the name does not have.
  func row(matching words: [String]) -> Suggestion {
    guard !words.isEmpty else { return row }
    let inName = name.matches(ofWords: words).map { TextRange($0) }
    let rest = words.count > 1 ? name.unmatched(words) : inName.isEmpty ? words : []
    let inSecondary = rest.isEmpty ? [] : Highlighting.matches(ofWords: rest, in: row.secondary?.text ?? "").map { TextRange($0) }
    var shown = row
    shown.text.matches = inName
    for match in inSecondary { shown.text.matches.append(TextRange(start: match.start + offset, end: match.end + offset)) }
    shown.primary = row.primary.map { FormattedText($0.text, matches: inName) }
    shown.secondary = row.secondary.map { FormattedText($0.text, matches: inSecondary) }
    return shown
  }
}
