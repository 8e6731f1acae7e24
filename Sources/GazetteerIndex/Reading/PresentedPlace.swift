import PlacesKit
import Text

/// A place as it is shown to whoever asks in one language and region, whatever is typed.
final class PresentedPlace: Sendable {
  /// The language of what stands beside the name; nil for a row that the index keeps, which does not tell.
  let choice: LanguageChoice?
  /// The row with nothing highlighted.
  private let row: Suggestion
  private let name: Name
  /// Where the second text begins in the whole one, in code points.
  private let offset: Int

  /// The name's words, folded.
  private enum Name {
    case folded(FoldedText)
    case kept(FoldedNameTable)
  }

  init(_ row: Suggestion, name: String, choice: LanguageChoice) {
    self.row = row
    self.name = .folded(FoldedText(name))
    self.choice = choice
    offset = name.unicodeScalars.count + 2
  }

  /// A row that the index keeps.
  init(_ row: Suggestion, name: String, _ words: FoldedNameTable) {
    self.row = row
    self.name = .kept(words)
    choice = nil
    offset = name.unicodeScalars.count + 2
  }

  /// The row with what words, already folded, match in the name, and those of them that match nothing there beside it.
  func row(matching words: [String]) -> Suggestion {
    guard !words.isEmpty else { return row }
    let (inName, rest) = matches(words)
    let inSecondary = rest.isEmpty ? [] : Highlighting.matches(ofWords: rest, in: row.secondary?.text ?? "").map { TextRange($0) }
    var shown = row
    shown.text.matches = inName
    for match in inSecondary { shown.text.matches.append(TextRange(start: match.start + offset, end: match.end + offset)) }
    shown.primary = row.primary.map { FormattedText($0.text, matches: inName) }
    shown.secondary = row.secondary.map { FormattedText($0.text, matches: inSecondary) }
    return shown
  }

  private func matches(_ words: [String]) -> (ranges: [TextRange], rest: [String]) {
    let ranges =
      switch name {
      case .folded(let name): name.matches(ofWords: words)
      case .kept(let name): name.matches(ofWords: words)
      }
    return (ranges.map { TextRange($0) }, words.count > 1 ? unmatched(words) : ranges.isEmpty ? words : [])
  }

  private func unmatched(_ words: [String]) -> [String] {
    switch name {
    case .folded(let name): name.unmatched(words)
    case .kept(let name): name.unmatched(words)
    }
  }
}
