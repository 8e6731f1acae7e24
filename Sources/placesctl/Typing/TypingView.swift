/// How the field and its list look on a terminal.
struct TypingView: Sendable {
  var columns: Int
  var height: Int
  var colour: Bool

  /// Erases the previous drawing (the cursor is in its first line) and draws the field, with the cursor after
  /// its text (ECMA-48: ED, CPL, CUF).
  func drawing(_ field: TypingField) -> String {
    let shown = tail(field.text, columns: columns - 4)
    var lines = [Styled("> ", .dim).text(colour: colour) + Styled(shown).text(colour: colour)]
    lines += list(field)
    if !field.note.isEmpty { lines.append(Styled("  " + field.note, .dim).cut(to: columns - 1).text(colour: colour)) }
    let up = lines.count > 1 ? "\u{1B}[\(lines.count - 1)F" : "\r"
    return TypingView.erasing + lines.joined(separator: "\n") + up + "\u{1B}[\(2 + Width.of(printable(shown)))C"
  }

  /// Erases the field and its list.
  static let erasing = "\r\u{1B}[J"

  /// As many rows as fit, always including the selected one.
  private func list(_ field: TypingField) -> [String] {
    let room = max(1, height - 3)
    let first = max(0, field.selected - room + 1)
    let rows = field.rows[first...].prefix(room)
    var layout = SuggestCommand.layout(Array(rows))
    layout.width = columns - 3
    return zip(rows.indices, layout.lines(colour: colour, titles: false)).map { index, line in
      (index == field.selected ? Styled("› ", .green).text(colour: colour) : "  ") + line
    }
  }

  /// The end of a text that is too long for its line.
  private func tail(_ text: String, columns: Int) -> String {
    var rest = text[...]
    while Width.of(String(rest)) > max(1, columns), !rest.isEmpty { rest.removeFirst() }
    return String(rest)
  }
}
