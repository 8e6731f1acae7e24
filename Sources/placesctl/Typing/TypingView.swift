import PlacesAPI

/// Draws the field and its list on a terminal.
struct TypingView: Sendable {
  var columns: Int
  var height: Int
  var colour: Bool

  /// Erases the previous drawing (the cursor is in its first line) and draws the field, with the cursor at its place
  /// in the text (ECMA-48: ED, CPL, CUF).
  /// - Parameter now: monotonic seconds.
  func drawing(_ field: TypingField, now: Double) -> String {
    let before = tail(field.beforeCursor, columns: columns - 4)
    let cursor = Width.of(printable(before))
    let after = Styled(field.afterCursor).cut(to: max(0, columns - 4 - cursor))
    var lines = [Styled("> ", .dim).text(colour: colour) + Styled(before).text(colour: colour) + after.text(colour: colour)]
    let status = Help.wrapped(printable(field.status(now: now)), width: columns - 3).prefix(3)
    let below = (credits(field) + status).map { line in
      Styled("  " + line, .dim).cut(to: columns - 1).text(colour: colour)
    }
    lines += list(field, room: height - 2 - below.count) + below
    let up = lines.count > 1 ? "\u{1B}[\(lines.count - 1)F" : "\r"
    return TypingView.erasing + lines.joined(separator: "\n") + up + "\u{1B}[\(2 + cursor)C"
  }

  /// Erases the field and its list.
  static let erasing = "\r\u{1B}[J"

  /// The credits that services require beside their rows, each once, together on as few lines as they fit on.
  private func credits(_ field: TypingField) -> [String] {
    var lines: [String] = []
    var seen: Set<String> = []
    for credit in field.credits + field.rows.flatMap({ $0.attributions ?? [] }) where seen.insert(credit.text).inserted {
      let text = printable(credit.text)
      if let last = lines.last, Width.of(last) + 3 + Width.of(text) < columns - 2 {
        lines[lines.count - 1] += " · " + text
      } else {
        lines.append(text)
      }
    }
    return lines
  }

  /// As many rows as fit, at least one, always including the selected one.
  private func list(_ field: TypingField, room: Int) -> [String] {
    let room = max(1, room)
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
