import PlacesKit

/// A text with styled parts.
struct StyledText: Sendable, Hashable {
  enum Style: Sendable, Hashable {
    case plain, bold, dim, red, green, yellow

    /// The control sequence that selects the style (ECMA-48, 8.3.117, Select Graphic Rendition); empty for `plain`.
    var code: String {
      switch self {
      case .plain: ""
      case .bold: "\u{1B}[1m"
      case .dim: "\u{1B}[2m"
      case .red: "\u{1B}[31m"
      case .green: "\u{1B}[32m"
      case .yellow: "\u{1B}[33m"
      }
    }
  }
  /// A part of the text that has one style.
  struct Run: Sendable, Hashable {
    var text: String
    var style: Style
  }

  var runs: [Run]

  /// The text is made printable, because it may come from outside.
  init(_ text: String, _ style: Style = .plain) { runs = [Run(text: printable(text), style: style)] }

  /// Shows the matches of a text in bold; ranges outside the text are ignored.
  init(_ text: FormattedText) {
    let scalars = Array(printable(text.text).unicodeScalars)
    runs = []
    var position = 0
    func piece(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }
    for match in text.matches where match.start >= position && match.start < match.end && match.end <= scalars.count {
      if match.start > position { runs.append(Run(text: piece(position..<match.start), style: .plain)) }
      runs.append(Run(text: piece(match.start..<match.end), style: .bold))
      position = match.end
    }
    if position < scalars.count { runs.append(Run(text: piece(position..<scalars.count), style: .plain)) }
  }

  static func + (a: StyledText, b: StyledText) -> StyledText {
    var sum = a
    sum.runs += b.runs
    return sum
  }

  /// The text without styles.
  var plain: String { runs.map(\.text).joined() }
  var width: Int { Width.of(plain) }

  /// The text with its escape sequences; without colour, only the text.
  func text(colour: Bool) -> String {
    runs.map { colour && $0.style != .plain ? $0.style.code + $0.text + "\u{1B}[0m" : $0.text }.joined()
  }

  /// The beginning of the text that fits into this number of columns, followed by `…` if the text was cut.
  func cut(to columns: Int) -> StyledText {
    if width <= columns { return self }
    var remainingColumns = columns
    var result = self
    result.runs = []
    for run in runs {
      // One column is reserved for the `…` if more follows.
      if Width.of(run.text) < remainingColumns {
        result.runs.append(run)
        remainingColumns -= Width.of(run.text)
      } else {
        let cut = Width.cut(run.text, to: remainingColumns)
        // A run that fills the remaining columns exactly is cut too, because more text follows; a space makes it too long.
        result.runs.append(Run(text: cut.hasSuffix("…") ? cut : Width.cut(run.text + " ", to: remainingColumns), style: run.style))
        break
      }
    }
    return result
  }
}
