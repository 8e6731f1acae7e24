import Resilience
import Synchronization

/// The limit of requests for each user, by the settings in force. Without a limit, which is the default, no lock is taken.
struct RequestQuota: ~Copyable, Sendable {
  private let isLimited: Atomic<Bool>
  private let quota: Mutex<UserQuota>

  init(requestsPerMinute: Int?) {
    isLimited = Atomic(requestsPerMinute != nil)
    quota = Mutex(UserQuota(requestsPerMinute: requestsPerMinute))
  }

  /// Starts again with another limit.
  func configure(requestsPerMinute: Int?) {
    quota.withLock { $0 = UserQuota(requestsPerMinute: requestsPerMinute) }
    isLimited.store(requestsPerMinute != nil, ordering: .relaxed)
  }

  /// Seconds to wait before the user's next request would pass; nil if this one passes.
  func admit(_ user: UInt32, at now: Double) -> Double? {
    isLimited.load(ordering: .relaxed) ? quota.withLock { $0.admit(user, at: now) } : nil
  }

  /// The request that was admitted last is counted elsewhere.
  func takeBack(_ user: UInt32) { quota.withLock { $0.takeBack(user) } }
}
