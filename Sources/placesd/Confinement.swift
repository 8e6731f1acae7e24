import CLinux
import Glibc

/// What the process does to itself before it learns a key or hears a query.
enum Confinement {
  static func apply() {
    clinux_forbid_dumps()
    // Files of the daemon are readable only by its user; the socket gets its own permissions.
    umask(0o077)
    // Each client needs a descriptor.
    clinux_allow_descriptors()
  }
}
