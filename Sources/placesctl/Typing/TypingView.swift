import PlacesAPI

/// Draws the field and its list on a terminal.
struct TypingView: Sendable {
  var columns: Int
  var height: Int
  var usesColour: Bool
  /// The number of rows that the list has room for.
  var rowCount: Int
  /// Whether the list has a column for distances.
  var showsDistances: Bool

  /// Erases the previous drawing (the cursor is in its first line) and draws the field, with the cursor at its place
  /// in the text (ECMA-48: ED, CPL, CUF). Neither the height nor the columns depend on the rows, so that nothing moves while a user types.
  /// On a terminal that is too narrow or too low for rows with their credits, only the field is drawn.
  /// - Parameter now: monotonic seconds.
  func drawing(_ field: TypingField, now: Double) -> String {
    // The prompt `> ` and the cursor need three columns; the last column stays free.
    let before = tail(field.beforeCursor, columns: columns - 4)
    let cursorColumn = Width.of(printable(before))
    let after = StyledText(field.afterCursor).cut(to: max(0, columns - 4 - cursorColumn))
    var lines = [
      StyledText("> ", .dim).text(colour: usesColour) + StyledText(before).text(colour: usesColour) + after.text(colour: usesColour)
    ]
    if columns >= TypingView.minColumns, height >= TypingView.minHeight {
      // One line each for the field, the credits and the status. If the credits and the status need more lines, the list has fewer rows.
      let lineCount = min(height - 1, 1 + rowCount + 2)
      let status = Help.wrapped(printable(field.status(now: now)), width: columns - 3).prefix(3)
      let linesBelow = (credits(field) + status).prefix(lineCount - 2).map { line in
        StyledText("  " + line, .dim).cut(to: columns - 1).text(colour: usesColour)
      }
      let room = min(rowCount, lineCount - 1 - linesBelow.count)
      let list = list(field, room: room)
      lines += list + Array(repeating: "", count: room - list.count) + linesBelow
      lines += Array(repeating: "", count: lineCount - lines.count)
    }
    let moveUp = lines.count > 1 ? "\u{1B}[\(lines.count - 1)F" : "\r"
    return TypingView.erasing + lines.joined(separator: "\n") + moveUp + "\u{1B}[\(2 + cursorColumn)C"
  }

  /// The minimum size for the list: four letters of each column, and lines for the field, a row and its credit.
  private static let (minColumns, minHeight) = (19, 4)
  /// The minimum width of the rows that have a column for distances.
  private static let minWidthWithDistances = 28

  /// The control sequence that erases the field and its list; the cursor must be in the line of the field.
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

  /// The lines of as many rows as fit, always including the selected one.
  private func list(_ field: TypingField, room: Int) -> [String] {
    let firstIndex = max(0, field.selectedIndex - room + 1)
    let rows = field.rows[firstIndex...].prefix(room)
    var table = SuggestCommand.table(Array(rows))
    let width = columns - 3
    table.width = width
    // The type and the sources have a sixth of the line each, because the text matters most. The type `administrative area level 1` needs
    // 27 columns, and a distance needs 8. Two columns separate a cell from the next one.
    let hasDistances = showsDistances && width >= TypingView.minWidthWithDistances
    let (sideWidth, distanceWidth) = (min(max(width / 6, 4), 27), hasDistances ? 8 : 0)
    let gaps = hasDistances ? 6 : 4
    table.fixedWidths = [width - 2 * sideWidth - distanceWidth - gaps, sideWidth, distanceWidth, sideWidth]
    return zip(rows.indices, table.lines(colour: usesColour, titles: false)).map { index, line in
      (index == field.selectedIndex ? StyledText("› ", .green).text(colour: usesColour) : "  ") + line
    }
  }

  /// The end of the text, as much as fits into the columns.
  private func tail(_ text: String, columns: Int) -> String {
    var remaining = text[...]
    while Width.of(String(remaining)) > max(1, columns), !remaining.isEmpty { remaining.removeFirst() }
    return String(remaining)
  }
}
