import Configuration
import PlacesAPI

/// Why a provider could not be brought up.
struct FailedStart: Sendable {
  /// What clients are told.
  var status: ProviderStatus
  /// Each thing that is wrong, for who wrote the configuration.
  var problems: [ConfigurationProblem]
  /// Whether what is written is to blame, and not bad luck, such as a process that died.
  var isMistaken: Bool
  /// The whole reason.
  var reason: String
  /// What its process wrote before.
  var lines: [String]

  var id: String { status.id }
}
