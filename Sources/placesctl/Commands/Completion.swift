/// `placesctl completion`: the completion of the shell, made from the table of commands.
enum CompletionCommand {
  static let command = Command(
    path: ["completion"], arguments: [Argument("SHELL", .one, as: .choice(["bash"]), "bash")],
    summary: "Print the shell's completion of this program's commands and options.", exits: [.results]
  ) { (_, running) async throws(Failure) in
    running.console.write(script(Commands.all))
    return .results
  }

  static func script(_ commands: [Command]) -> String {
    let groups = Dictionary(grouping: commands, by: { $0.path.first ?? "" })
    let words = commands.compactMap(\.path.first).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    var lines = [
      "# bash completion for placesctl; made with: placesctl completion bash", "_placesctl() {",
      "  local word=${COMP_WORDS[COMP_CWORD]} first=${COMP_WORDS[1]} second=${COMP_WORDS[2]}", "  COMPREPLY=()",
      "  if ((COMP_CWORD == 1)); then", "    COMPREPLY=($(compgen -W \"\(words.joined(separator: " ")) --help\" -- \"$word\"))",
      "    return", "  fi",
      "  case \"$first\" in",
    ]
    for word in words {
      let group = groups[word] ?? []
      let second = group.compactMap { $0.path.dropFirst().first }
      if second.isEmpty {
        lines.append("    \(word)) set -- \(options(group[0]));;")
      } else {
        lines += [
          "    \(word))",
          "      if ((COMP_CWORD == 2)); then COMPREPLY=($(compgen -W \"\(second.joined(separator: " "))\" -- \"$word\")); fi",
        ]
        lines.append("      case \"$second\" in")
        for command in group {
          if let name = command.path.dropFirst().first { lines.append("        \(name)) set -- \(options(command));;") }
        }
        // Last, because it takes whatever comes: the options of the word alone, such as `budget`.
        let bare = group.first { $0.path.count == 1 }
        lines += ["        *) set -- \(bare.map(options) ?? "");;", "      esac;;"]
      }
    }
    lines +=
      ["    *) set --;;", "  esac"] + values(commands) + [
        "  case \"$word\" in", "    -*) COMPREPLY=($(compgen -W \"$*\" -- \"$word\"));;", "  esac", "}",
        "complete -o default -F _placesctl placesctl", "",
      ]
    return lines.joined(separator: "\n")
  }

  private static func options(_ command: Command) -> String { command.allOptions.map { "--\($0.name)" }.joined(separator: " ") }

  /// The part that completes what stands behind an option, or an argument of few words.
  private static func values(_ commands: [Command]) -> [String] {
    var patterns: [(words: String, names: [String])] = []
    func add(_ words: String, _ name: String) {
      if let index = patterns.firstIndex(where: { $0.words == words }) {
        if !patterns[index].names.contains(name) { patterns[index].names.append(name) }
      } else {
        patterns.append((words, [name]))
      }
    }
    for command in commands {
      let first = command.path[0]
      for option in command.allOptions {
        guard let words = option.value.completion else { continue }
        add(words, "\(first):--\(option.name)")
        if let short = option.short { add(words, "\(first):-\(short)") }
      }
      // The command's own words come before its first argument.
      if let words = command.arguments.first?.value.completion { add(words, command.path.joined(separator: ":")) }
    }
    return [
      "  local values=", "  case \"$first:${COMP_WORDS[COMP_CWORD-1]}\" in",
    ] + patterns.map { "    \(argument($0.names))) values=\"\($0.words)\";;" } + [
      "  esac", "  if [[ $values ]]; then", "    COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))", "    return", "  fi",
    ]
  }

  /// The alternatives of a pattern; a command of one word stands right before its argument.
  private static func argument(_ names: [String]) -> String {
    names.map { $0.contains(":") ? $0 : "\($0):\($0)" }.joined(separator: "|")
  }
}

extension Option.Value {
  /// What a shell offers for the value; nil where nobody knows.
  fileprivate var completion: String? {
    switch self {
    case .choice(let words): words.joined(separator: " ")
    // Parentheses would have to be quoted, and need not be there.
    case .word(let list): list.words.map { $0.filter { $0 != "(" && $0 != ")" } }.joined(separator: " ")
    case .list(let element): element.completion
    case .provider:
      #"$(timeout 1 placesctl providers list --jsonl 2>/dev/null | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')"#
    default: nil
    }
  }
}
