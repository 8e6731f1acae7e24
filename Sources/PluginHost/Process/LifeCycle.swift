/// When a provider's process is started, started again, and given up: a value without clock or process, whose transitions say
/// what to do.
struct LifeCycle: Equatable, Sendable {
  struct Policy: Equatable, Sendable {
    /// Seconds before the second restart within `window` seconds, the first of which follows at once; twice as many before each further one.
    var firstDelay = 0.1
    var longestDelay = 60.0
    /// So many ends within `window` seconds turn the provider off for `window` seconds.
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
    /// It ended too often: no process runs until then, or until it is resumed.
    case off(until: Double)
    case stopped
  }

  enum Action: Equatable, Sendable {
    case start
    case wait(until: Double)
    /// Nothing is to be done until then, or until `resume` or `stop`.
    case rest(until: Double)
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
    case .off(let until): return .rest(until: until)
    case .stopped: return .finish
    }
    crashes = crashes.filter { now - $0 < policy.window } + [now]
    guard crashes.count < policy.mostCrashes else {
      let until = now + policy.window
      state = .off(until: until)
      return .rest(until: until)
    }
    guard crashes.count > 1 else { return restart() }
    // 2⁶⁴ times the first delay is longer than any; the exponent stays finite.
    let delay = policy.firstDelay * Double(1 << UInt64(min(crashes.count - 2, 62)))
    let until = now + min(delay, policy.longestDelay)
    state = .waiting(until: until)
    return .wait(until: until)
  }

  /// The time to wait, or to be off, is over.
  mutating func waited() -> Action {
    switch state {
    case .waiting, .off: restart()
    case .starting, .ready, .stopped: .finish
    }
  }

  /// An administrator turns it on again: its earlier ends no longer count.
  mutating func resume() -> Action {
    crashes = []
    return waited()
  }

  private mutating func restart() -> Action {
    state = .starting
    restarts += 1
    return .start
  }

  /// Whether it ended too often.
  var isOff: Bool { if case .off = state { true } else { false } }

  mutating func stop() -> Action {
    state = .stopped
    return .finish
  }
}
