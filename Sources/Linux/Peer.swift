import CLinux
import Glibc

/// The user at the other end of a Unix socket, as the kernel recorded it when the connection was made. The process id is not included,
/// because it may have been reused.
public struct Peer: Sendable, Hashable {
  public var user: UInt32
  public var group: UInt32
  /// The supplementary groups.
  public var groups: [UInt32]
  /// True if another process sends requests on behalf of this user. Then the user's groups are not known.
  public let isRepresented: Bool

  public init(user: UInt32, group: UInt32, groups: [UInt32] = []) {
    self.user = user
    self.group = group
    self.groups = groups
    isRepresented = false
  }

  /// A user on whose behalf another process sends requests. The group is `UInt32.max`, which is not the id of any group.
  public init(represented user: UInt32) {
    self.user = user
    group = .max
    groups = []
    isRepresented = true
  }

  /// The peer of a connected socket, from SO_PEERCRED and SO_PEERGROUPS.
  public init(of socket: Int32) throws(SystemError) {
    var (user, group) = (UInt32.max, UInt32.max)
    guard clinux_peer(socket, &user, &group) == 0 else { throw SystemError("ask for the user of a connection") }
    self.user = user
    self.group = group
    isRepresented = false
    groups = []
    // Few users are in more than 32 groups, so the large buffer is rarely needed. The kernel allows 65,536 groups (NGROUPS_MAX).
    for capacity in [32, 65_536] {
      var buffer = [UInt32](repeating: 0, count: capacity)
      let count = clinux_peer_groups(socket, &buffer, Int32(capacity))
      if count < 0, errno == ERANGE { continue }
      groups = Array(buffer.prefix(max(0, Int(count))))
      break
    }
  }
}
