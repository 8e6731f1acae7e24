import EmulatedAPIs
import Linux

/// A `DaemonCaller` for each user that the gateway serves. So the daemon limits the requests of each user separately, and does not show a
/// user's private data to others. Use it on the loop's thread only.
///
/// `@unchecked Sendable`: mutable state is used on the loop's thread only.
final class UserCallers: @unchecked Sendable {
  private let ownCaller: DaemonCaller
  private let makeCaller: (UInt32) -> DaemonCaller
  private var callers: [UInt32: (caller: DaemonCaller, lastUse: UInt64)] = [:]
  /// The number of uses of all callers, which orders their last uses.
  private var useCount: UInt64 = 0
  /// The maximum number of users with open connections to the daemon.
  static let maxUsers = 128

  /// - Parameters:
  ///   - own: the caller for the gateway's own user.
  ///   - make: creates a caller that calls on behalf of a user.
  init(own: DaemonCaller, make: @escaping (UInt32) -> DaemonCaller) {
    ownCaller = own
    makeCaller = make
  }

  /// The caller for a user's requests; if `user` is nil, the caller for the gateway's own user. If there are too many users, closes the
  /// connections of the one that has been idle longest. Nil if all users wait for replies.
  func caller(for user: UInt32?) -> DaemonCaller? {
    guard let user else { return ownCaller }
    useCount += 1
    if let existingCaller = callers[user]?.caller {
      callers[user]?.lastUse = useCount
      return existingCaller
    }
    if callers.count >= UserCallers.maxUsers {
      guard let longestIdle = callers.filter(\.value.caller.isIdle).min(by: { $0.value.lastUse < $1.value.lastUse }) else { return nil }
      callers[longestIdle.key] = nil
      longestIdle.value.caller.close()
    }
    let caller = makeCaller(user)
    callers[user] = (caller, useCount)
    return caller
  }
}
