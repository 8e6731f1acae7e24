/// One command: what it is called, what it takes, what it does. Help, usage errors, completion and the check of the manual
/// are made from these.
struct Command: Sendable {
  /// Such as `["gazetteer", "build"]`.
  var path: [String]
  var arguments: [Argument] = []
  var options: [Option] = []
  /// One sentence.
  var summary: String
  /// Paragraphs for its help, where the summary does not say enough.
  var notes: [String] = []
  /// What its exit codes are beside usage errors (2).
  var exits: [ExitCode] = ExitCode.asking
  var run: @Sendable (Invocation, Running) async throws(Failure) -> ExitCode

  var name: String { path.joined(separator: " ") }

  /// Its own options and those of every command.
  var allOptions: [Option] { options + Command.global }

  /// Options that every command has.
  static let global: [Option] = [
    Option("json", "Print the result as one JSON document."),
    Option("jsonl", "Print each row of the result as one line of JSON."),
    Option("socket", .text, "PATH", "Connect to the daemon at this socket."),
    Option("no-color", "Print no bold text and no colours; also if NO_COLOR is set or the output is not a terminal."),
    Option("quiet", short: "q", "Print no diagnostics on standard error."),
    Option("help", short: "h", "Print help and do nothing else."),
  ]
}

/// What stands on the line without a dash.
struct Argument: Sendable {
  enum Count: Sendable {
    case one, optional
    /// One or more, and none or more.
    case many, any
  }
  /// In capitals, for help.
  var name: String
  var count: Count
  /// One sentence.
  var summary: String
  /// The parameter of the wire that it sets; several words are joined by spaces.
  var parameter: String?
  var value: Option.Value

  init(_ name: String, _ count: Count = .one, as value: Option.Value = .text, sets parameter: String? = nil, _ summary: String) {
    self.name = name
    self.count = count
    self.value = value
    self.parameter = parameter
    self.summary = summary
  }

  var isRequired: Bool { count == .one || count == .many }
  /// Whether all that is left on the line belongs to it.
  var takesRest: Bool { count == .many || count == .any }

  var usage: String {
    switch count {
    case .one: name
    case .optional: "[\(name)]"
    case .many: "\(name)..."
    case .any: "[\(name)...]"
    }
  }
}
