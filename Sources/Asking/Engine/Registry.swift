import PlacesAPI
import PlacesKit

/// The providers as they are configured now: a value, replaced as a whole.
struct Registry: Sendable {
  /// Those that requests may ask, in the order of the configuration.
  private(set) var lanes: [Lane] = []
  /// Those that are configured and cannot be asked: switched off, failed, or still being started.
  private(set) var absent: [ProviderStatus] = []

  init() {}

  init(lanes: [Lane], absent: [ProviderStatus]) {
    self.lanes = lanes
    self.absent = absent
  }

  subscript(id: String) -> Lane? { lanes.first { $0.id == id } }

  /// How a provider stands that cannot be asked.
  func absent(_ id: String) -> ProviderStatus? { absent.first { $0.id == id } }
}
