import Synchronization

/// How many of something there are over all loops, in all and of each user, so that no user takes all the room there is.
final class UserCounts: Sendable {
  private struct Counts {
    var total = 0
    var users: [UInt32: Int] = [:]
  }
  private let counts = Mutex(Counts())
  private let limit: (total: Int, perUser: Int)
  /// Users who may have all there are.
  private let uncounted: Set<UInt32>
  /// The sentences that say why there may be no more at all, and no more of one user.
  private let refusals: (total: String, perUser: String)

  private init(_ limit: (total: Int, perUser: Int), uncounted: Set<UInt32>, refusals: (total: String, perUser: String)) {
    self.limit = limit
    self.uncounted = uncounted
    self.refusals = refusals
  }

  static func connections(_ options: ServerOptions) -> UserCounts {
    UserCounts(
      (options.connections, options.connectionsPerUser), uncounted: options.uncountedUsers,
      refusals: (
        "The daemon serves \(options.connections) connections, and no more at once.",
        "A user may have \(options.connectionsPerUser) connections at once; close some of them."
      ))
  }

  /// Requests and notifications that are being answered.
  static func running(_ options: ServerOptions) -> UserCounts {
    UserCounts(
      (options.inFlight, options.inFlightPerUser), uncounted: options.uncountedUsers,
      refusals: (
        "The daemon is busy; ask again in a moment.", "A user may have \(options.inFlightPerUser) requests in flight; wait for replies."
      ))
  }

  var total: Int { counts.withLock { $0.total } }

  /// Why no more of the user's may come now; nil where one more may.
  func refusal(of user: UInt32) -> String? { counts.withLock { refusal(of: user, $0) } }

  /// Counts one more of the user's, unless there is a reason against it, which it returns.
  func admit(_ user: UInt32) -> String? {
    counts.withLock { counts in
      if let reason = refusal(of: user, counts) { return reason }
      add(user, &counts)
      return nil
    }
  }

  func add(_ user: UInt32) { counts.withLock { add(user, &$0) } }

  func remove(_ user: UInt32) {
    counts.withLock { counts in
      counts.total -= 1
      let own = counts.users[user, default: 0] - 1
      counts.users[user] = own > 0 ? own : nil
    }
  }

  private func refusal(of user: UInt32, _ counts: Counts) -> String? {
    if counts.total >= limit.total { return refusals.total }
    return counts.users[user, default: 0] >= limit.perUser && !uncounted.contains(user) ? refusals.perUser : nil
  }

  private func add(_ user: UInt32, _ counts: inout Counts) {
    counts.total += 1
    counts.users[user, default: 0] += 1
  }
}
