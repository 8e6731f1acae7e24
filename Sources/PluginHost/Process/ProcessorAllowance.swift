/// The processor time that a provider's process may use: some for each request, saved up to a bound, so that one that is busy with
/// nothing ends. The kernel keeps count of a process's whole life (RLIMIT_CPU), so its limit is raised as requests go out; a process
/// that reaches it is ended by SIGXCPU, and one that ignores that signal by the daemon.
struct ProcessorAllowance: Equatable, Sendable {
  /// Seconds for each request.
  static let perRequest = 0.5

  /// The most seconds that can be saved up, also those that a process begins with.
  let most: Double
  /// Seconds since the process began.
  private var granted: Double
  private var requests = 0

  init(most: Double) {
    self.most = most
    granted = most
  }

  /// The limit in whole seconds, as the kernel has it.
  var limit: UInt64 { UInt64(max(1, granted.rounded(.up))) }

  /// - Parameters:
  ///   - requests: how many have gone out since the process began.
  ///   - used: seconds that it has used.
  /// - Returns: whether the limit is another now.
  mutating func update(requests: Int, used: Double) -> Bool {
    let before = limit
    granted = max(granted, min(granted + Double(requests - self.requests) * Self.perRequest, used + most))
    self.requests = requests
    return limit != before
  }
}
