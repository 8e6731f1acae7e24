import Linux

/// The options on the command line.
struct Options: Sendable {
  /// The path of the main configuration file; nil for the default one.
  var configuration: String?
  /// The path of the socket; nil for the configured one.
  var socket: String?
  /// True to check the configuration and the plugins, and to exit.
  var checks = false

  enum Command {
    case run(Options)
    case help, version
    case wrong(String)
  }

  static let usage = """
    usage: placesd [--config FILE] [--socket PATH] [--check]

    Answers local programs that look for places, over a Unix socket. Runs in the foreground; SIGTERM ends it, SIGHUP
    reads the configuration again.

      --config FILE   the main configuration file, in place of the usual one
      --socket PATH   where to listen, in place of what the configuration says
      --check         say what is wrong with configuration, keys and plugins, and end
      --version       print the version and end
      --help          print this and end

    Exit status: 0 after a signal, 1 when it could not go on, 2 for a wrong command line, 6 for a wrong configuration,
    75 when another daemon serves the socket. See placesd(8) and placesd.toml(5).
    """
}

extension Options {
  /// Parses the arguments after the program's name.
  static func read(_ arguments: some Sequence<String>) -> Command {
    var options = Options()
    var remaining = Array(arguments)[...]
    while let argument = remaining.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      func value() -> String? { parts.count == 2 ? parts[1] : remaining.popFirst() }
      switch parts[0] {
      case "--config":
        guard let file = value(), !file.isEmpty else { return .wrong("--config needs a file") }
        options.configuration = file
      case "--socket":
        guard let path = value(), !path.isEmpty else { return .wrong("--socket needs a path") }
        options.socket = path
      case "--check": options.checks = true
      case "--help", "-h": return .help
      case "--version", "-V": return .version
      default: return .wrong("unknown option \(argument)")
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
