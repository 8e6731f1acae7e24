/// The exit code of a command.
enum ExitCode: Int32, Sendable, CaseIterable {
  case results = 0
  case noResults = 1
  case usage = 2
  case partial = 3
  case failed = 4
  case unreachable = 5
  case configuration = 6
  case deadline = 124

  /// The exit codes of commands that query places.
  static let query: [ExitCode] = [.results, .noResults, .partial, .failed, .unreachable, .deadline]
  /// The exit codes of commands that administer the daemon.
  static let administering: [ExitCode] = [.results, .failed, .unreachable, .deadline]

  var summary: String {
    switch self {
    case .results: "Results were printed, or the command succeeded."
    case .noResults: "Nothing was found."
    case .usage: "The command line is invalid."
    case .partial: "A provider failed or is not ready, and the results of the others, if any, were printed; or an import skipped records."
    case .failed: "The request failed: all providers failed, the daemon rejected the request, or a file cannot be read or written."
    case .unreachable: "No daemon answers, or there is no permission to open its socket."
    case .configuration: "The configuration is invalid."
    case .deadline: "No answer arrived in time."
    }
  }
}

/// The reason why a command ends without a result.
struct Failure: Error, Sendable, Hashable {
  var exitCode: ExitCode
  /// States what failed, such as the reading of a file, and why.
  var message: String
  /// The lines that follow the message. They tell the user what to do.
  var advice: [String]

  init(_ exitCode: ExitCode, _ message: String, advice: [String] = []) {
    self.exitCode = exitCode
    self.message = message
    self.advice = advice
  }
}
