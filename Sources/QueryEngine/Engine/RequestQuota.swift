import Resilience
import Synchronization

/// Limits the requests per minute of each user by the current settings. If there is no limit, which is the default, no lock is taken.
struct RequestQuota: ~Copyable, Sendable {
  private let isLimited: Atomic<Bool>
  private let quota: Mutex<UserQuota>

  init(requestsPerMinute: Int?) {
    isLimited = Atomic(requestsPerMinute != nil)
    quota = Mutex(UserQuota(requestsPerMinute: requestsPerMinute))
  }

  /// Restarts with a new limit.
  func configure(requestsPerMinute: Int?) {
    quota.withLock { $0 = UserQuota(requestsPerMinute: requestsPerMinute) }
    isLimited.store(requestsPerMinute != nil, ordering: .relaxed)
  }

  /// Admits a request and returns nil, or returns the seconds until the user's next request would be admitted.
  func admit(_ user: UInt32, at now: Double) -> Double? {
    isLimited.load(ordering: .relaxed) ? quota.withLock { $0.admit(user, at: now) } : nil
  }

  /// Returns the token of the user's last admitted request, for a request that will be admitted a second time.
  func returnToken(of user: UInt32) { quota.withLock { $0.returnToken(of: user) } }
}
