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
    var shown = row
    let inSecondary = rest.isEmpty ? [] : Highlighting.matches(ofWords: rest, in: shown.secondary?.text ?? "")
    let ranges = inName.map { TextRange(start: $0.lowerBound, end: $0.upperBound) }
    let behind = inSecondary.map { TextRange(start: $0.lowerBound + offset, end: $0.upperBound + offset) }
    shown.text.matches = behind.isEmpty ? ranges : ranges + behind
    shown.primary?.matches = ranges
    shown.secondary?.matches = inSecondary.map { TextRange(start: $0.lowerBound, end: $0.upperBound) }
    return shown
  }
}
