import Resilience
import Synchronization

/// How many requests users may make, by the settings in force. Where they may make any number, as by default, nobody waits for the others here.
struct RequestQuota: ~Copyable, Sendable {
  private let isLimited: Atomic<Bool>
  private let quota: Mutex<UserQuota>

  init(requestsPerMinute: Int?) {
    isLimited = Atomic(requestsPerMinute != nil)
    quota = Mutex(UserQuota(requestsPerMinute: requestsPerMinute))
  }

  /// Begins anew with another limit.
  func configure(requestsPerMinute: Int?) {
    quota.withLock { $0 = UserQuota(requestsPerMinute: requestsPerMinute) }
    isLimited.store(requestsPerMinute != nil, ordering: .relaxed)
  }

  /// Seconds to wait before the user's next request would pass; nil where this one does.
  func admit(_ user: UInt32, at now: Double) -> Double? {
    isLimited.load(ordering: .relaxed) ? quota.withLock { $0.admit(user, at: now) } : nil
  }

  /// The request that was let in last is counted elsewhere.
  func takeBack(_ user: UInt32) { quota.withLock { $0.takeBack(user) } }
}
