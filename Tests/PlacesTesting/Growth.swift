import Glibc

/// The factor of time for eight times the input: about 8 for linear time, 64 for quadratic time. Measured as the thread's processor time,
/// the best of three runs each, so that the machine's load has little effect.
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
