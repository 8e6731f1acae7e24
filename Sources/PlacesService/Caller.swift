/// The caller of a method: the user at the other end of the socket, as the kernel reports it.
public struct Caller: Sendable, Hashable {
  public var user: UInt32
  public var isAdministrator: Bool

  public init(user: UInt32, isAdministrator: Bool) {
    self.user = user
    self.isAdministrator = isAdministrator
  }
}

/// Decides who is an administrator: root, the user that the daemon runs as, and the members of `admin_group`.
public struct Administrators: Sendable {
  private let daemonUser: UInt32
  private let group: UInt32?

  /// - Parameters:
  ///   - daemonUser: the user that the daemon runs as.
  ///   - group: the id of `admin_group`, if it is configured.
  public init(daemonUser: UInt32, group: UInt32?) {
    self.daemonUser = daemonUser
    self.group = group
  }

  public func includes(user: UInt32, groups: [UInt32]) -> Bool {
    user == 0 || user == daemonUser || group.map(groups.contains) == true
  }
}
