/// Formats rows of cells as aligned columns.
struct TextTable: Sendable {
  struct Column: Sendable {
    var title: String
    /// True for numbers, which are right-aligned.
    var isRightAligned = false
    /// True if the column may shrink when the line is too long; the others keep their width.
    var shrinks = false
    /// True if the column shrinks before the others, down to `minFirstWidth`.
    var shrinksFirst = false
  }

  /// The width to which columns with `shrinksFirst` are reduced before the other columns shrink.
  private static let minFirstWidth = 12
  /// The width to which the other columns that may shrink are reduced.
  private static let minWidth = 4

  var columns: [Column]
  var rows: [[StyledText]]
  /// The maximum width of a line; nil for no limit, if the output is not a terminal.
  var width: Int?
  /// The width of each column, whatever the rows contain; 0 for a column that is not shown. Nil to fit the columns to the rows.
  var fixedWidths: [Int]?

  /// The rows as lines, below a line with the titles if `titles` is true. A column whose cells are all empty is left out.
  func lines(colour: Bool, titles: Bool = true) -> [String] {
    guard !rows.isEmpty else { return [] }
    let visibleColumns = columns.indices.filter { index in
      fixedWidths.map { $0[index] > 0 } ?? rows.contains { index < $0.count && !$0[index].plain.isEmpty }
    }
    let widths = fixedWidths.map { widths in visibleColumns.map { widths[$0] } } ?? fittedWidths(visibleColumns)
    var lines: [String] = []
    if titles {
      lines.append(line(visibleColumns.map { StyledText(columns[$0].title, .dim) }, visibleColumns, widths, colour))
    }
    for row in rows { lines.append(line(visibleColumns.map { $0 < row.count ? row[$0] : StyledText("") }, visibleColumns, widths, colour)) }
    return lines
  }

  /// The widths of the columns. If a line would be too long, the columns that shrink first become narrower, then the widest of those that
  /// may shrink.
  private func fittedWidths(_ visibleColumns: [Int]) -> [Int] {
    var widths = visibleColumns.map { index in
      max(Width.of(columns[index].title), rows.map { index < $0.count ? $0[index].width : 0 }.max() ?? 0)
    }
    guard let width else { return widths }
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
    while excess > 0 {
      let firstToShrink = visibleColumns.indices.filter {
        columns[visibleColumns[$0]].shrinksFirst && widths[$0] > TextTable.minFirstWidth
      }
      let shrinking =
        firstToShrink.isEmpty
        ? visibleColumns.indices.filter { columns[visibleColumns[$0]].shrinks && widths[$0] > TextTable.minWidth } : firstToShrink
      guard let widest = shrinking.max(by: { widths[$0] < widths[$1] }) else { return widths }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private func line(_ cells: [StyledText], _ visibleColumns: [Int], _ widths: [Int], _ colour: Bool) -> String {
    var text = ""
    for (position, cell) in cells.enumerated() {
      let shortened = width == nil ? cell : cell.cut(to: widths[position])
      let gap = String(repeating: " ", count: max(0, widths[position] - shortened.width))
      if position > 0 { text += "  " }
      text += columns[visibleColumns[position]].isRightAligned ? gap + shortened.text(colour: colour) : shortened.text(colour: colour) + gap
    }
    while text.last == " " { text.removeLast() }
    return text
  }
}
