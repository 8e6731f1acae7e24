import Synchronization

/// How many requests and notifications are being answered, over all loops, so that no user takes all the room there is.
final class RunningCounts: Sendable {
  private struct Counts {
    var total = 0
    var users: [UInt32: Int] = [:]
  }
  private let counts = Mutex(Counts())
  private let options: ServerOptions

  init(_ options: ServerOptions) { self.options = options }

  /// The sentence that says why no more of the user may run now; nil where one more may.
  func refusal(of user: UInt32) -> String? {
    counts.withLock { counts in
      if counts.total >= options.inFlight { return "The daemon is busy; ask again in a moment." }
      guard counts.users[user, default: 0] >= options.inFlightPerUser, !options.uncountedUsers.contains(user) else { return nil }
      return "A user may have \(options.inFlightPerUser) requests in flight; wait for replies."
    }
  }

  func add(_ user: UInt32) {
    counts.withLock { counts in
      counts.total += 1
      counts.users[user, default: 0] += 1
    }
  }

  func remove(_ user: UInt32) {
    counts.withLock { counts in
      counts.total -= 1
      let own = counts.users[user, default: 0] - 1
      counts.users[user] = own > 0 ? own : nil
    }
  }

  var total: Int { counts.withLock { $0.total } }
}
