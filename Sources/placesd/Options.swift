import Linux

/// The options on the command line.
struct Options: Sendable {
  /// The path of the main configuration file; nil for the default one.
  var configuration: String?
  /// The path of the socket; nil for the configured one.
  var socket: String?
  /// True to check the configuration and the plugins, and to exit.
  var checksOnly = false

  /// The command that the arguments name. `invalid` contains the error of an invalid command line.
  enum Command {
    case run(Options)
    case help, version
    case invalid(String)
  }

  static let usage = """
    usage: placesd [--config FILE] [--socket PATH] [--check]

    Searches places for local programs, over a Unix socket. Runs in the foreground; SIGTERM ends the daemon, and SIGHUP
    makes it read the configuration again.

      --config FILE   read this main configuration file
      --socket PATH   listen on this socket, overriding the configuration
      --check         report the errors in the configuration, the keys and the plugins, and exit
      --version       print the version and exit
      --help          print these options and exit

    Exit status: 0 after a signal, 1 if the daemon cannot start or continue, 2 for an invalid command line, 6 for an
    invalid configuration, 75 if another daemon serves the socket. See placesd(8) and placesd.toml(5).
    """
}

extension Options {
  /// Parses the arguments after the program's name.
  static func parse(_ arguments: some Sequence<String>) -> Command {
    var options = Options()
    var remainingArguments = Array(arguments)[...]
    while let argument = remainingArguments.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      func value() -> String? { parts.count == 2 ? parts[1] : remainingArguments.popFirst() }
      switch parts[0] {
      case "--config":
        guard let file = value(), !file.isEmpty else { return .invalid("--config needs a file") }
        options.configuration = file
      case "--socket":
        guard let path = value(), !path.isEmpty else { return .invalid("--socket needs a path") }
        options.socket = path
      case "--check": options.checksOnly = true
      case "--help", "-h": return .help
      case "--version", "-V": return .version
      default: return .invalid("unknown option \(argument)")
      }
    }
    return .run(options)
  }

  static func printHelp() -> Int32 {
    print(usage)
    return 0
  }

  static func printVersion() -> Int32 {
    print("placesd \(Version.text), protocol \(Version.protocolText)")
    return 0
  }

  static func refuse(_ message: String) -> Int32 {
    StandardError.print("placesd: \(message)\n\(usage)")
    return 2
  }
}

/// Writes lines to standard error.
enum StandardError {
  static func print(_ text: String) { Log.toStandardError(text + "\n") }
}
