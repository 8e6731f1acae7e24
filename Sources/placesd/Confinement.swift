import CLinux
import Glibc

/// What the process does to itself before it learns a key or hears a query.
enum Confinement {
  static func apply() {
    clinux_forbid_dumps()
    // What the daemon writes is for its user alone; the socket gets its own permissions.
    umask(0o077)
    // Each client is a descriptor.
    clinux_allow_descriptors()
  }
}
