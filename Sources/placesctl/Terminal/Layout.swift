/// Formats rows of cells as aligned columns.
struct Layout: Sendable {
  struct Column: Sendable {
    var title: String
    /// True for numbers, which are right-aligned.
    var isRight = false
    /// True if the column may shrink when the line is too long; the others keep their width.
    var shrinks = false
    /// True if the column shrinks before the others, down to `minWidth`.
    var shrinksFirst = false
  }

  /// The width to which columns with `shrinksFirst` are reduced before the other columns shrink.
  private static let minWidth = 12

  var columns: [Column]
  var rows: [[Styled]]
  /// The maximum width of a line; nil for no limit, if the output is not a terminal.
  var width: Int?
  /// The widths of the columns whatever the rows contain, 0 for a column that is not shown; nil to fit the columns to the rows.
  var fixedWidths: [Int]?

  func lines(colour: Bool, titles: Bool = true) -> [String] {
    guard !rows.isEmpty else { return [] }
    let used = columns.indices.filter { index in
      fixedWidths.map { $0[index] > 0 } ?? rows.contains { index < $0.count && !$0[index].plain.isEmpty }
    }
    let widths = fixedWidths.map { widths in used.map { widths[$0] } } ?? fitted(used)
    var lines: [String] = []
    if titles {
      lines.append(line(used.map { Styled(columns[$0].title, .dim) }, used, widths, colour))
    }
    for row in rows { lines.append(line(used.map { $0 < row.count ? row[$0] : Styled("") }, used, widths, colour)) }
    return lines
  }

  /// The widths of the columns. If a line would be too long, the columns that shrink first become narrower, then the widest of those that
  /// may shrink.
  private func fitted(_ used: [Int]) -> [Int] {
    var widths = used.map { index in
      max(Width.of(columns[index].title), rows.map { index < $0.count ? $0[index].width : 0 }.max() ?? 0)
    }
    guard let width else { return widths }
    var excess = widths.reduce(0, +) + 2 * (widths.count - 1) - width
    while excess > 0 {
      let firstToShrink = used.indices.filter { columns[used[$0]].shrinksFirst && widths[$0] > Layout.minWidth }
      let shrinking = firstToShrink.isEmpty ? used.indices.filter { columns[used[$0]].shrinks && widths[$0] > 4 } : firstToShrink
      guard let widest = shrinking.max(by: { widths[$0] < widths[$1] }) else { return widths }
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private func line(_ cells: [Styled], _ used: [Int], _ widths: [Int], _ colour: Bool) -> String {
    var line = ""
    for (position, cell) in cells.enumerated() {
      let cut = width == nil ? cell : cell.cut(to: widths[position])
      let gap = String(repeating: " ", count: max(0, widths[position] - cut.width))
      if position > 0 { line += "  " }
      line += columns[used[position]].isRight ? gap + cut.text(colour: colour) : cut.text(colour: colour) + gap
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}
