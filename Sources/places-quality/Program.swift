import Glibc

/// Measures how well and how fast parts of placesd work. The program is built with the others but not installed.
@main
struct Program {
  /// The commands of `places-quality`.
  static let commands: [Command] = [
    MatchCommand.command, FeaturesCommand.command, MergeBenchmark.command, RankCommand.command, TypedCommand.command,
    RewritersCommand.command, GazetteerBenchmark.command, GazetteerBenchmarkAsk.command,
  ]

  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let name = arguments.first, name != "--help", name != "-h" else {
      print(help)
      exit(arguments.isEmpty ? 2 : 0)
    }
    guard let command = commands.first(where: { $0.name == name }) else {
      complain("\(name): no such command; see places-quality --help")
    }
    command.run(Array(arguments.dropFirst()))
  }

  private static var help: String {
    let width = commands.map(\.name.count).max() ?? 0
    let lines = commands.map { "  \($0.name)\(String(repeating: " ", count: width - $0.name.count))  \($0.summary)" }
    return "usage: places-quality COMMAND [ARGUMENT]...\n\n" + lines.joined(separator: "\n")
      + "\n\nEach command explains itself with --help."
  }
}

/// A subcommand of `places-quality`.
struct Command: Sendable {
  var name: String
  var summary: String
  /// Runs the command with the arguments after its name.
  var run: @Sendable ([String]) -> Void
}

/// Prints a message on standard error, and ends the program with status 2.
func complain(_ message: String) -> Never {
  remark(message)
  exit(2)
}

/// Ends the program with status 1, because a goal is not reached. The caller has printed which goal.
func fail() -> Never { exit(1) }

/// Ends the program with the status by which `.ci/quality` knows that nothing was measured.
func failUnmeasured() -> Never { exit(77) }

/// Prints a remark on standard error.
func remark(_ message: String) {
  let bytes = Array("places-quality: \(message)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
