import PlacesKit
import Text

/// A place as a row for one language and region, without the highlights, which depend on the query.
final class RenderedPlace: Sendable {
  /// The languages of the secondary text.
  let secondaryLanguages: LanguageChoice
  /// The row with nothing highlighted.
  private let plainRow: Suggestion
  /// The name, folded once for all queries.
  private let name: FoldedText
  /// The offset of the secondary text in the whole text, in code points.
  private let secondaryOffset: Int

  init(_ row: Suggestion, name: String, secondaryLanguages: LanguageChoice) {
    plainRow = row
    self.name = FoldedText(name)
    self.secondaryLanguages = secondaryLanguages
    // A comma and a space precede the secondary text.
    secondaryOffset = name.unicodeScalars.count + 2
  }

  /// The row with highlights for the words of a query: in the name, and in the secondary text for words that the name does not have.
  /// - Parameter words: the folded words.
  func row(matching words: [String]) -> Suggestion {
    guard !words.isEmpty else { return plainRow }
    let nameRanges = name.matches(ofWords: words).map { TextRange($0) }
    // The words that the name does not have.
    let otherWords = words.count > 1 ? name.unmatched(words) : nameRanges.isEmpty ? words : []
    let secondaryRanges =
      otherWords.isEmpty ? [] : Highlighting.matches(ofWords: otherWords, in: plainRow.secondary?.text ?? "").map { TextRange($0) }
    var highlightedRow = plainRow
    highlightedRow.text.matches = nameRanges
    for match in secondaryRanges {
      highlightedRow.text.matches.append(TextRange(start: match.start + secondaryOffset, end: match.end + secondaryOffset))
    }
    highlightedRow.primary = plainRow.primary.map { FormattedText($0.text, matches: nameRanges) }
    highlightedRow.secondary = plainRow.secondary.map { FormattedText($0.text, matches: secondaryRanges) }
    return highlightedRow
  }
}
