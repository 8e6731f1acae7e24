import Glibc

/// Milliseconds of CLOCK_MONOTONIC, by which poll(2) and libcurl count.
enum MonotonicClock {
  static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}
