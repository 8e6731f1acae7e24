import Glibc

/// Milliseconds of CLOCK_MONOTONIC, as epoll_wait(2) and libcurl use them.
enum MonotonicClock {
  static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }
}
