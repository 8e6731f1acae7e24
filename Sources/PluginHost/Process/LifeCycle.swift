/// When a provider's process is started, started again, and given up: a value without clock or process, whose transitions say
/// what to do.
struct LifeCycle: Equatable, Sendable {
  struct Policy: Equatable, Sendable {
    /// Seconds before the first restart; twice as many before each further one.
    var firstDelay = 0.1
    var longestDelay = 60.0
    /// So many ends within `window` seconds turn the provider off.
    var mostCrashes = 5
    var window = 600.0
    /// Seconds that the first start may take, from a cold disk, and each further one.
    var firstStart = 5.0
    var furtherStart = 1.0
  }

  enum State: Equatable, Sendable {
    case starting
    case ready(since: Double)
    /// Until then no process runs.
    case waiting(until: Double)
    /// No process runs until somebody resumes it.
    case off
    case stopped
  }

  enum Action: Equatable, Sendable {
    case start
    case wait(until: Double)
    /// Nothing is to be done until `resume` or `stop`.
    case rest
    case finish
  }

  let policy: Policy
  private(set) var state = State.starting
  /// When the process ended without being asked to, in the last `window` seconds.
  private(set) var crashes: [Double] = []
  /// How often it was started again, since the beginning.
  private(set) var restarts = 0

  init(policy: Policy = Policy()) { self.policy = policy }

  /// The handshake is done.
  mutating func started(at now: Double) {
    if state == .starting { state = .ready(since: now) }
  }

  /// The process has ended, or could not be started.
  mutating func ended(at now: Double) -> Action {
    switch state {
    case .starting, .ready: break
    // None was running.
    case .waiting(let until): return .wait(until: until)
    case .off: return .rest
    case .stopped: return .finish
    }
    crashes = crashes.filter { now - $0 < policy.window } + [now]
    guard crashes.count < policy.mostCrashes else {
      state = .off
      return .rest
    }
    // 2⁶⁴ times the first delay is longer than any; the exponent stays finite.
    let delay = policy.firstDelay * Double(1 << UInt64(min(crashes.count - 1, 62)))
    let until = now + min(delay, policy.longestDelay)
    state = .waiting(until: until)
    return .wait(until: until)
  }

  /// The time to wait is over.
  mutating func waited() -> Action {
    guard case .waiting = state else { return state == .stopped ? .finish : .rest }
    state = .starting
    restarts += 1
    return .start
  }

  /// Somebody turns it on again, and its past is forgotten.
  mutating func resume() -> Action {
    switch state {
    case .off, .waiting:
      state = .starting
      crashes = []
      restarts += 1
      return .start
    case .stopped: return .finish
    case .starting, .ready: return .rest
    }
  }

  mutating func stop() -> Action {
    state = .stopped
    return .finish
  }
}
