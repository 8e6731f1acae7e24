import Configuration
import PlacesAPI

/// The reason why a provider could not be started.
struct ProviderStartFailure: Sendable {
  /// The provider's status for clients.
  var status: ProviderStatus
  /// The problems to report, with file and line if the configuration is the cause.
  var problems: [ConfigurationProblem]
  /// True if the configuration is the cause, and not a temporary condition such as a crashed process.
  var isConfigurationError: Bool
  /// The complete reason.
  var reason: String
  /// The lines that the provider's process wrote.
  var logLines: [String]
  /// The lines that `placesd --check` prints after the problems.
  var checkOutput: CheckOutput

  enum CheckOutput: Sendable {
    /// The log lines.
    case logLines
    /// A note instead of the log lines, because they may contain a secret.
    case noteOnSecrets
    /// Nothing: there are no log lines, or the problems already explain the failure.
    case nothing
  }

  var id: String { status.id }
}
