import EmulatedAPIs
import Linux

/// The callers of the daemon, one for each user that the gateway serves, so that the daemon counts the quota and the turns of each user
/// separately, and keeps the users' private data apart. To be used on the loop's thread only.
///
/// `@unchecked Sendable`: mutable state is used on the loop's thread only.
final class UserCallers: @unchecked Sendable {
  private let own: DaemonCaller
  private let make: (UInt32) -> DaemonCaller
  private var callers: [UInt32: (caller: DaemonCaller, lastUse: UInt64)] = [:]
  private var useCount: UInt64 = 0
  /// The maximum number of users with open connections to the daemon.
  static let maxUsers = 128

  /// - Parameters:
  ///   - own: the caller for the gateway's own user.
  ///   - make: creates a caller that calls on behalf of a user.
  init(own: DaemonCaller, make: @escaping (UInt32) -> DaemonCaller) {
    self.own = own
    self.make = make
  }

  /// The caller for a user's requests; without a user, the gateway's own. If there are too many users, the connections of the longest idle
  /// user are closed; nil if all users wait for replies.
  func caller(for user: UInt32?) -> DaemonCaller? {
    guard let user else { return own }
    useCount += 1
    if let known = callers[user]?.caller {
      callers[user]?.lastUse = useCount
      return known
    }
    if callers.count >= UserCallers.maxUsers {
      guard let oldest = callers.filter(\.value.caller.isIdle).min(by: { $0.value.lastUse < $1.value.lastUse }) else { return nil }
      callers[oldest.key] = nil
      oldest.value.caller.close()
    }
    let caller = make(user)
    callers[user] = (caller, useCount)
    return caller
  }
}
