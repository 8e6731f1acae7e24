import Glibc
import Linux
import RPC

/// Checks before the start that at least one client can connect, although the number of open files is limited (RLIMIT_NOFILE). Must be
/// called before any other thread exists, because threads open files.
enum DescriptorCheck {
  /// The maximum number of descriptors that the daemon opens for itself: event loops, its socket, databases and the gazetteer's index.
  /// Clients and the other providers need more.
  static let ownDescriptors = 26

  /// The reason why the daemon cannot start; nil if a client can connect.
  static func failure(options: ServerOptions = ServerOptions()) -> String? {
    // A new descriptor has the lowest free number. The daemon's own descriptors take the following ones.
    let probe = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard probe >= 0 else { return "\(SystemError("open", "/dev/null"))" }
    close(probe)
    let requiredLimit = options.requiredDescriptors(beside: Int(probe) + ownDescriptors)
    guard options.descriptors < requiredLimit else { return nil }
    return """
      only \(options.descriptors) files can be open, but for one client the daemon needs \(requiredLimit): raise LimitNOFILE= of the unit, or \
      the limit of open files (ulimit -n)
      """
  }
}
