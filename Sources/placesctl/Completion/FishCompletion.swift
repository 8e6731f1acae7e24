/// Makes the completion script for fish, version 3 and later.
enum FishCompletion {
  static func script(_ commands: [Command]) -> String {
    var lines = [
      "# fish completion for placesctl; made with: placesctl completion fish",
      "function __placesctl_words --description 'The words before the cursor without options, which may be anywhere'",
      "    set -l words (commandline -opc)", "    set -l value 0", "    for word in $words[2..]", "        if test $value = 1",
      "            set value 0", "            continue", "        end", "        switch $word",
      "            case \(Option.spellingsWithValue(in: commands).joined(separator: " "))", "                set value 1",
      "            case '-*'", "            case '*'", "                echo $word", "        end", "    end",
      // If the word at the cursor is the value of an option, a `-` is added. Then no command matches, and no argument is completed.
      "    if test $value = 1", "        echo -", "    end", "end",
      "function __placesctl_at --description 'Whether the words before the cursor are these'", "    set -l words (__placesctl_words)",
      "    test \"$words\" = \"$argv\"", "end",
      "function __placesctl_in --description 'Whether the line begins with these words'", "    set -l words (__placesctl_words)",
      "    set -l last (count $argv)", "    test \"$words[1..$last]\" = \"$argv\"", "end", "function __placesctl_providers",
      "    \(CompletionSource.providersCommand)", "end", "function __placesctl_sources", "    \(CompletionSource.sourcesCommand)", "end",
      "complete -c placesctl -f",
    ]
    lines += Command.globalOptions.map { line(nil, option($0)) }
    for group in CommandGroup.groups(of: commands) {
      lines.append(line("at", "-a \(group.word) -d \(quoted(group.summary))"))
      for (word, command) in group.subcommands { lines.append(line("at \(group.word)", "-a \(word) -d \(quoted(command.summary))")) }
      for command in group.commands {
        lines += command.options.map { line("in \(command.name)", option($0)) }
        if let completion = command.arguments.first?.completion { lines.append(line("at \(command.name)", offering(completion))) }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A `complete` command.
  /// - Parameter condition: the condition under which it applies, without the prefix of the script's functions; nil for always.
  private static func line(_ condition: String?, _ completion: String) -> String {
    "complete -c placesctl " + (condition.map { "-n '__placesctl_\($0)' " } ?? "") + completion
  }

  private static func option(_ option: Option) -> String {
    let names = (option.short.map { "-s \($0) " } ?? "") + "-l \(option.name)"
    let value: String
    switch option.completion {
    case _ where option.valueType == .flag: value = ""
    case .files: value = " -r -F"
    case let completion: value = " -x" + (completion.map { " " + offering($0) } ?? "")
    }
    return "\(names)\(value) -d \(quoted(option.summary))"
  }

  private static func offering(_ completion: CompletionSource) -> String {
    switch completion {
    case .words(let words): "-a \(quoted(words.joined(separator: " ")))"
    case .providers: "-a '(__placesctl_providers)'"
    case .sources: "-a '(__placesctl_sources)'"
    case .files: "-F"
    }
  }

  private static func quoted(_ text: String) -> String { "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'" }
}
