import PlacesAPI
import PlacesKit

/// The providers as they are configured now: a value, replaced as a whole.
struct Registry: Sendable {
  /// Those that requests may ask, in the order of the configuration.
  private(set) var lanes: [Lane] = []
  /// Those that are configured and cannot be asked: switched off, failed, or still being started.
  private(set) var absent: [ProviderStatus] = []
  /// What is counted of those, for when they come back.
  private let resting: [String: Berths]

  init() { resting = [:] }

  /// - Parameter old: the providers as they were before.
  init(lanes: [Lane], absent: [ProviderStatus], after old: Registry) {
    self.lanes = lanes
    self.absent = absent
    resting = absent.reduce(into: [:]) { $0[$1.id] = old.berths(of: $1.id) }
  }

  subscript(id: String) -> Lane? { lanes.first { $0.id == id } }

  /// How a provider stands that cannot be asked.
  func absent(_ id: String) -> ProviderStatus? { absent.first { $0.id == id } }

  /// Where the calls of a provider are counted, whether or not it can be asked; nil for one that never could.
  func berths(of id: String) -> Berths? { self[id]?.berths ?? resting[id] }

  /// The status of a provider that cannot be asked, with how its calls went as long as it could.
  func counted(_ absent: ProviderStatus) -> ProviderStatus {
    guard let counters = resting[absent.id]?.counters else { return absent }
    var status = absent
    status.counters = counters
    return status
  }
}
