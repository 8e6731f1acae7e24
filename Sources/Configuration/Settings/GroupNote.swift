import Glibc

extension DaemonSettings {
  /// The group of administrators; nil where none is named, or this machine has none of that name.
  public var adminGroupID: UInt32? { adminGroup.flatMap { getgrnam($0)?.pointee.gr_gid } }

  /// What is to be said where the group of administrators is unknown; nil where all is well.
  public var groupNote: String? {
    guard let adminGroup, adminGroupID == nil else { return nil }
    return "`daemon.admin_group`: this machine has no group \(quoted(adminGroup)); only root and the daemon's own user administer it"
  }
}
