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
    lines += [
      "    *) set --;;", "  esac", "  case \"$word\" in", "    -*) COMPREPLY=($(compgen -W \"$*\" -- \"$word\"));;", "  esac", "}",
      "complete -o default -F _placesctl placesctl", "",
    ]
    return lines.joined(separator: "\n")
  }

  private static func options(_ command: Command) -> String { command.allOptions.map { "--\($0.name)" }.joined(separator: " ") }
}
