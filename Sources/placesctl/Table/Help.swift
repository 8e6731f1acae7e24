/// Makes the help texts from the table of commands.
enum Help {
  /// The text of `placesctl --help`.
  static func overview(_ commands: [Command], width: Int) -> [String] {
    var lines = ["Usage: placesctl COMMAND [ARGUMENT...] [OPTION...]", "", "Queries and administers the places daemon.", "", "Commands:"]
    lines += table(commands.map { ($0.name, $0.summary) }, width: width)
    lines += ["", "Options of every command:"]
    lines += table(Command.globalOptions.map { ($0.usage, $0.summary) }, width: width)
    lines += ["", "Exit codes:"]
    lines += table(ExitCode.allCases.map { ("\($0.rawValue)", $0.summary) }, width: width)
    return lines + ["", "For more, see placesctl COMMAND --help and the manual, placesctl(1)."]
  }

  /// The text of `placesctl COMMAND --help`.
  static func of(_ command: Command, width: Int) -> [String] {
    let arguments = command.arguments.map { " " + $0.usage }.joined()
    var lines = wrapped("Usage: placesctl \(command.name)\(arguments) [OPTION...]", width: width)
    lines += [""] + wrapped(command.summary, width: width)
    for note in command.notes { lines += [""] + wrapped(note, width: width) }
    if !command.arguments.isEmpty {
      lines += ["", "Arguments:"] + table(command.arguments.map { ($0.name, $0.summary) }, width: width)
    }
    if !command.options.isEmpty { lines += ["", "Options:"] + table(command.options.map { ($0.usage, $0.summary) }, width: width) }
    lines += ["", "Options of every command:"] + table(Command.globalOptions.map { ($0.usage, $0.summary) }, width: width)
    lines += ["", "Exit codes:"]
    let exitCodes = ExitCode.allCases.filter { command.exitCodes.contains($0) || $0 == .usage }
    return lines + table(exitCodes.map { ("\($0.rawValue)", $0.summary) }, width: width)
  }

  /// The help of several commands whose first word is the same.
  static func of(group: String, _ commands: [Command], width: Int) -> [String] {
    ["Usage: placesctl \(group) COMMAND [ARGUMENT...] [OPTION...]", "", "Commands:"]
      + table(commands.map { ($0.path.dropFirst().joined(separator: " "), $0.summary) }, width: width)
      + ["", "For more, see placesctl \(group) COMMAND --help."]
  }

  /// Formats rows as two columns; the texts of the second column are wrapped. A name of more than 28 columns has a line of its own.
  private static func table(_ rows: [(String, String)], width: Int) -> [String] {
    let leftWidth = min(28, rows.map { Width.of($0.0) }.max() ?? 0)
    return rows.flatMap { name, summary in
      let lines = wrapped(summary, width: max(24, width - leftWidth - 4))
      let gap = String(repeating: " ", count: leftWidth + 4)
      let firstLineStart = "  " + name + String(repeating: " ", count: max(0, leftWidth - Width.of(name))) + "  "
      guard Width.of(name) <= leftWidth else { return ["  " + name] + lines.map { gap + $0 } }
      return [firstLineStart + (lines.first ?? "")] + lines.dropFirst().map { gap + $0 }
    }
  }

  /// Breaks a text between words into lines of at most `width` columns. A longer word has a line of its own.
  static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, Width.of(line) + 1 + Width.of(String(word)) > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return lines + (line.isEmpty ? [] : [line])
  }
}
