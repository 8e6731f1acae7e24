import Synchronization

/// How many bytes connections hold over all loops, in all and of each user, so that many connections together cannot have all the memory there is.
final class HeldBytes: Sendable {
  private struct Counts {
    var total = 0
    var users: [UInt32: Int] = [:]
  }
  private let counts = Mutex(Counts())
  private let limit: (total: Int, perUser: Int)
  /// Users who may have all there is.
  private let uncounted: Set<UInt32>

  init(_ options: ServerOptions) {
    limit = (options.heldBytes, options.heldBytesPerUser)
    uncounted = options.uncountedUsers
  }

  var total: Int { counts.withLock { $0.total } }

  /// One of the user's connections holds so many bytes more, or fewer. False where it now holds more and that is too much.
  func change(_ user: UInt32, by bytes: Int) -> Bool {
    counts.withLock { counts in
      counts.total += bytes
      let own = counts.users[user, default: 0] + bytes
      counts.users[user] = own > 0 ? own : nil
      return bytes <= 0 || (counts.total <= limit.total && (own <= limit.perUser || uncounted.contains(user)))
    }
  }
}
