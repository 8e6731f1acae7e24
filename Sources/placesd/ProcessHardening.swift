import CLinux
import Glibc

/// Hardens the process before it reads a key or a query.
enum ProcessHardening {
  /// The environment variables that the daemon or the C library needs. All others are removed, because some change what libraries do. For
  /// example, SSLKEYLOGFILE makes libcurl log the secrets of TLS connections.
  private static let variables: Set = [
    "CACHE_DIRECTORY", "CREDENTIALS_DIRECTORY", "HOME", "INVOCATION_ID", "JOURNAL_STREAM", "LANG", "LANGUAGE", "LOGNAME", "MAINPID",
    "NOTIFY_SOCKET", "PATH", "RUNTIME_DIRECTORY", "STATE_DIRECTORY", "SWIFT_BACKTRACE", "TMPDIR", "TZ", "USER",
  ]
  /// The prefixes of further variables that are not removed.
  private static let prefixes = ["LC_", "LISTEN_", "PLACES_", "WATCHDOG_", "XDG_"]

  /// Removes all environment variables except those in `variables` and those that begin with one of `prefixes`. Must be called before any
  /// other thread exists, because other threads may read the environment.
  private static func clearEnvironment() {
    var names: [String] = []
    var entry = environ
    while let text = entry.pointee {
      names.append(String(String(cString: text).prefix { $0 != "=" }))
      entry += 1
    }
    for name in names where !variables.contains(name) && !prefixes.contains(where: name.hasPrefix) { unsetenv(name) }
  }

  /// Forbids core dumps and reports of Swift's runtime, makes a crash write a sentence to standard error instead, removes environment
  /// variables, sets the umask, and raises the limit of descriptors. Must be called before any other thread exists.
  static func apply() {
    clinux_forbid_dumps()
    clinux_report_crashes("placesd")
    clearEnvironment()
    // Files of the daemon are readable only by its user. The socket's permissions are set separately.
    umask(0o077)
    // Each client needs a descriptor.
    clinux_allow_descriptors()
  }
}
