import Synchronization

/// How many connections there are, over all loops.
final class ConnectionCounts: Sendable {
  private struct Counts {
    var total = 0
    var users: [UInt32: Int] = [:]
  }
  private let counts = Mutex(Counts())
  private let options: ServerOptions

  init(_ options: ServerOptions) { self.options = options }

  /// Counts a connection of the user; the sentence says why there may be no more of them.
  func admit(_ user: UInt32) -> String? {
    counts.withLock { counts in
      if counts.total >= options.connections { return "The daemon serves \(options.connections) connections, and no more at once." }
      let own = counts.users[user, default: 0]
      if own >= options.connectionsPerUser, !options.uncountedUsers.contains(user) {
        return "A user may have \(options.connectionsPerUser) connections at once; close some of them."
      }
      counts.total += 1
      counts.users[user] = own + 1
      return nil
    }
  }

  func release(_ user: UInt32) {
    counts.withLock { counts in
      counts.total -= 1
      let own = counts.users[user, default: 0] - 1
      counts.users[user] = own > 0 ? own : nil
    }
  }

  var total: Int { counts.withLock { $0.total } }
}
