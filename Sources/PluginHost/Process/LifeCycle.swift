/// Decides when a provider's process is started, restarted and turned off. It is a state machine that uses no clock and no process. Its
/// transitions return the next action, which `Supervisor` performs.
struct LifeCycle: Equatable, Sendable {
  /// The delays and limits of restarts.
  struct Policy: Equatable, Sendable {
    /// The delay before the second restart within `window` seconds, in seconds. Each further restart doubles the delay. The
    /// first restart has none.
    var firstDelay = 0.1
    /// The maximum delay before a restart, in seconds.
    var maxDelay = 60.0
    /// This number of crashes within `window` seconds turns the provider off for `window` seconds.
    var maxCrashes = 5
    /// The seconds in which crashes are counted, and for which the provider is off after too many of them.
    var window = 600.0
    /// The seconds that the first start may take, because the kernel may have to read the program from the disk.
    var firstStartLimit = 5.0
    /// The seconds that each further start may take.
    var furtherStartLimit = 1.0
  }

  enum State: Equatable, Sendable {
    /// A process is being started, and its handshake is not done.
    case starting
    /// The handshake was done at the time `since`.
    case ready(since: Double)
    /// No process runs until the time `until`.
    case waiting(until: Double)
    /// The provider crashed too often: no process runs until the time `until`, or until the provider is resumed.
    case off(until: Double)
    /// The provider was stopped, and is not started again.
    case stopped
  }

  /// The next action of the supervisor.
  enum Action: Equatable, Sendable {
    /// Start a process.
    case start
    /// Wait until the time `until`, and then call `waitEnded`.
    case wait(until: Double)
    /// Start no process until the time `until`, or until `resume` is called.
    case stayOff(until: Double)
    /// End the supervision: the provider was stopped.
    case finish
  }

  let policy: Policy
  private(set) var state = State.starting
  /// The monotonic times at which a process ended without a request to end, in the last `window` seconds.
  private(set) var crashes: [Double] = []
  /// The number of restarts since the beginning.
  private(set) var restarts = 0

  init(policy: Policy = Policy()) { self.policy = policy }

  /// Records that the handshake is done.
  mutating func started(at now: Double) {
    if state == .starting { state = .ready(since: now) }
  }

  /// Records that the process has ended or could not be started. Returns the next action.
  mutating func ended(at now: Double) -> Action {
    switch state {
    case .starting, .ready: break
    // No process was running.
    case .waiting(let until): return .wait(until: until)
    case .off(let until): return .stayOff(until: until)
    case .stopped: return .finish
    }
    crashes = crashes.filter { now - $0 < policy.window } + [now]
    guard crashes.count < policy.maxCrashes else {
      let until = now + policy.window
      state = .off(until: until)
      return .stayOff(until: until)
    }
    guard crashes.count > 1 else { return restart() }
    // The exponent is limited, so that the shift does not overflow.
    let delay = policy.firstDelay * Double(1 << UInt64(min(crashes.count - 2, 62)))
    let until = now + min(delay, policy.maxDelay)
    state = .waiting(until: until)
    return .wait(until: until)
  }

  /// Records that the delay before a restart is over, or that the provider has been off for long enough. Returns the next action. If the
  /// provider was stopped during the wait, the supervision ends.
  mutating func waitEnded() -> Action {
    switch state {
    case .waiting, .off: restart()
    case .starting, .ready, .stopped: .finish
    }
  }

  /// Records that an administrator resumes the provider. Its earlier crashes no longer count. Returns the next action.
  mutating func resume() -> Action {
    crashes = []
    return waitEnded()
  }

  private mutating func restart() -> Action {
    state = .starting
    restarts += 1
    return .start
  }

  /// True if the provider is off, because it crashed too often.
  var isOff: Bool { if case .off = state { true } else { false } }

  mutating func stop() -> Action {
    state = .stopped
    return .finish
  }
}
