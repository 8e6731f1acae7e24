import Configuration
import PlacesAPI

/// Why a provider could not be started.
struct ProviderStartFailure: Sendable {
  /// The provider's status for clients.
  var status: ProviderStatus
  /// The problems in its configuration.
  var problems: [ConfigurationProblem]
  /// True if the configuration is the cause, and not a temporary condition such as a crashed process.
  var isConfigurationError: Bool
  /// The complete reason.
  var reason: String
  /// The lines that its process wrote.
  var lines: [String]
  /// Whether `--check` shows these lines.
  var logDisclosure: LogDisclosure

  enum LogDisclosure: Sendable {
    case shown
    /// They may contain a secret.
    case withheld
    /// There are none, or they do not explain the error in the configuration.
    case none
  }

  var id: String { status.id }
}
