import Linux

/// The caller of a method: the user at the other end of the socket, as the kernel reports it.
public struct Caller: Sendable, Hashable {
  public var user: UInt32
  public var isAdministrator: Bool

  public init(user: UInt32, isAdministrator: Bool) {
    self.user = user
    self.isAdministrator = isAdministrator
  }
}

/// Determines who is an administrator: root, the user that the daemon runs as, and the members of `admin_group`. If `gateway_user` sends
/// requests on behalf of a user, that user is never an administrator, so that a fault of the gateway cannot change the daemon.
public struct Administrators: Sendable {
  private let daemonUser: UInt32
  private let group: UInt32?
  private let gatewayUser: UInt32?

  /// - Parameters:
  ///   - daemonUser: the user that the daemon runs as.
  ///   - group: the id of `admin_group`; nil if it is not configured.
  ///   - gatewayUser: the id of `gateway_user`; nil if it is not configured.
  public init(daemonUser: UInt32, group: UInt32?, gatewayUser: UInt32? = nil) {
    self.daemonUser = daemonUser
    self.group = group
    self.gatewayUser = gatewayUser
  }

  public func includes(_ caller: Peer) -> Bool {
    guard !caller.isRepresented else { return false }
    if caller.user == 0 || caller.user == daemonUser { return true }
    guard let group else { return false }
    return caller.group == group || caller.groups.contains(group)
  }

  /// True if the caller may send requests on behalf of other users.
  public func mayRepresentUsers(_ caller: Peer) -> Bool { !caller.isRepresented && caller.user == gatewayUser }
}
