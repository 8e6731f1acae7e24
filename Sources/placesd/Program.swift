import Configuration
import Glibc
import Linux
import Synchronization

@main
struct Program {
  /// Not `async`: Dispatch would then keep this thread in sigsuspend(2) with no signal blocked, and the first SIGHUP or SIGTERM would end
  /// the process.
  static func main() {
    // Applied before any file is read, because the configuration may contain private data.
    Confinement.apply()
    // Called before any thread exists, so that the signals are blocked in every thread.
    Signals.prepare(Daemon.signals)
    if let failure = ThreadCheck.failure() {
      StandardError.print("placesd cannot start: \(failure)")
      exit(Daemon.Exit.failure)
    }
    // The standard library reads them from /proc/self/maps; without them the daemon would start with the usual configuration.
    let arguments = CommandLine.arguments
    guard !arguments.isEmpty else {
      StandardError.print("placesd cannot start: its arguments cannot be read from /proc/self/maps")
      exit(Daemon.Exit.failure)
    }
    let sockets = ServiceManager.takeSockets()
    // The root of all tasks; the process ends with it.
    Task.detached(name: "placesd") {
      let code = await run(arguments.dropFirst(), sockets)
      LogWriter.standardError.flush(within: 1)
      exit(code)
    }
    endAtSignal()
    while true { pause() }
  }

  /// True once the daemon reads its signals itself.
  static let readsSignals = Atomic(false)

  /// Until then, makes SIGTERM and SIGINT end the process, even if the start waits for a disk that does not respond.
  private static func endAtSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTERM, SIGINT] { sigaddset(&signals, signal) }
    while !readsSignals.load(ordering: .acquiring) {
      var pause = timespec(tv_sec: 0, tv_nsec: 100_000_000)
      let signal = sigtimedwait(&signals, nil, &pause)
      guard signal > 0 else { continue }
      if !readsSignals.load(ordering: .acquiring) { _exit(0) }
      // The daemon reads its signals by now: pass the signal on.
      kill(getpid(), signal)
    }
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
