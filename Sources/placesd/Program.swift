import Configuration
import Glibc
import Linux

@main
struct Program {
  /// Not asynchronous: Dispatch would then keep this thread in sigsuspend(2) with no signal blocked, and the first SIGHUP or SIGTERM
  /// would end the process instead of reaching the daemon.
  static func main() {
    // Before any file is read: the configuration names keys, and may contain private data.
    Confinement.apply()
    // Before any thread exists: signals blocked here are blocked in every thread.
    Signals.prepare(Daemon.signals)
    let sockets = ServiceManager.takeSockets()
    // The root of all tasks; the process ends with it.
    Task.detached(name: "placesd") {
      let code = await run(CommandLine.arguments.dropFirst(), sockets)
      LogWriter.standardError.flush(within: 1)
      exit(code)
    }
    while true { pause() }
  }

  /// The exit code.
  private nonisolated static func run(_ arguments: ArraySlice<String>, _ sockets: [Int32]) async -> Int32 {
    switch Options.read(arguments) {
    case .help: Options.printHelp()
    case .version: Options.printVersion()
    case .wrong(let message): Options.refuse(message)
    case .run(let options): await Daemon.main(options, sockets)
    }
  }
}
