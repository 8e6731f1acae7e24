import Resilience
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
  /// Whether a call runs in this process and touches no network, so that the request may make it without passing it on to
  /// another task. Only for services that return within milliseconds.
  public var answersAtOnce: Bool
  /// Whether the configuration lets users see each other's answers, as far as the terms do.
  public var sharesAnswers: Bool
  public var budget: BudgetLimits
  /// The share of failed calls above which the provider is left alone for a while, 0…1; 1 for never.
  public var failureShare: Double
  /// Whether the service refused the key under this very configuration before, and nobody has resumed it since.
  public var isRefused: Bool
  /// Whether no key is configured, be it that the service knows none.
  public var lacksKey: Bool
  /// Which start of the service this is. What made an earlier one fail is held against it as long as it is the same.
  public var start: Int
  /// Why the service does not run, and will not until somebody does something; nil where it runs or comes back by itself.
  public var fault: @Sendable () -> String?
  /// The service's manifest with the configuration's rate, prices and terms.
  public var manifest: Manifest

  /// - Parameters:
  ///   - timeout: seconds.
  ///   - start: nil for a service that was not known before.
  ///   - rate: in place of the manifest's, nil to keep it; likewise `prices` and `terms`.
  public init(
    id: String, service: any PlaceService, weight: Double = 1, timeout: Double = 5, answersAtOnce: Bool = false,
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
    // For a limit that an administrator has set one may have to wait, as for the ledger that counts calls.
    let isLimited = budget.limitsCalls || manifest.rate != service.manifest.rate || manifest.rate.perSecond != nil
    self.answersAtOnce = answersAtOnce && !isLimited
  }

  /// Whether answers are kept on disk too. What reads this machine's own files is as quickly asked again, and they may be replaced while no
  /// daemon runs that would notice.
  var keepsOnDisk: Bool { !answersAtOnce && manifest.leavesMachine }

  var breakerPolicy: CircuitBreaker.Policy {
    var policy = CircuitBreaker.Policy()
    policy.failureRatio = failureShare
    policy.quotaWindow = manifest.quotaWindow ?? .utcDay
    return policy
  }

  /// What to do about a refusal where there is no key that could be refused.
  var keylessAdvice: String {
    manifest.credential == .none
      ? "it is asked without a key: have it let this machine in"
      : "no key is configured: name one with api_key_file or credential, or have it let this machine in"
  }

  /// Whether a service refuses access where there is no key that could be refused.
  func isKeyless(_ error: ProviderError) -> Bool { lacksKey && error.cause == .credentials }

  /// An error of the service, as what the daemon knows beside it has it. Whom a server lets in may change any moment, so that one that was
  /// given no key is asked again after a pause.
  func judged(_ error: ProviderError) -> ProviderError {
    guard isKeyless(error) else { return error }
    var judged = error
    judged.cause = .http
    judged.message += "; \(keylessAdvice)"
    return judged
  }

  /// Whether nothing changed: neither the running service nor what the administrator decided about it.
  func isSame(as other: ProviderInstance) -> Bool {
    (id, start, weight, timeout, answersAtOnce) == (other.id, other.start, other.weight, other.timeout, other.answersAtOnce)
      && (sharesAnswers, budget, failureShare, manifest) == (other.sharesAnswers, other.budget, other.failureShare, other.manifest)
  }
}
