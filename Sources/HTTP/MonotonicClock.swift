import Glibc

/// The clock CLOCK_MONOTONIC.
enum MonotonicClock {
  /// The time in milliseconds, the unit of epoll_wait(2) and libcurl.
  static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}
