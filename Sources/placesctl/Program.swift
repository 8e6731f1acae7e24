import Configuration
import Glibc
import PlacesClient

@main
struct Program {
  static func main() async {
    // If the reader of a pipe ends (`| head`), a write fails instead of ending this program.
    signal(SIGPIPE, SIG_IGN)
    let exitCode = await CommandLineProgram.run(Array(CommandLine.arguments.dropFirst())) { invocation in
      var dialer = SocketDialer()
      if let path = invocation?.text("socket") { dialer.paths = [path] }
      let console = Console.standard(
        colour: invocation.map { !$0.has("no-color") } ?? true, quiet: invocation.map { $0.has("quiet") } ?? false)
      return CommandContext(
        console: console, client: PlacesClient(dialer: dialer, backoff: .none), locations: .current,
        terminal: ProcessTerminal(isInteractive: console.isInteractive),
        language: Locale.language { getenv($0).map { String(cString: $0) } })
    }
    if let reason = Console.writeFailure {
      Console.writeAll("placesctl: the output could not be written: \(reason)\n", STDERR_FILENO)
      Glibc.exit(ExitCode.failed.rawValue)
    }
    Glibc.exit(exitCode.rawValue)
  }
}
