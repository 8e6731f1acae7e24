import Resilience
import PlacesKit

/// A configured provider: its service and its settings.
public struct ProviderInstance: Sendable {
  /// The id in the configuration, such as `google`; the first part of its places' ids.
  public var id: String
  public var service: any PlaceService
  /// The weight of its rows in ranking; 1 by default.
  public var weight: Double
  /// The time limit of one call in seconds, independent of the request's deadline.
  public var timeout: Double
  /// True if a call runs in this process without network, so that the request's own task makes it. Only for services that return within
  /// milliseconds.
  public var answersImmediately: Bool
  /// True if the configuration lets users see each other's answers, as far as the terms allow.
  public var sharesAnswers: Bool
  public var budget: BudgetLimits
  /// The share of failed calls above which the provider is suspended for a while, 0…1; 1 for never.
  public var failureShare: Double
  /// True if the service refused the key under this configuration before, and no administrator has resumed it since.
  public var isRefused: Bool
  /// True if no key is configured, also if the service needs none.
  public var lacksKey: Bool
  /// Counts the starts of the service. Failures of an earlier start do not count against a later one.
  public var start: Int
  /// Why the service does not run and will not without an administrator; nil if it runs or restarts by itself.
  public var fault: @Sendable () -> String?
  /// The service's manifest with the configuration's rate, prices and terms.
  public var manifest: Manifest

  /// - Parameters:
  ///   - timeout: seconds.
  ///   - start: nil for a new service.
  ///   - rate: replaces the manifest's rate unless it is nil; the same applies to `prices` and `terms`.
  public init(
    id: String, service: any PlaceService, weight: Double = 1, timeout: Double = 5, answersImmediately: Bool = false,
    sharesAnswers: Bool = false, budget: BudgetLimits = BudgetLimits(), failureShare: Double = 0.5, rate: Rate? = nil,
    prices: PriceTable? = nil, terms: Terms? = nil, isRefused: Bool = false, lacksKey: Bool = false, start: Int? = nil,
    fault: @escaping @Sendable () -> String? = { nil }
  ) {
    self.id = id
    self.service = service
    self.weight = weight
    self.timeout = timeout
    self.sharesAnswers = sharesAnswers
    self.budget = budget
    self.failureShare = failureShare
    self.isRefused = isRefused
    self.lacksKey = lacksKey
    self.start = start ?? SerialNumber.next()
    self.fault = fault
    var manifest = service.manifest
    if let rate { manifest.rate = rate }
    if let prices { manifest.prices = prices }
    if let terms { manifest.terms = terms }
    self.manifest = manifest
    // A call may have to wait for a configured rate or for the ledger.
    let isLimited = budget.limitsCalls || manifest.rate != service.manifest.rate || manifest.rate.perSecond != nil
    self.answersImmediately = answersImmediately && !isLimited
  }

  /// True if answers are stored on disk too. A provider that reads this machine's files answers again as fast as the cache, and its files
  /// may be replaced while no daemon runs.
  var keepsOnDisk: Bool { !answersImmediately && manifest.leavesMachine }

  var breakerPolicy: CircuitBreaker.Policy {
    var policy = CircuitBreaker.Policy()
    policy.failureRatio = failureShare
    policy.quotaWindow = manifest.quotaWindow ?? .utcDay
    return policy
  }

  /// Advice if a service refuses a call without a key.
  var keylessAdvice: String {
    manifest.credential == .none
      ? "the service is called without a key, so its operator must allow this machine"
      : "no key is configured: set api_key_file or credential, or ask its operator to admit this machine"
  }

  /// True if a service refuses a call that has no key.
  func isKeyless(_ error: ProviderError) -> Bool { lacksKey && error.cause == .credentials }

  /// Converts a service's error for the engine. A service that refuses a call without a key is called again after a pause, since its access
  /// list may change at any time.
  func classified(_ error: ProviderError) -> ProviderError {
    guard isKeyless(error) else { return error }
    var classified = error
    classified.cause = .http
    classified.message += "; \(keylessAdvice)"
    return classified
  }

  /// True if the running service and its settings are the same.
  func isSame(as other: ProviderInstance) -> Bool {
    (id, start, weight, timeout, answersImmediately) == (other.id, other.start, other.weight, other.timeout, other.answersImmediately)
      && (sharesAnswers, budget, failureShare, manifest) == (other.sharesAnswers, other.budget, other.failureShare, other.manifest)
  }
}
