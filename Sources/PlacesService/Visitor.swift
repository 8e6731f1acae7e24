import PlacesKit

/// Who calls a method: the user at the other end of the socket, as the kernel tells.
public struct Visitor: Sendable, Hashable {
  public var user: UInt32
  public var isAdministrator: Bool

  public init(user: UInt32, isAdministrator: Bool) {
    self.user = user
    self.isAdministrator = isAdministrator
  }
}

/// Who is an administrator: root, the user that the daemon runs as, and members of `admin_group`.
public struct Administrators: Sendable {
  private let own: UInt32
  private let group: UInt32?

  public init(own: UInt32, group: UInt32?) {
    self.own = own
    self.group = group
  }

  public func includes(user: UInt32, groups: [UInt32]) -> Bool {
    user == 0 || user == own || group.map(groups.contains) == true
  }
}
