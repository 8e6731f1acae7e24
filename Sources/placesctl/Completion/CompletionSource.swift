/// The place from which a completion script takes the possible values of an option or argument.
enum CompletionSource {
  case words([String])
  /// The ids of the configured providers, read from the daemon.
  case providers
  /// The names of the sources in the gazetteer's index.
  case sources
  case files

  /// A shell command that prints the providers' ids, or nothing if no daemon answers within a second.
  static let providersCommand = #"timeout 1 placesctl providers list --jsonl 2>/dev/null | sed -n 's/.*"id":"\([^"]*\)".*/\1/p'"#

  /// A shell command that prints the sources' names if the index is at its default path.
  static let sourcesCommand = #"timeout 1 placesctl gazetteer info --jsonl 2>/dev/null | sed -n 's/.*"name":"\([^"]*\)".*/\1/p'"#

  /// The source for a type of value; nil if there are no completions.
  fileprivate init?(_ value: Option.ValueType, label: String) {
    switch value {
    case .choice(let words): self = .words(words)
    // A shell would require quotes around parentheses. They are optional, so they are omitted.
    case .word(let vocabulary): self = .words(vocabulary.words.map { $0.filter { $0 != "(" && $0 != ")" } })
    case .list(let element): self.init(element, label: label)
    case .provider: self = .providers
    case .source: self = .sources
    case .text where label == "PATH" || label == "FILE": self = .files
    default: return nil
    }
  }
}

extension Option {
  var completion: CompletionSource? { CompletionSource(valueType, label: label) }
}

extension Argument {
  var completion: CompletionSource? { CompletionSource(valueType, label: name) }
}

extension Option {
  /// The spellings, such as `-n` and `--limit`, of the options that take a value in every command. A script needs them to skip options that
  /// precede the command. An option that is a flag of one command and takes a value in another is not among them.
  static func spellingsWithValue(in commands: [Command]) -> [String] {
    let options = commands.flatMap(\.allOptions)
    let flags = Set(options.filter { $0.valueType == .flag }.flatMap(\.spellings))
    // Flags count as seen, so that they are left out.
    var seen = flags
    return options.flatMap(\.spellings).filter { seen.insert($0).inserted }
  }

  private var spellings: [String] { ["--\(name)"] + (short.map { ["-\($0)"] } ?? []) }
}

/// The commands that begin with the same word.
struct CommandGroup {
  var word: String
  /// The commands, in the order of the table. One of them may consist of the word alone.
  var commands: [Command]

  /// The command that consists of the word alone; nil if there is none.
  var oneWordCommand: Command? { commands.first { $0.path.count == 1 } }
  /// The second words, each with its command.
  var subcommands: [(word: String, command: Command)] {
    commands.compactMap { command in command.path.dropFirst().first.map { ($0, command) } }
  }
  /// The purpose of the word; for a group of commands, their names.
  var summary: String { oneWordCommand?.summary ?? subcommands.map(\.word).joined(separator: ", ") }

  /// All commands, grouped by their first words, in the order of the table.
  static func groups(of commands: [Command]) -> [CommandGroup] {
    commands.reduce(into: []) { groups, command in
      guard let word = command.path.first else { return }
      if let index = groups.firstIndex(where: { $0.word == word }) {
        groups[index].commands.append(command)
      } else {
        groups.append(CommandGroup(word: word, commands: [command]))
      }
    }
  }
}
