/// The processor time that a provider's process may use: a share for each request, accumulated up to a maximum. A process in an endless
/// loop uses up its time and is ended. The kernel counts the time of a process's whole life (RLIMIT_CPU), so the limit is raised for each
/// request that is sent. SIGXCPU ends a process that reaches the limit; the daemon kills a process that ignores the signal.
struct ProcessorAllowance: Equatable, Sendable {
  /// The seconds of processor time that each request adds.
  static let perRequest = 0.5

  /// The maximum number of seconds that can be accumulated; a process begins with this many.
  let maximum: Double
  /// The seconds granted so far, from the process's beginning.
  private var granted: Double
  /// The number of requests that were sent since the process began.
  private var requestCount = 0

  init(maximum: Double) {
    self.maximum = maximum
    granted = maximum
  }

  /// The limit in whole seconds, the unit of RLIMIT_CPU.
  var limit: UInt64 { UInt64(max(1, granted.rounded(.up))) }

  /// Grants time for the requests that were sent since the last update.
  /// - Parameters:
  ///   - requests: the number of requests that were sent since the process began.
  ///   - used: seconds of processor time that the process has used.
  /// - Returns: true if the limit has changed.
  mutating func update(requests: Int, used: Double) -> Bool {
    let earlierLimit = limit
    granted = max(granted, min(granted + Double(requests - requestCount) * Self.perRequest, used + maximum))
    requestCount = requests
    return limit != earlierLimit
  }
}
