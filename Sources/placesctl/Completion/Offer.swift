/// What a shell offers where a value is to be typed.
enum Offer {
  case words([String])
  /// The ids of the configured providers, as the daemon tells them.
  case providers
  /// The names of what the gazetteer's index holds.
  case sources
  case files

  /// A command line that prints the providers' ids, and nothing where no daemon answers at once.
  static let providersCommand = #"timeout 1 placesctl providers list --jsonl 2>/dev/null | sed -n 's/.*"id":"\([^"]*\)".*/\1/p'"#

  /// The same of the sources' names, where there is an index at its usual place.
  static let sourcesCommand = #"timeout 1 placesctl gazetteer info --jsonl 2>/dev/null | sed -n 's/.*"name":"\([^"]*\)".*/\1/p'"#

  /// Nil where nobody knows.
  fileprivate init?(_ value: Option.Value, label: String) {
    switch value {
    case .choice(let words): self = .words(words)
    // Parentheses would have to be quoted, and need not be there.
    case .word(let list): self = .words(list.words.map { $0.filter { $0 != "(" && $0 != ")" } })
    case .list(let element): self.init(element, label: label)
    case .provider: self = .providers
    case .source: self = .sources
    case .text where label == "PATH" || label == "FILE": self = .files
    default: return nil
    }
  }
}

extension Option {
  var offer: Offer? { Offer(value, label: label) }

  /// Whether it may stand on the line again.
  var mayRepeat: Bool { if case .list = value { true } else { false } }
}

extension Argument {
  var offer: Offer? { Offer(value, label: name) }
}

extension Option {
  /// The spellings behind which the next word is a value, whatever the command: options may stand before it. Those that are a flag of one
  /// command and take a value of another are not among them.
  static func valued(in commands: [Command]) -> [String] {
    let options = commands.flatMap(\.allOptions)
    let flags = Set(options.filter { $0.value == .flag }.flatMap(\.spellings))
    var seen = flags
    return options.flatMap(\.spellings).filter { seen.insert($0).inserted }
  }

  private var spellings: [String] { ["--\(name)"] + (short.map { ["-\($0)"] } ?? []) }
}

/// A first word, and the commands that begin with it.
struct CommandGroup {
  var word: String
  /// In the order of the table. One of them may be the word alone.
  var commands: [Command]

  /// The command that is the word alone.
  var bare: Command? { commands.first { $0.path.count == 1 } }
  /// The second words, each with its command.
  var below: [(word: String, command: Command)] { commands.compactMap { command in command.path.dropFirst().first.map { ($0, command) } } }
  /// What the word is for; of a group of commands, their names.
  var summary: String { bare?.summary ?? below.map(\.word).joined(separator: ", ") }

  /// Every command below its first word, in the order of the table.
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
