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
  var lines: [String]
  /// Whether `--check` shows these lines.
  var logDisclosure: LogDisclosure

  enum LogDisclosure: Sendable {
    /// The lines are shown.
    case shown
    /// The lines are not shown, because they may contain a secret.
    case withheld
    /// There are no lines, or the problems already explain the failure.
    case none
  }

  var id: String { status.id }
}
