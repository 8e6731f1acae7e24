import PlacesAPI
import PlacesKit

/// The configured providers, as a value. A change of the configuration replaces it.
struct Registry: Sendable {
  /// The providers that run, in the order of the configuration.
  private(set) var clients: [ProviderClient] = []
  /// The providers that are configured and do not run: disabled, failed, or still starting.
  private(set) var absentProviders: [ProviderStatus] = []
  /// The limiters and counters of absent providers, for their next start.
  private let absentLimiters: [String: ConcurrencyLimiter]

  init() { absentLimiters = [:] }

  /// - Parameter old: the providers as they were before.
  init(clients: [ProviderClient], absent absentProviders: [ProviderStatus], after old: Registry) {
    self.clients = clients
    self.absentProviders = absentProviders
    absentLimiters = absentProviders.reduce(into: [:]) { $0[$1.id] = old.limiter(of: $1.id) }
  }

  /// The client of a provider; nil if the provider does not run.
  subscript(id: String) -> ProviderClient? { clients.first { $0.id == id } }

  /// The status of a provider that does not run; nil if it runs or is not configured.
  func absentProvider(_ id: String) -> ProviderStatus? { absentProviders.first { $0.id == id } }

  /// The limiter of a provider, even if it does not run now; nil if it never ran.
  func limiter(of id: String) -> ConcurrencyLimiter? { self[id]?.limiter ?? absentLimiters[id] }

  /// The status of a provider that does not run, with the counters of its earlier calls.
  func withCounters(_ status: ProviderStatus) -> ProviderStatus {
    guard let counters = absentLimiters[status.id]?.counters else { return status }
    var status = status
    status.counters = counters
    return status
  }
}
