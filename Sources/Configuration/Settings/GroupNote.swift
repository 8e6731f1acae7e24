import Glibc

extension DaemonSettings {
  /// The group of administrators; nil if the configuration names none or the group does not exist.
  public var adminGroupID: UInt32? { adminGroup.flatMap { getgrnam($0)?.pointee.gr_gid } }

  /// A warning if the group of administrators does not exist; else nil.
  public var groupNote: String? {
    guard let adminGroup, adminGroupID == nil else { return nil }
    return "`daemon.admin_group`: this machine has no group \(quoted(adminGroup)); only root and the daemon's own user administer it"
  }
}
