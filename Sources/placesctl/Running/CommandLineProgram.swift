import PlacesAPI
import PlacesClient

/// Runs the command of a command line, and returns the exit code.
enum CommandLineProgram {
  /// - Parameter makeContext: creates the context of a command; its argument is nil if the words name no command.
  static func run(_ words: [String], context makeContext: @Sendable (Invocation?) -> CommandContext) async -> ExitCode {
    if words.isEmpty || [["--help"], ["-h"], ["help"]].contains(words) {
      let console = makeContext(nil).console
      let help = Help.overview(Commands.all, width: console.width ?? 100)
      if words.isEmpty { for line in help { console.note(line) } } else { console.lines(help) }
      return words.isEmpty ? .usage : .results
    }
    if [["--version"], ["-V"]].contains(words) {
      let version = ServiceInfo.ProtocolVersion.current
      makeContext(nil).console.line("placesctl \(Release.version), protocol \(version.major).\(version.minor)")
      return .results
    }
    // `help COMMAND` is `COMMAND --help`.
    let commandWords = words.first == "help" ? words.dropFirst() + ["--help"] : words
    if let group = group(ofHelp: commandWords) {
      let console = makeContext(nil).console
      console.lines(Help.of(group: commandWords[0], group, width: console.width ?? 100))
      return .results
    }
    var invocation: Invocation
    do { invocation = try Invocation(commandWords, commands: Commands.all) } catch { return report(error, makeContext(nil).console) }
    let context = makeContext(invocation)
    if invocation.has("help") {
      context.console.lines(Help.of(invocation.command, width: context.console.width ?? 100))
      return .results
    }
    invocation.language = context.language
    if invocation.has("socket"), !invocation.command.exitCodes.contains(.unreachable) {
      context.console.note("--socket has no effect: \(invocation.command.name) asks no daemon")
    }
    do {
      try await invocation.locatePlaces(context)
      return try await invocation.command.run(invocation, context)
    } catch {
      var failure = error
      failure.message = invocation.rewordedForUser(failure.message)
      failure.advice = failure.advice.map(invocation.rewordedForUser)
      return report(failure, context.console)
    }
  }

  /// The commands of `GROUP --help`, such as `plugin --help`; nil for other words, and for a first word that is a command itself.
  private static func group(ofHelp words: [String]) -> [Command]? {
    guard words.count == 2, ["--help", "-h"].contains(words[1]), !Commands.all.contains(where: { $0.path == [words[0]] }) else {
      return nil
    }
    let commands = Commands.all.filter { $0.path.first == words[0] }
    return commands.isEmpty ? nil : commands
  }

  private static func report(_ failure: Failure, _ console: Console) -> ExitCode {
    console.note("placesctl: \(failure.message)")
    for line in failure.advice { console.note(line) }
    return failure.exitCode
  }
}
