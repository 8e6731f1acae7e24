import Configuration
import Glibc
import Linux
import Synchronization

/// The program `placesd`: prepares the process, and runs the daemon in one root task.
@main
struct Program {
  /// This function is not `async`. If it were, Dispatch would keep this thread in sigsuspend(2) with no signal blocked, and the first
  /// SIGHUP or SIGTERM would end the process.
  static func main() {
    // This precedes the reading of files, because the configuration may contain private data.
    ProcessHardening.apply()
    // This precedes the creation of threads, so that the signals are blocked in every thread.
    Signals.prepare(Daemon.signals)
    if let failure = DescriptorCheck.failure() ?? ThreadCheck.failure() {
      StandardError.print("placesd cannot start: \(failure)")
      exit(Daemon.ExitCode.failure)
    }
    // The standard library finds the arguments with /proc/self/maps. If it cannot, the daemon would ignore them, and must not start.
    let arguments = CommandLine.arguments
    guard !arguments.isEmpty else {
      StandardError.print("placesd cannot start: its arguments cannot be read from /proc/self/maps")
      exit(Daemon.ExitCode.failure)
    }
    let sockets = ServiceManager.takeSockets()
    // This task is the root of all tasks, and the process ends with it.
    Task.detached(name: "placesd") {
      let code = await run(arguments.dropFirst(), sockets)
      LogWriter.standardError.flush(within: 1)
      exit(code)
    }
    endAtSignal()
    while true { pause() }
  }

  /// Receives a signal for the daemon; nil until the daemon reads its signals itself.
  static let receiveSignal = Mutex<(@Sendable (Int32) -> Void)?>(nil)

  /// Ends the process at SIGTERM or SIGINT until the daemon reads its signals itself. Thus the process ends even if its start waits for a
  /// disk that does not respond.
  private static func endAtSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGTERM, SIGINT] { sigaddset(&signals, signal) }
    while receiveSignal.withLock({ $0 }) == nil {
      var pause = timespec(tv_sec: 0, tv_nsec: 100_000_000)
      let signal = sigtimedwait(&signals, nil, &pause)
      guard signal > 0 else { continue }
      guard let receive = receiveSignal.withLock({ $0 }) else { _exit(0) }
      // The daemon began to read its signals itself during this wait. If the signal were sent again, the kernel could merge it with the
      // next one, and the daemon would miss a second SIGTERM.
      receive(signal)
    }
  }

  /// Runs the command that the arguments name. Returns the exit code.
  private nonisolated static func run(_ arguments: ArraySlice<String>, _ sockets: [Int32]) async -> Int32 {
    switch Options.parse(arguments) {
    case .help: Options.printHelp()
    case .version: Options.printVersion()
    case .invalid(let message): Options.refuse(message)
    case .run(let options): await Daemon.main(options, sockets)
    }
  }
}
