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
  /// What a check does with these lines.
  var offer: Offer

  enum Offer: Sendable {
    case shown
    /// They may repeat what is a secret.
    case withheld
    /// There are none, or what is written has a mistake, which they do not explain.
    case none
  }

  var id: String { status.id }
}
