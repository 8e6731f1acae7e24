import Configuration
import Glibc
import Linux

@main
struct Program {
  static func main() async {
    // Before anything else: what is blocked here is blocked in every thread.
    Signals.prepare(Daemon.signals)
    let code: Int32
    switch Options.read(CommandLine.arguments.dropFirst()) {
    case .help: code = Options.printHelp()
    case .version: code = Options.printVersion()
    case .wrong(let message): code = Options.refuse(message)
    case .run(let options): code = await Daemon.main(options)
    }
    exit(code)
  }
}
