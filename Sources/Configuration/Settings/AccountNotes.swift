import Glibc

extension DaemonSettings {
  /// The group of administrators; nil if the configuration names none or the group does not exist.
  public var adminGroupID: UInt32? { adminGroup.flatMap { getgrnam($0)?.pointee.gr_gid } }

  /// The user of the system's gateway; nil if the configuration names none or the user does not exist.
  public var gatewayUserID: UInt32? { gatewayUser.flatMap { getpwnam($0)?.pointee.pw_uid } }

  /// A warning if the user of the gateway does not exist; otherwise nil.
  public var gatewayUserNote: String? {
    guard let gatewayUser, gatewayUserID == nil else { return nil }
    return "`daemon.gateway_user`: this machine has no user \(quoted(gatewayUser)); nobody may send requests on behalf of others"
  }

  /// A warning if the group of administrators does not exist; otherwise nil.
  public var adminGroupNote: String? {
    guard let adminGroup, adminGroupID == nil else { return nil }
    return "`daemon.admin_group`: this machine has no group \(quoted(adminGroup)); only root and the daemon's own user administer it"
  }
}
