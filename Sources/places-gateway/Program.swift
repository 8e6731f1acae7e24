import CLinux
import Configuration
import Glibc
import Linux
import PlacesAPI

@main
struct Program {
  /// This function is not `async`, for the reason that `main` of `placesd` states.
  static func main() {
    clinux_forbid_dumps()
    umask(0o077)
    clinux_allow_descriptors()
    Signals.prepare([SIGTERM, SIGINT])
    // Without its arguments, the gateway would start with the default configuration; see also `placesd`.
    let arguments = CommandLine.arguments
    guard !arguments.isEmpty else {
      Log.toStandardError("places-gateway cannot start: its arguments cannot be read from /proc/self/maps\n")
      exit(1)
    }
    let code = run(arguments.dropFirst(), ServiceManager.takeSockets())
    // The last line of the log may contain the reason why the program ends.
    LogWriter.standardError.flush(within: 1)
    exit(code)
  }

  /// Runs the command that the arguments name. Returns the exit code.
  private nonisolated static func run(_ arguments: ArraySlice<String>, _ sockets: [Int32]) -> Int32 {
    switch Options.read(arguments) {
    case .help:
      print(Options.usage)
      return 0
    case .version:
      print("places-gateway \(Release.version)")
      return 0
    case .wrong(let message):
      Log.toStandardError("places-gateway: \(message)\n\(Options.usage)\n")
      return 2
    case .run(let options):
      let settings: GatewaySettings
      do throws(ConfigurationErrors) { settings = try GatewaySettings.load(path: options.configuration) } catch {
        Log.toStandardError("\(error)\n")
        return 6
      }
      if options.checksOnly { return 0 }
      return Gateway(settings, sockets).run()
    }
  }
}
