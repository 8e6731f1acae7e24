import CLinux
import Glibc

/// The protocol between systemd and its services (sd_listen_fds(3), sd_notify(3)), implemented without systemd's library.
public enum ServiceManager {
  /// The sockets that systemd passed to this process, in their order; -1 for a socket that is announced but not open. Empty if there are
  /// none or more than 64. The environment variables are removed, so that child processes do not use them. Must be called once, before
  /// other threads exist.
  public static func takeSockets() -> [Int32] {
    defer { for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) } }
    guard let process = variable("LISTEN_PID"), Int32(process) == getpid(), let text = variable("LISTEN_FDS"), let count = Int32(text),
      1...64 ~= count
    else { return [] }
    // The first socket is always descriptor 3 (SD_LISTEN_FDS_START).
    let numbers = Array(3..<3 + count)
    for number in numbers { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    for number in numbers { _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) }
    // No file may be opened before this check, because it might get the number of a missing socket.
    return numbers.map { fcntl($0, F_GETFD) < 0 ? -1 : $0 }
  }

  /// Sends the service's state, such as `READY=1`, to the service manager. Does nothing if there is no service manager.
  public static func notify(_ states: String...) {
    guard let address = variable("NOTIFY_SOCKET"), address.hasPrefix("/") || address.hasPrefix("@") else { return }
    let text = states.joined(separator: "\n")
    _ = text.utf8.withContiguousStorageIfAvailable { clinux_notify(address, $0.baseAddress, $0.count) }
  }

  /// Reports that the configuration is being reloaded, with the monotonic time. `READY=1` must follow at the end of the reload.
  public static func notifyReloading() {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    notify("RELOADING=1", "MONOTONIC_USEC=\(now.tv_sec * 1_000_000 + now.tv_nsec / 1_000)")
  }

  /// The number of seconds within which systemd expects each `WATCHDOG=1`; nil if it expects none.
  public static var watchdogSeconds: Double? {
    guard let microseconds = variable("WATCHDOG_USEC").flatMap(Double.init), microseconds > 0 else { return nil }
    if let process = variable("WATCHDOG_PID"), Int32(process) != getpid() { return nil }
    return microseconds / 1e6
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
