import CLinux
import Glibc

/// Hardens the process before it reads a key or a query.
enum Confinement {
  /// The variables that the daemon or the C library needs. All others are removed, because libraries react to many of them, such as
  /// SSLKEYLOGFILE, which makes libcurl log the secrets of TLS connections.
  private static let variables: Set = [
    "CACHE_DIRECTORY", "CREDENTIALS_DIRECTORY", "HOME", "INVOCATION_ID", "JOURNAL_STREAM", "LANG", "LANGUAGE", "LOGNAME", "MAINPID",
    "NOTIFY_SOCKET", "PATH", "RUNTIME_DIRECTORY", "STATE_DIRECTORY", "SWIFT_BACKTRACE", "TMPDIR", "TZ", "USER",
  ]
  private static let prefixes = ["LC_", "LISTEN_", "PLACES_", "WATCHDOG_", "XDG_"]

  /// Call it before any thread exists, since other threads may read the environment.
  private static func clearEnvironment() {
    var names: [String] = []
    var entry = environ
    while let text = entry.pointee {
      names.append(String(String(cString: text).prefix { $0 != "=" }))
      entry += 1
    }
    for name in names where !variables.contains(name) && !prefixes.contains(where: name.hasPrefix) { unsetenv(name) }
  }

  static func apply() {
    clinux_forbid_dumps()
    clinux_report_crashes("placesd")
    clearEnvironment()
    // Files of the daemon are readable only by its user; the socket gets its own permissions.
    umask(0o077)
    // Each client needs a descriptor.
    clinux_allow_descriptors()
  }
}
