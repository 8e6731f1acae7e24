/// One command: its name, arguments, options and action. Help, usage errors, completion and the test of the manual use these
/// definitions.
struct Command: Sendable {
  /// The words that name the command, such as `["gazetteer", "build"]`.
  var path: [String]
  var arguments: [Argument] = []
  var options: [Option] = []
  /// One sentence.
  var summary: String
  /// Further paragraphs of the command's help.
  var notes: [String] = []
  /// The exit codes of the command, except that of usage errors (2).
  var exitCodes: [ExitCode] = ExitCode.query
  var run: @Sendable (Invocation, CommandContext) async throws(Failure) -> ExitCode

  var name: String { path.joined(separator: " ") }

  /// The options of this command and those of every command.
  var allOptions: [Option] { options + Command.globalOptions }

  /// Options that every command has.
  static let globalOptions: [Option] = [
    Option("json", "Print the result as one JSON document."),
    Option("jsonl", "Print each row of the result as one line of JSON."),
    Option("socket", .text, "PATH", "Connect to the daemon at this socket."),
    Option("no-color", "Print no bold text and no colours; also if NO_COLOR is set or the output is not a terminal."),
    Option("quiet", short: "q", "Print no diagnostics on standard error."),
    Option("help", short: "h", "Print help and do nothing else."),
  ]
}

/// A positional argument.
struct Argument: Sendable {
  enum Count: Sendable {
    case one, optional
    /// One or more.
    case many
    /// None or more.
    case any
  }
  /// The name in capitals, for help.
  var name: String
  var count: Count
  /// One sentence.
  var summary: String
  /// The parameter of the protocol that the argument sets; several words are joined by spaces. Nil for an argument of this program only.
  var parameter: String?
  var valueType: Option.ValueType

  init(_ name: String, _ count: Count = .one, as valueType: Option.ValueType = .text, sets parameter: String? = nil, _ summary: String) {
    self.name = name
    self.count = count
    self.valueType = valueType
    self.parameter = parameter
    self.summary = summary
  }

  var isRequired: Bool { count == .one || count == .many }
  /// True if the argument consists of all remaining words.
  var takesRest: Bool { count == .many || count == .any }

  /// The argument's usage in help: `NAME`, `[NAME]` or `NAME...`.
  var usage: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .many: "\(name)..."
    case .any: "[\(name)...]"
    }
  }
}
