/// `placesctl completion`: prints a script with which a shell completes this program's commands and options. The script is made from the
/// table of commands.
enum CompletionCommand {
  enum Shell: String, CaseIterable {
    case bash, zsh, fish

    func script(_ commands: [Command]) -> String {
      switch self {
      case .bash: BashCompletion.script(commands)
      case .zsh: ZshCompletion.script(commands)
      case .fish: FishCompletion.script(commands)
      }
    }
  }

  static let command = Command(
    path: ["completion"], arguments: [Argument("SHELL", .one, as: .choice(Shell.allCases.map(\.rawValue)), "bash, zsh or fish.")],
    summary: "Print a completion script for the commands and options of this program.", exitCodes: [.results]
  ) { (invocation, context) async throws(Failure) in
    guard let shell = invocation.arguments.first.flatMap(Shell.init) else { throw invocation.usage("SHELL missing") }
    context.console.write(shell.script(Commands.all))
    return .results
  }
}
