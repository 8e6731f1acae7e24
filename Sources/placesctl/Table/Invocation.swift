import Configuration
import JSON
import PlacesAPI

/// A command line that was understood.
struct Invocation: Sendable {
  var command: Command
  /// By long name; a flag has one empty text.
  var options: [String: [String]] = [:]
  var arguments: [String] = []

  func has(_ option: String) -> Bool { options[option] != nil }
  func text(_ option: String) -> String? { options[option]?.last }

  /// Understands the words behind the program's name. Options may stand anywhere; `--` ends them.
  init(_ words: [String], commands: [Command]) throws(Failure) {
    let plain = words.prefix { $0 != "--" }.filter { !$0.hasPrefix("-") }
    guard let command = Invocation.command(plain, among: commands) else {
      throw Invocation.unknown(plain, words: words, among: commands)
    }
    self.command = command
    var rest = words[...]
    var ended = false
    var pathLeft = command.path[...]
    while let word = rest.popFirst() {
      if !ended, word == "--" {
        ended = true
      } else if !ended, word.hasPrefix("-"), word.count > 1, !Invocation.isNumber(word) {
        try takeOption(word, &rest)
      } else if let next = pathLeft.first, word == next {
        pathLeft.removeFirst()
      } else {
        arguments.append(word)
      }
    }
    if !has("help") { try checkArguments() }
  }

  private static func command(_ words: [String], among commands: [Command]) -> Command? {
    commands.filter { words.starts(with: $0.path) }.max { $0.path.count < $1.path.count }
  }

  /// A negative coordinate is no option.
  private static func isNumber(_ word: String) -> Bool { word.dropFirst().first.map { $0.isNumber || $0 == "." } ?? false }

  private mutating func takeOption(_ word: String, _ rest: inout ArraySlice<String>) throws(Failure) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts[0]
    let all = command.allOptions
    guard let option = all.first(where: { "--\($0.name)" == name || $0.short.map { "-\($0)" } == name }) else {
      let near = nearest(to: name, among: all.map { "--\($0.name)" })
      throw usage("unknown option \(printable(name))", near.map { "Did you mean \($0)?" })
    }
    if option.value == .flag {
      guard parts.count == 1 else { throw usage("--\(option.name) takes no value") }
      options[option.name] = [""]
      return
    }
    guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else { throw usage("--\(option.name) needs a value: \(option.label)") }
    guard option.value.json([value]) != nil else {
      var near: String?
      if case .choice(let words) = option.value { near = nearest(to: value, among: words) }
      throw usage("--\(option.name) must be \(option.value.expected), not \(printable(value))", near.map { "Did you mean \($0)?" })
    }
    options[option.name, default: []].append(value)
  }

  private func checkArguments() throws(Failure) {
    let least = command.arguments.count { $0.isRequired }
    let most = command.arguments.contains { $0.takesRest } ? Int.max : command.arguments.count
    if arguments.count < least {
      let missing = command.arguments.filter { $0.isRequired }.dropFirst(arguments.count).map(\.name)
      throw usage("\(missing.joined(separator: " and ")) missing")
    }
    if arguments.count > most { throw usage("unexpected argument \(printable(arguments[most]))") }
    for (argument, text) in zip(command.arguments, arguments) where argument.value.json([text]) == nil {
      throw usage("\(argument.name) must be \(argument.value.expected), not \(printable(text))")
    }
  }

  func usage(_ message: String, _ advice: String? = nil) -> Failure {
    Failure(.usage, "\(command.name): \(message)", advice: [advice, "See: placesctl \(command.name) --help"].compactMap { $0 })
  }

  private static func unknown(_ plain: [String], words: [String], among commands: [Command]) -> Failure {
    guard let first = plain.first else {
      let option = words.first { $0 != "--" } ?? ""
      return Failure(.usage, "no command before \(printable(option))", advice: ["See: placesctl --help"])
    }
    let group = commands.filter { $0.path.first == first && $0.path.count > 1 }
    if !group.isEmpty {
      let subcommands = group.map { $0.path.dropFirst().joined(separator: " ") }
      guard let second = plain.dropFirst().first else {
        return Failure(.usage, "\(first) needs one of: \(subcommands.joined(separator: ", "))", advice: ["See: placesctl --help"])
      }
      let near = nearest(to: second, among: subcommands).map { "Did you mean placesctl \(first) \($0)?" }
      let known = "Known: \(subcommands.joined(separator: ", "))"
      return Failure(.usage, "unknown command \(first) \(printable(second))", advice: [near ?? known])
    }
    let near = nearest(to: first, among: Set(commands.compactMap(\.path.first))).map { "Did you mean placesctl \($0)?" }
    return Failure(.usage, "unknown command \(printable(first))", advice: [near ?? "See: placesctl --help"])
  }
}

extension Invocation {
  /// The parameters of a method as the options and arguments set them, checked as the daemon does, so that a message can name
  /// the option. `adjust` may add what only this command knows.
  func parameters<M: PlacesAPI.Method>(
    _ method: M.Type, adjust: (inout JSONObject) -> Void = { _ in }
  ) throws(Failure) -> M.Parameters {
    var object = JSONObject()
    for option in command.options {
      guard let parameter = option.parameter, let texts = options[option.name] else { continue }
      object[parameter] = option.value.json(texts)
    }
    for (index, argument) in command.arguments.enumerated() {
      guard let parameter = argument.parameter, arguments.indices.contains(index) else { continue }
      let text = argument.takesRest ? arguments[index...].joined(separator: " ") : arguments[index]
      object[parameter] = argument.value.json([text])
    }
    adjust(&object)
    do { return try M.schema.decode(.object(object)) } catch {
      let option = command.options.first { $0.parameter == error.parameter }.map { "--\($0.name): " }
      let argument = command.arguments.first { $0.parameter == error.parameter }.map { "\($0.name): " }
      throw usage((option ?? argument ?? "") + error.message)
    }
  }
}
