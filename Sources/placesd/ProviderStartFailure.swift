import Configuration
import PlacesAPI

/// Why a provider could not be started.
struct ProviderStartFailure: Sendable {
  /// The provider's status for clients.
  var status: ProviderStatus
  /// The problems in its configuration.
  var problems: [ConfigurationProblem]
  /// True if the configuration is the cause, and not a condition that may pass, such as a process that died.
  var isConfigurationError: Bool
  /// The whole reason.
  var reason: String
  /// The lines that its process wrote.
  var lines: [String]
  /// How a check shows these lines.
  var logDisclosure: LogDisclosure

  enum LogDisclosure: Sendable {
    case shown
    /// They may contain a secret.
    case withheld
    /// There are none, or the configuration has a mistake, which they do not explain.
    case none
  }

  var id: String { status.id }
}
