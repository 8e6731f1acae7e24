import JSON
import PlacesAPI
import Text

/// A parsed command line.
struct Invocation: Sendable {
  var command: Command
  /// The values of each option, by its long name; a flag has one empty string.
  var options: [String: [String]] = [:]
  var arguments: [String] = []
  /// The language of answers if --lang is not given; nil for the daemon's default.
  var language: String?

  func has(_ option: String) -> Bool { options[option] != nil }
  /// The last value that was given for an option; nil if the option was not given.
  func text(_ option: String) -> String? { options[option]?.last }

  /// Parses the words after the program's name. Options may be anywhere, even before the command; `--` ends them.
  init(_ words: [String], commands: [Command]) throws(Failure) {
    let positionalWords = Invocation.positionalWords(words, commands)
    guard let command = Invocation.command(positionalWords, among: commands) else {
      throw Invocation.unknownCommand(positionalWords, words: words, among: commands)
    }
    self.command = command
    var remainingWords = words[...]
    var optionsHaveEnded = false
    var remainingPath = command.path[...]
    while let word = remainingWords.popFirst() {
      if !optionsHaveEnded, word == "--" {
        optionsHaveEnded = true
      } else if !optionsHaveEnded, Invocation.isOption(word) {
        try takeOption(word, &remainingWords)
      } else if let pathWord = remainingPath.first, word == pathWord {
        remainingPath.removeFirst()
      } else {
        arguments.append(word)
      }
    }
    joinPoint()
    if !has("help") { try checkArguments() }
  }

  /// The words that are neither options nor their values. The command is not known yet, so the options of all commands are considered.
  private static func positionalWords(_ words: [String], _ commands: [Command]) -> [String] {
    let options = commands.flatMap(\.allOptions)
    let firstWords = Set(commands.compactMap(\.path.first))
    var positionalWords: [String] = []
    var remainingWords = words.prefix { $0 != "--" }
    while let word = remainingWords.popFirst() {
      guard isOption(word) else {
        positionalWords.append(word)
        continue
      }
      let possibleOptions = Invocation.lastOptions(of: word, among: options)
      guard let next = remainingWords.first, possibleOptions.contains(where: { $0.valueType != .flag }) else { continue }
      // An option such as `--origin` takes a value in some commands and is a flag of another. Then the next word is its value unless it is
      // the first word of a command.
      if !possibleOptions.contains(where: { $0.valueType == .flag }) || !firstWords.contains(next) { remainingWords.removeFirst() }
    }
    return positionalWords
  }

  /// The options that may take the word after `word` as their value: for `-qn`, those of the last letter. Empty for `-n3` and `--limit=3`,
  /// which contain the value.
  private static func lastOptions(of word: String, among options: [Option]) -> [Option] {
    if word.hasPrefix("--") { return options.filter { "--\($0.name)" == word } }
    var letters = word.dropFirst()
    while letters.count > 1, options.contains(where: { $0.short == letters.first && $0.valueType == .flag }) { letters.removeFirst() }
    return letters.count == 1 ? options.filter { $0.short == letters.first } : []
  }

  /// The command whose name is the beginning of the words; nil if there is none. Of several such commands, the longest name wins.
  private static func command(_ words: [String], among commands: [Command]) -> Command? {
    commands.filter { words.starts(with: $0.path) }.max { $0.path.count < $1.path.count }
  }

  /// True if the word is an option. A negative coordinate is not an option, and neither is a single dash, which means standard input.
  private static func isOption(_ word: String) -> Bool {
    word.hasPrefix("-") && word.dropFirst().first.map { !$0.isNumber && $0 != "." } ?? false
  }

  /// Joins the words of a point: `48.86 2.29` and `48,86 2,29` are points like `48.86,2.29`.
  private mutating func joinPoint() {
    guard command.arguments.map(\.valueType) == [.point], arguments.count > 1 else { return }
    arguments = [arguments.joined(separator: " ")]
  }

  /// Reads an option. If it needs a value that is not in the same word, takes the value from the remaining words.
  private mutating func takeOption(_ word: String, _ remainingWords: inout ArraySlice<String>) throws(Failure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts[0]
    if !name.hasPrefix("--"), name.count > 2, let option = command.allOptions.first(where: { $0.short == word.dropFirst().first }) {
      // `-n3` is `-n 3`, and `-wq` is `-w -q`.
      let tail = String(word.dropFirst(2))
      remainingWords = [option.valueType == .flag ? "-\(tail)" : tail] + remainingWords
      return try takeOption(String(word.prefix(2)), &remainingWords)
    }
    let all = command.allOptions
    guard let option = all.first(where: { "--\($0.name)" == name || $0.short.map { "-\($0)" } == name }) else {
      let names = all.map { "--\($0.name)" }
      // `--language` is a longer form of `--lang`, too long to be a typing error.
      let similarName = nearest(to: name, among: names) ?? names.first { $0.count > 4 && name.hasPrefix($0) }
      throw usage("unknown option \(printable(name))", similarName.map { "Did you mean \($0)?" })
    }
    if option.valueType == .flag {
      guard parts.count == 1 else { throw usage("--\(option.name) takes no value") }
      options[option.name] = [""]
      return
    }
    guard let value = parts.count == 2 ? parts[1] : remainingWords.popFirst() else {
      throw usage("--\(option.name) needs a value: \(option.label)")
    }
    guard option.valueType.json([value]) != nil else { throw invalidValue("--\(option.name)", option.valueType, value) }
    options[option.name, default: []].append(value)
  }

  /// The failure for an invalid value of an option or argument.
  private func invalidValue(_ name: String, _ valueType: Option.ValueType, _ text: String) -> Failure {
    let fault = valueType.fault(in: text)
    return usage("\(name) must be \(valueType.expected), not \(printable(fault.word))", fault.suggestion.map { "Did you mean \($0)?" })
  }

  /// Throws if an argument is missing, superfluous or invalid.
  private func checkArguments() throws(Failure) {
    if has("json"), has("jsonl") { throw usage("--json cannot be combined with --jsonl") }
    let minimum = command.arguments.count { $0.isRequired }
    let maximum = command.arguments.contains { $0.takesRest } ? Int.max : command.arguments.count
    if arguments.count < minimum {
      let missing = command.arguments.filter { $0.isRequired }.dropFirst(arguments.count).map(\.name)
      throw usage("\(missing.joined(separator: " and ")) missing")
    }
    // `search ""` means the same as `search`, which lists all places of a type.
    if let argument = command.arguments.first, argument.parameter == "query", command.path != ["search"], !arguments.isEmpty,
      arguments.allSatisfy(\.isBlank)
    {
      throw usage("\(argument.name) is empty")
    }
    if arguments.count > maximum { throw usage("unexpected argument \(printable(arguments[maximum]))") }
    for (argument, text) in zip(command.arguments, arguments) where argument.valueType.json([text]) == nil {
      throw invalidValue(argument.name, argument.valueType, text)
    }
  }

  /// The failure for an invalid command line.
  func usage(_ message: String, _ advice: String? = nil) -> Failure {
    Failure(.usage, "\(command.name): \(message)", advice: [advice, "See: placesctl \(command.name) --help"].compactMap { $0 })
  }

  /// The failure for words that do not begin with a command.
  private static func unknownCommand(_ positionalWords: [String], words: [String], among commands: [Command]) -> Failure {
    guard let firstWord = positionalWords.first else {
      let option = words.first { $0 != "--" } ?? ""
      return Failure(.usage, "no command given, only \(printable(option))", advice: ["See: placesctl --help"])
    }
    let group = commands.filter { $0.path.first == firstWord && $0.path.count > 1 }
    if !group.isEmpty {
      let subcommands = group.map { $0.path.dropFirst().joined(separator: " ") }
      guard let secondWord = positionalWords.dropFirst().first else {
        return Failure(
          .usage, "\(firstWord) needs one of: \(subcommands.joined(separator: ", "))", advice: ["See: placesctl \(firstWord) --help"])
      }
      let suggestion = nearest(to: secondWord, among: subcommands).map { "Did you mean placesctl \(firstWord) \($0)?" }
      let knownSubcommands = "Known: \(subcommands.joined(separator: ", "))"
      return Failure(.usage, "unknown command \(firstWord) \(printable(secondWord))", advice: [suggestion ?? knownSubcommands])
    }
    let suggestion = nearest(to: firstWord, among: Set(commands.compactMap(\.path.first))).map { "Did you mean placesctl \($0)?" }
    return Failure(.usage, "unknown command \(printable(firstWord))", advice: [suggestion ?? "See: placesctl --help"])
  }
}

extension Invocation {
  /// The parameters of a method as the options and arguments set them. They are checked by the daemon's rules before they are sent, so that
  /// a message can name the option.
  /// - Parameter adjust: may change parameters before the check.
  func parameters<M: PlacesAPI.Method>(
    _ method: M.Type, adjust: (inout JSONObject) -> Void = { _ in }
  ) throws(Failure) -> M.Parameters {
    var object = JSONObject()
    for option in command.options {
      guard let parameter = option.parameter, let texts = options[option.name] ?? defaultTexts(of: option) else { continue }
      object[parameter] = option.valueType.json(texts)
    }
    for (index, argument) in command.arguments.enumerated() {
      guard let parameter = argument.parameter, arguments.indices.contains(index) else { continue }
      let text = argument.takesRest ? arguments[index...].joined(separator: " ") : arguments[index]
      object[parameter] = argument.valueType.json([text])
    }
    adjust(&object)
    do { return try M.schema.decode(.object(object)) } catch { throw usage(rewordedForUser(error.message)) }
  }

  /// The value of an option that is not given; nil if it has none.
  private func defaultTexts(of option: Option) -> [String]? { option.name == Option.language.name ? language.map { [$0] } : nil }

  /// Rewords a message of the daemon for a user of this command: `limit` becomes --limit, and a method becomes the command that calls it.
  func rewordedForUser(_ message: String) -> String {
    var names: [String: String] = [:]
    for option in command.options { if let parameter = option.parameter { names[parameter] = "--\(option.name)" } }
    for argument in command.arguments { if let parameter = argument.parameter { names[parameter] = argument.name } }
    // A message about a missing bias names --near, because a point is simpler to give than the area of --bias.
    if names["bias"] != nil, !has("bias"), command.options.contains(where: { $0.name == Option.near.name }) { names["bias"] = "--near" }
    let parts = message.split(separator: "`", omittingEmptySubsequences: false)
    let reworded = parts.enumerated().map { index, part in
      index % 2 == 0 ? String(part) : names[String(part)] ?? String(part)
    }
    var text = reworded.joined()
    if let method = Catalogue.methods.first(where: { text.hasPrefix("\($0.name) ") })?.name {
      text = command.name + text.dropFirst(method.count)
    }
    return Invocation.messageRewrites.reduce(text) { $0.replacing($1.key, with: $1.value) }
  }

  /// Phrases of the daemon's messages for clients, and the phrases for users that replace them.
  private static let messageRewrites: KeyValuePairs = [
    "; data.providers gives the reason for each": "",
    "providers.list names them all": "see placesctl providers list",
    "see providers.list": "see placesctl providers list", "see types.list": "see placesctl types",
    "with providers.enable": "with placesctl providers enable",
    "without cache: only": "without --cache only",
    "a larger --timeout": "a longer --timeout",
  ]
}

extension String {
  /// True if the text has nothing but white space.
  var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
