import Guarding
import PlacesKit

/// A configured provider: the service that answers and what the administrator decided about it.
public struct ProviderInstance: Sendable {
  /// The id in the configuration, such as `google`; the first part of its places' ids.
  public var id: String
  public var service: any PlaceService
  /// How much its vote counts in ranking; 1 is usual.
  public var weight: Double
  /// Seconds that one call may take, whatever the request's deadline.
  public var timeout: Double
  /// A disabled provider is not asked and not mentioned.
  public var enabled: Bool
  /// Whether a call runs in this process and touches no network, so that the request may make it without passing it on to
  /// another task. Only for services that return within milliseconds.
  public var answersAtOnce: Bool
  /// Whether the configuration lets users see each other's answers, as far as the terms do.
  public var sharesAnswers: Bool
  public var budget: BudgetLimits
  /// The service's manifest with the configuration's rate, prices and terms.
  public var manifest: Manifest

  /// - Parameters:
  ///   - timeout: seconds.
  ///   - rate: in place of the manifest's, nil to keep it; likewise `prices` and `terms`.
  public init(
    id: String, service: any PlaceService, weight: Double = 1, timeout: Double = 5, enabled: Bool = true, answersAtOnce: Bool = false,
    sharesAnswers: Bool = false, budget: BudgetLimits = BudgetLimits(), rate: Rate? = nil, prices: PriceTable? = nil, terms: Terms? = nil
  ) {
    self.id = id
    self.service = service
    self.weight = weight
    self.timeout = timeout
    self.enabled = enabled
    self.answersAtOnce = answersAtOnce
    self.sharesAnswers = sharesAnswers
    self.budget = budget
    var manifest = service.manifest
    if let rate { manifest.rate = rate }
    if let prices { manifest.prices = prices }
    if let terms { manifest.terms = terms }
    self.manifest = manifest
  }
}
