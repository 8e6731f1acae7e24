import Glibc
import Linux
import PlacesKit
import Synchronization

/// Whether a user may connect to the daemon's socket, for a gateway that connects on behalf of the user: what the permissions of the socket and of
/// its directories refuse, the gateway must refuse. Access control lists are not read.
final class SocketAccess: Sendable {
  private let user: UInt32
  /// The first that exists counts.
  private let paths: [String]
  private let time: any TimeSource
  private let known = Mutex((isPermitted: false, until: -Double.infinity))
  static let lifetime = 10.0

  init(of user: UInt32, to paths: [String], time: any TimeSource = SystemTime()) {
    self.user = user
    self.paths = paths
    self.time = time
  }

  /// Looked up again after some seconds. The groups of a user may be a directory service's, so that this may block; it must not run on the loop.
  var isPermitted: Bool {
    get async {
      if let current { return current }
      return await withTaskExecutorPreference(globalConcurrentExecutor) { await lookUp() }
    }
  }

  private var current: Bool? { known.withLock { $0.until > time.monotonic() ? $0.isPermitted : nil } }

  private nonisolated func lookUp() async -> Bool {
    let path = paths.first { access($0, F_OK) == 0 }
    // Without a socket, the attempt to connect returns the error.
    let isPermitted = path.map { SocketAccess.permits(user, path: $0) { SocketAccess.groups(of: user) } } ?? true
    known.withLock { $0 = (isPermitted, time.monotonic() + SocketAccess.lifetime) }
    return isPermitted
  }

  /// True if the user may search each directory of the path and write to the socket at its end.
  /// - Parameter groups: the user's groups; called only if a result depends on them.
  static func permits(_ user: UInt32, path: String, groups: () -> [UInt32]) -> Bool {
    if user == 0 { return true }
    var groupsOfUser: [UInt32]?
    func permits(_ path: String, _ bit: UInt32) -> Bool {
      var status = stat()
      guard stat(path, &status) == 0 else { return false }
      if status.st_uid == user { return status.st_mode >> 6 & bit != 0 }
      let (group, others) = (status.st_mode >> 3 & bit != 0, status.st_mode & bit != 0)
      if group == others { return group }
      let mine = groupsOfUser ?? groups()
      groupsOfUser = mine
      return mine.contains(status.st_gid) ? group : others
    }
    let directories = path.indices.filter { path[$0] == "/" }.map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
    return directories.allSatisfy { permits($0, 1) } && permits(path, 2)
  }

  /// The user's groups as the user database has them; none for a user that it does not have.
  private static func groups(of user: UInt32) -> [UInt32] {
    var (entry, found) = (passwd(), UnsafeMutablePointer<passwd>?.none)
    var text = [CChar](repeating: 0, count: 16_384)
    guard getpwuid_r(user, &entry, &text, text.count, &found) == 0, found != nil else { return [] }
    var count = Int32(1_024)
    var groups = [gid_t](repeating: 0, count: Int(count))
    // -1 if there are more: those that fit are the user's all the same.
    _ = getgrouplist(entry.pw_name, entry.pw_gid, &groups, &count)
    return Array(groups.prefix(Int(max(0, min(count, 1_024)))))
  }
}
