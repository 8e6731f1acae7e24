/// Makes the completion script for zsh. It uses zsh's function `_arguments`, so that each completion has a description.
enum ZshCompletion {
  static func script(_ commands: [Command]) -> String {
    let groups = CommandGroup.groups(of: commands)
    var lines = [
      "#compdef placesctl", "# zsh completion for placesctl; made with: placesctl completion zsh", "_placesctl_providers() {",
      "  compadd -- ${(f)\"$(\(CompletionSource.providersCommand))\"}", "}", "_placesctl_sources() {",
      "  compadd -- ${(f)\"$(\(CompletionSource.sourcesCommand))\"}", "}", "_placesctl() {", "  local -a everywhere offered",
      "  local -i at=2",
      "  everywhere=(",
    ]
    lines += Command.globalOptions.map { "    " + specification(of: $0) }
    lines += [
      "  )",
      // Options before the command are skipped.
      "  while (( at < CURRENT )) && [[ $words[at] == -* ]]; do", "    case $words[at] in",
      "      (\(Option.spellingsWithValue(in: commands).joined(separator: "|"))) (( at += 2 ));;", "      (*) (( at += 1 ));;", "    esac",
      "  done",
      "  if (( at > CURRENT )) || [[ $CURRENT == $at && $words[at] == -* ]]; then", "    _arguments -s : $everywhere", "    return",
      "  fi", "  words[2,at-1]=()", "  (( CURRENT -= at - 2 ))",
    ]
    lines += ["  if (( CURRENT == 2 )); then"] + describe(groups.map { ($0.word, $0.summary) }) + ["  fi", "  case $words[2] in"]
    for group in groups {
      lines.append("    (\(group.word))")
      if group.subcommands.isEmpty {
        if let oneWordCommand = group.oneWordCommand { lines += arguments(oneWordCommand) }
      } else {
        lines.append("      if (( CURRENT == 3 )) && [[ $words[3] != -* ]]; then")
        lines += describe(group.subcommands.map { ($0.word, $0.command.summary) }) + ["      fi", "      case $words[3] in"]
        for (word, command) in group.subcommands { lines += ["      (\(word))"] + arguments(command) + ["        ;;"] }
        if let oneWordCommand = group.oneWordCommand { lines += ["      (*)"] + arguments(oneWordCommand) + ["        ;;"] }
        lines.append("      esac")
      }
      lines.append("      ;;")
    }
    // The script supports both ways to load it: as an autoloaded function, and by sourcing.
    lines += [
      "  esac", "}", "if [[ $funcstack[1] == _placesctl ]]; then _placesctl \"$@\"; else compdef _placesctl placesctl; fi", "",
    ]
    return lines.joined(separator: "\n")
  }

  /// The lines of the script that offer words with their descriptions, and then return.
  private static func describe(_ words: [(word: String, summary: String)]) -> [String] {
    ["    offered=("] + words.map { "      " + quoted("\($0.word):\($0.summary)") } + [
      "    )", "    _describe command offered", "    return",
    ]
  }

  /// The lines of the script that complete the options and arguments of a command.
  private static func arguments(_ command: Command) -> [String] {
    let count = command.path.count
    let operands = command.arguments.map { argument in
      let prefix = argument.takesRest ? "*" : argument.count == .optional ? ":" : ""
      return quoted("\(prefix):\(message(argument.name)):\(action(argument.completion))")
    }
    return ["      shift \(count) words; (( CURRENT -= \(count) ))", "      _arguments -s : $everywhere \\"]
      + (command.options.map(specification) + operands).map { "        \($0) \\" } + [""]
  }

  /// An option in the syntax of `_arguments`: `'(-n --limit)'{-n,--limit}'[summary]:LABEL:action'`.
  private static func specification(of option: Option) -> String {
    let names = (option.short.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
    let exclusion = option.isRepeatable ? "'*'" : names.count > 1 ? "'(\(names.joined(separator: " ")))'" : ""
    let spelling = names.count > 1 ? "{\(names.joined(separator: ","))}" : names[0]
    let value = option.valueType == .flag ? "" : ":\(message(option.label)):\(action(option.completion))"
    return exclusion + spelling + quoted("[\(summary(option.summary))]\(value)")
  }

  private static func action(_ completion: CompletionSource?) -> String {
    switch completion {
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .providers: "_placesctl_providers"
    case .sources: "_placesctl_sources"
    case .files: "_files"
    case nil: " "
    }
  }

  /// The text with the brackets escaped, so that it can stand between brackets.
  private static func summary(_ text: String) -> String {
    text.flatMap { "[]\\".contains($0) ? "\\\($0)" : "\($0)" }.map(String.init).joined()
  }

  /// The text with the colons escaped, so that it can stand between colons.
  private static func message(_ text: String) -> String { text.replacing(":", with: "\\:") }

  private static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
}
