import Glibc

/// How many times longer a body takes for eight times as much: about 8 where time grows with size, 64 where it grows with the square.
/// Counted in the thread's processor time, the best of three each, so that a loaded machine changes little.
public func growth(from size: Int, of body: (_ size: Int) throws -> Void) throws -> Double {
  func seconds(_ size: Int) throws -> Double {
    let start = processorTime()
    try body(size)
    return processorTime() - start
  }
  func best(_ size: Int) throws -> Double { min(try seconds(size), try seconds(size), try seconds(size)) }
  return try best(size * 8) / max(try best(size), 1e-6)
}

private func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
