import PlacesAPI
import PlacesKit

/// The providers as they are configured now: a value, replaced as a whole.
struct Registry: Sendable {
  /// Those that requests may ask, in the order of the configuration.
  private(set) var clients: [ProviderClient] = []
  /// Those that are configured and cannot be asked: switched off, failed, or still being started.
  private(set) var absent: [ProviderStatus] = []
  /// What is counted of those, for when they come back.
  private let resting: [String: ConcurrencyLimiter]

  init() { resting = [:] }

  /// - Parameter old: the providers as they were before.
  init(clients: [ProviderClient], absent: [ProviderStatus], after old: Registry) {
    self.clients = clients
    self.absent = absent
    resting = absent.reduce(into: [:]) { $0[$1.id] = old.limiter(of: $1.id) }
  }

  subscript(id: String) -> ProviderClient? { clients.first { $0.id == id } }

  /// How a provider stands that cannot be asked.
  func absent(_ id: String) -> ProviderStatus? { absent.first { $0.id == id } }

  /// Where the calls of a provider are counted, whether or not it can be asked; nil for one that never could.
  func limiter(of id: String) -> ConcurrencyLimiter? { self[id]?.limiter ?? resting[id] }

  /// The status of a provider that cannot be asked, with how its calls went as long as it could.
  func counted(_ absent: ProviderStatus) -> ProviderStatus {
    guard let counters = resting[absent.id]?.counters else { return absent }
    var status = absent
    status.counters = counters
    return status
  }
}
