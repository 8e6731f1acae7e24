import Resilience
import PlacesKit
import Synchronization

/// A configured provider: its service and its settings.
public struct ProviderInstance: Sendable {
  /// The id in the configuration, such as `google`; the first part of its places' ids.
  public var id: String
  public var service: any PlaceService
  /// The weight of the provider's rows in ranking; 1 by default.
  public var weight: Double
  /// The time limit of one call in seconds, independent of the request's deadline.
  public var timeout: Double
  /// True if a call is made in the request's own task, because the service computes its answer in this process within milliseconds.
  public var answersImmediately: Bool
  /// True if the configuration lets users see each other's answers, as far as the terms allow.
  public var sharesAnswers: Bool
  public var budget: BudgetLimits
  /// The share of failed calls above which the provider is suspended for a while, 0…1; 1 for never.
  public var failureShare: Double
  /// True if the service refused the key under this configuration before, and no administrator has resumed the provider since.
  public var isKeyRejected: Bool
  /// True if no key is configured, even if the service needs none.
  public var lacksKey: Bool
  /// A number for each start of a provider, unique in this daemon. A new start ends the provider's suspension. If an earlier start reports
  /// that the key was refused, the report is ignored.
  public var startID: Int
  private static let latestStartID = Atomic(0)
  /// Returns the fault of a provider whose process has ended too often. The process is then not restarted for some minutes, unless an
  /// administrator resumes the provider. Returns nil if there is no such fault.
  public var fault: @Sendable () -> String?
  /// The provider's manifest with the configuration's rate, prices and terms.
  public var manifest: Manifest

  /// - Parameters:
  ///   - timeout: seconds.
  ///   - startID: the number of the provider's start; nil if the provider was just started and needs a new number.
  ///   - rate: replaces the manifest's rate; nil to keep it. The same applies to `prices` and `terms`.
  public init(
    id: String, service: any PlaceService, weight: Double = 1, timeout: Double = 5, answersImmediately: Bool = false,
    sharesAnswers: Bool = false, budget: BudgetLimits = BudgetLimits(), failureShare: Double = 0.5, rate: Rate? = nil,
    prices: PriceTable? = nil, terms: Terms? = nil, isKeyRejected: Bool = false, lacksKey: Bool = false, startID: Int? = nil,
    fault: @escaping @Sendable () -> String? = { nil }
  ) {
    self.id = id
    self.service = service
    self.weight = weight
    self.timeout = timeout
    self.sharesAnswers = sharesAnswers
    self.budget = budget
    self.failureShare = failureShare
    self.isKeyRejected = isKeyRejected
    self.lacksKey = lacksKey
    self.startID = startID ?? ProviderInstance.latestStartID.add(1, ordering: .relaxed).newValue
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

  /// True if answers are stored on disk too. Answers of a provider that reads this machine's files are not stored on disk, because the
  /// provider is as fast as the cache, and its files may be replaced while no daemon runs.
  var keepsOnDisk: Bool { !answersImmediately && manifest.leavesMachine }

  var breakerPolicy: CircuitBreaker.Policy {
    var policy = CircuitBreaker.Policy()
    policy.failureShare = failureShare
    policy.quotaWindow = manifest.quotaWindow ?? .utcDay
    return policy
  }

  /// Advice to the administrator if the service refuses a call that has no key.
  var keylessAdvice: String {
    manifest.credential == .none
      ? "the service is called without a key, so its operator must allow this machine"
      : "no key is configured: set api_key_file or credential, or ask its operator to admit this machine"
  }

  /// True if the service refused a call because it had no key.
  func isRefusalForMissingKey(_ error: ProviderError) -> Bool { lacksKey && error.cause == .credentials }

  /// Converts the service's error for the engine. A refusal for a missing key becomes an error after which the service is called again,
  /// because its operator may admit this machine at any time.
  func classified(_ error: ProviderError) -> ProviderError {
    guard isRefusalForMissingKey(error) else { return error }
    var classified = error
    classified.cause = .http
    classified.message += "; \(keylessAdvice)"
    return classified
  }

  /// True if both instances describe the same start of the provider, with the same settings.
  func isUnchanged(from other: ProviderInstance) -> Bool {
    (id, startID, weight, timeout, answersImmediately) == (other.id, other.startID, other.weight, other.timeout, other.answersImmediately)
      && (sharesAnswers, budget, failureShare, manifest) == (other.sharesAnswers, other.budget, other.failureShare, other.manifest)
  }
}
