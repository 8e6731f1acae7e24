/// Makes the completion script for bash, version 4 and later.
enum BashCompletion {
  static func script(_ commands: [Command]) -> String {
    let groups = CommandGroup.groups(of: commands)
    var lines = [
      "# bash completion for placesctl; made with: placesctl completion bash", "_placesctl() {",
      "  local word=${COMP_WORDS[COMP_CWORD]} at", "  local -a plain=()", "  COMPREPLY=()",
      // Options may be anywhere; `--socket=PATH` is three words to bash.
      "  for ((at = 1; at < COMP_CWORD; at++)); do", "    case \"${COMP_WORDS[at]}\" in",
      "      \(Option.spellingsWithValue(in: commands).joined(separator: "|")))",
      "        if [[ ${COMP_WORDS[at + 1]-} == = ]]; then ((at++)); fi", "        ((at++));;",
      "      -*) ;;", "      *) plain+=(\"${COMP_WORDS[at]}\");;", "    esac", "  done",
      "  local first=${plain[0]-} second=${plain[1]-} place=$((${#plain[@]} + 1))",
      // Then the word at the cursor is the value of an option, and not a word of a command.
      "  if ((at > COMP_CWORD)); then place=0; fi",
      "  if ((place == 1)); then",
      "    COMPREPLY=($(compgen -W \"\(groups.map(\.word).joined(separator: " ")) \(names(Command.globalOptions))\" -- \"$word\"))",
      "    return", "  fi",
      "  case \"$first\" in",
    ]
    for group in groups {
      if group.subcommands.isEmpty {
        lines.append("    \(group.word)) set -- \(group.oneWordCommand.map(options) ?? "");;")
      } else {
        let subcommands = group.subcommands.map(\.word).joined(separator: " ")
        lines += [
          "    \(group.word))", "      if ((place == 2)); then COMPREPLY=($(compgen -W \"\(subcommands)\" -- \"$word\")); fi",
          "      case \"$second\" in",
        ]
        for (word, command) in group.subcommands { lines.append("        \(word)) set -- \(options(command));;") }
        // The pattern for the options of a one-word command such as `budget` is last, because it matches everything.
        lines += ["        *) set -- \(group.oneWordCommand.map(options) ?? "");;", "      esac;;"]
      }
    }
    lines +=
      ["    *) set --;;", "  esac"] + values(commands) + [
        "  case \"$word\" in", "    -*) COMPREPLY=($(compgen -W \"$*\" -- \"$word\"));;", "  esac", "}",
        "complete -o default -F _placesctl placesctl", "",
      ]
    return lines.joined(separator: "\n")
  }

  private static func options(_ command: Command) -> String { names(command.allOptions) }
  private static func names(_ options: [Option]) -> String { options.map { "--\($0.name)" }.joined(separator: " ") }

  /// The lines that complete the value of an option, or an argument with a fixed set of words.
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
      let firstWord = command.path[0]
      for option in command.allOptions {
        guard let words = words(option.completion) else { continue }
        add(words, "\(firstWord):--\(option.name)")
        if let short = option.short { add(words, "\(firstWord):-\(short)") }
      }
      // The command's own words come before its first argument.
      if let words = words(command.arguments.first?.completion) { add(words, command.path.joined(separator: ":")) }
    }
    return [
      "  local values=", "  case \"$first:${COMP_WORDS[COMP_CWORD-1]}\" in",
    ] + patterns.map { "    \(casePattern($0.names))) values=\"\($0.words)\";;" } + [
      "  esac", "  if [[ $values ]]; then", "    COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))", "    return", "  fi",
    ]
  }

  /// The pattern of a `case` that matches `FIRST:PREVIOUS`: the first word, and the word before the cursor. In front of the argument of a
  /// one-word command, both words are the command.
  private static func casePattern(_ names: [String]) -> String {
    names.map { $0.contains(":") ? $0 : "\($0):\($0)" }.joined(separator: "|")
  }

  /// The words for `compgen -W`; nil to complete files, which is the default.
  private static func words(_ completion: CompletionSource?) -> String? {
    switch completion {
    case .words(let words): words.joined(separator: " ")
    case .providers: "$(\(CompletionSource.providersCommand))"
    case .sources: "$(\(CompletionSource.sourcesCommand))"
    case .files, nil: nil
    }
  }
}
