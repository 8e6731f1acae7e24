import PlacesKit

/// Prints lines of a log, which have the form `TIME <LEVEL>text` with the level as a number of syslog(3). In a pipe they stay as they are;
/// on a terminal, the level is shown as a word in a colour.
enum LogLines {
  static func show(_ lines: [String], _ console: Console) {
    for line in lines { console.line(console.width == nil ? printable(line) : styled(line).text(colour: console.usesColour)) }
  }

  /// The line with its level as a word. A line of another form is not changed.
  private static func styled(_ line: String) -> StyledText {
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return StyledText(line) }
    let time = StyledText(parts[0] + "  ", .dim)
    guard let (level, text) = level(parts[1]) else { return time + StyledText(parts[1]) }
    // The longest level, `warning`, has seven letters; two spaces follow it.
    let gap = String(repeating: " ", count: max(0, 9 - level.rawValue.count))
    return time + StyledText(level.rawValue + gap, style(level)) + StyledText(text, level == .debug ? .dim : .plain)
  }

  /// Splits `<3>text` into its level and text.
  private static func level(_ text: String) -> (LogLevel, String)? {
    guard text.hasPrefix("<"), let end = text.firstIndex(of: ">"), let number = Int(text[..<end].dropFirst()) else { return nil }
    let levels = LogLevel.allCases
    // The first level is error, whose number is 3.
    guard levels.indices.contains(number - 3) else { return nil }
    return (levels[number - 3], String(text[text.index(after: end)...]))
  }

  private static func style(_ level: LogLevel) -> StyledText.Style {
    switch level {
    case .error: .red
    case .warning: .yellow
    case .notice: .bold
    case .info: .plain
    case .debug: .dim
    }
  }
}
