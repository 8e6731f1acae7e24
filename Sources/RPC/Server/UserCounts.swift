import Synchronization

/// How many of something there are over all loops, and the reason against one more.
final class UserCounts: Sendable {
  private let room: Mutex<SharedRoom>
  /// The sentences that say why there may be no more at all, and no more of one user.
  private let refusals: (all: String, user: String)

  private init(limit: Int, perUser: Int, _ options: ServerOptions, refusals: (all: String, user: String)) {
    room = Mutex(SharedRoom(limit: limit, perUser: perUser, uncounted: options.uncountedUsers))
    self.refusals = refusals
  }

  static func connections(_ options: ServerOptions) -> UserCounts {
    UserCounts(
      limit: options.connections, perUser: options.connectionsPerUser, options,
      refusals: (
        "The daemon serves \(options.connections) connections, and no more at once.",
        "A user may have \(options.connectionsPerUser) connections at once; close some of them."
      ))
  }

  /// Requests and notifications that are being answered.
  static func running(_ options: ServerOptions) -> UserCounts {
    UserCounts(
      limit: options.inFlight, perUser: options.inFlightPerUser, options,
      refusals: (
        "The daemon is busy; ask again in a moment.", "A user may have \(options.inFlightPerUser) requests in flight; wait for replies."
      ))
  }

  var total: Int { room.withLock { $0.total } }

  /// Why no more of the user's may come now; nil where one more may.
  func refusal(of user: UInt32) -> String? { room.withLock { refusal(of: user, $0) } }

  /// Counts one more of the user's, unless there is a reason against it, which it returns.
  func admit(_ user: UInt32) -> String? {
    room.withLock { room in
      if let reason = refusal(of: user, room) { return reason }
      room.change(user, by: 1)
      return nil
    }
  }

  func add(_ user: UInt32) { room.withLock { $0.change(user, by: 1) } }

  func remove(_ user: UInt32) { room.withLock { $0.change(user, by: -1) } }

  private func refusal(of user: UInt32, _ room: SharedRoom) -> String? {
    switch room.shortage(of: user, for: 1) {
    case .all: refusals.all
    case .user: refusals.user
    case nil: nil
    }
  }
}
