import Linux
import PlacesAPI

/// The options on the command line.
struct Options: Sendable {
  /// The path of the configuration file; nil for the default one.
  var configuration: String?
  /// True to check the configuration and to exit.
  var checksOnly = false

  enum Command {
    case run(Options)
    case help, version
    /// The command line is wrong; the message says why.
    case wrong(String)
  }

  static let usage = """
    usage: places-gateway [--config FILE] [--check]

    Answers HTTP requests in the manner of Photon, Nominatim, Pelias, Google and OpenSearch by asking the places daemon,
    and serves a search page with a map. Runs in the foreground; SIGTERM ends it.

      --config FILE   the configuration file, in place of the usual one
      --check         report what is wrong with the configuration, and end
      --version       print the version and end
      --help          print this and end

    Exit status: 0 after a signal or when idle, 1 if it could not go on, 2 for a wrong command line, 6 for a wrong
    configuration. See places-gateway(8).
    """

  /// The options without a value.
  private static let flags = ["--check", "--help", "-h", "--version", "-V"]

  /// Parses the arguments after the program's name.
  static func read(_ arguments: some Sequence<String>) -> Command {
    var options = Options()
    var remainingArguments = Array(arguments)[...]
    while let argument = remainingArguments.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if parts.count == 2, flags.contains(parts[0]) { return .wrong("\(parts[0]) takes no value") }
      switch parts[0] {
      case "--config":
        guard let file = parts.count == 2 ? parts[1] : remainingArguments.popFirst(), !file.isEmpty else {
          return .wrong("--config needs a file")
        }
        options.configuration = file
      case "--check": options.checksOnly = true
      case "--help", "-h": return .help
      case "--version", "-V": return .version
      default: return .wrong("unknown option \(argument)")
      }
    }
    return .run(options)
  }
}
