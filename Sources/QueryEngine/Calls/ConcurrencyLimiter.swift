import PlacesAPI
import PlacesKit
import Synchronization

/// Limits the number of running calls of one provider to the number that the service allows, and keeps a bounded queue of waiting calls.
///
/// A call is queued only if it will probably be answered before its deadline. This estimate depends on the call's position in the queue,
/// the provider's rate and the mean duration of its calls. A call that can no longer be answered in time is dropped. Otherwise an
/// overloaded provider would answer only calls whose callers have left (B. Maurer, "Fail at Scale", ACM Queue 2015). The user with the
/// fewest running calls is next. If the queue is full, the newest call of the user with the most waiting calls is dropped.
///
/// The limiter outlives the provider's client. If the settings change, the last calls of the old client and the first calls of the new one
/// share the limit. If the provider is disabled and enabled again, its counters continue.
final class ConcurrencyLimiter: Sendable {
  private struct State {
    /// The number of running calls by user. A user without running calls has no entry.
    var runningCountByUser: [UInt32: Int] = [:]
    var waitingCalls = RoundRobin<SharedCall>()
    var rate: Rate
    /// The mean duration of a call in seconds, exponentially weighted over about eight calls; 0 before the first call has ended.
    var meanDuration = 0.0
    /// The duration of the call that ended last, in seconds.
    var latestDuration = 0.0

    var maxRunning: Int { max(1, rate.concurrent) }
    var canStart: Bool { runningCountByUser.values.reduce(0, +) < maxRunning }

    /// The expected seconds between the starts of two waiting calls.
    var secondsPerStart: Double {
      let interval = rate.perSecond.map { $0 > 0 && $0.isFinite ? 1 / $0 : 0 } ?? 0
      return max(interval, meanDuration / Double(maxRunning))
    }

    /// The expected seconds until the start of a call that is now added to the end of the queue; at least 0.05.
    var expectedWait: Double { max(0.05, secondsPerStart * Double(waitingCalls.count + 1)) }
  }

  /// A call is queued only if its expected wait and duration together take at most this share of the time until its deadline. The remainder
  /// is a margin.
  private static let usableShare = 0.8
  /// The maximum number of waiting calls.
  private static let capacity = 256

  /// The calls that may start. The stream ends when no client and no call refers to the limiter.
  let readyCalls: AsyncStream<SharedCall>
  let statistics = Mutex(CallStatistics())
  private let readyCallsInput: AsyncStream<SharedCall>.Continuation
  private let state: Mutex<State>

  init(_ rate: Rate) {
    state = Mutex(State(rate: rate))
    // The stream needs no bound: it holds at most `maxRunning` calls, because each call in it already counts as running.
    (readyCalls, readyCallsInput) = AsyncStream.makeStream(of: SharedCall.self, bufferingPolicy: .unbounded)
  }

  deinit { readyCallsInput.finish() }

  var counters: ProviderStatus.Counters { statistics.withLock { $0.summary } }

  /// Runs the calls that may start. The parameter is the stream and not the limiter, because the stream ends only when nothing
  /// refers to the limiter.
  static func run(_ readyCalls: AsyncStream<SharedCall>) async {
    await withDiscardingTaskGroup { group in
      for await next in readyCalls { group.addImmediateTask { await CallRunner(next).run() } }
    }
  }

  /// Applies a new rate, and starts the waiting calls that the rate allows. If the new limit is lower, running calls are not interrupted.
  func setRate(_ rate: Rate) {
    state.withLock { state in
      state.rate = rate
      while state.canStart, let next = state.waitingCalls.next(inProgress: state.runningCountByUser).next { start(next, &state) }
    }
  }

  /// Records the seconds that the service took for one call. If the call was abandoned before its end (`isComplete` is false), `seconds` is
  /// only a lower bound of its duration. It is then recorded only if it exceeds the mean.
  func recordDuration(_ seconds: Double, isComplete: Bool) {
    state.withLock { state in
      guard isComplete || seconds > state.meanDuration else { return }
      state.latestDuration = seconds
      state.meanDuration = state.meanDuration == 0 ? seconds : state.meanDuration + (seconds - state.meanDuration) / 8
    }
  }

  /// Starts a call if the limit allows it. Otherwise queues the call if it will probably be answered in time. If the queue is full, either
  /// another call is dropped to make room, or this call is refused.
  /// - Parameter timeLeft: seconds until the call's deadline.
  /// - Returns: nil if the call starts or waits; otherwise the seconds after which its caller should try again.
  func submit(_ call: SharedCall, timeLeft: Double) -> Double? {
    let (retryAfter, droppedCall) = state.withLock { state -> (Double?, SharedCall?) in
      if state.canStart {
        start(call, &state)
        return (nil, nil)
      }
      let user = call.user
      let expectedSeconds = state.secondsPerStart * Double(state.waitingCalls.countBeforeNextItem(of: user) + 1) + state.meanDuration
      let usableSeconds = timeLeft * Self.usableShare
      guard expectedSeconds <= usableSeconds else { return (max(0.05, expectedSeconds - usableSeconds), nil) }
      var droppedCall: SharedCall?
      if state.waitingCalls.count >= Self.capacity {
        droppedCall = state.waitingCalls.drop(for: user)
        if droppedCall == nil { return (state.expectedWait, nil) }
      }
      state.waitingCalls.append(call, of: user)
      return (nil, droppedCall)
    }
    if let droppedCall { droppedCall.client.drop(droppedCall, retryAfter: 1) }
    return retryAfter
  }

  /// Ends a user's running call, starts the next one, and drops the waiting calls that would miss their deadline if they started now.
  func release(_ user: UInt32, at now: Double) {
    let (lateCalls, retryAfter) = state.withLock { state -> ([SharedCall], Double) in
      if let count = state.runningCountByUser[user] { state.runningCountByUser[user] = count > 1 ? count - 1 : nil }
      guard state.canStart else { return ([], 0) }
      // If the service has just become slower, the latest duration is a better estimate than the mean.
      let expectedEnd = now + max(state.meanDuration, state.latestDuration)
      let (next, lateCalls) = state.waitingCalls.next(inProgress: state.runningCountByUser) { waiting in
        !waiting.state.withLock { $0.isWanted(at: expectedEnd) }
      }
      if let next { start(next, &state) }
      return (lateCalls, state.expectedWait)
    }
    for late in lateCalls { late.client.drop(late, retryAfter: retryAfter) }
  }

  private func start(_ call: SharedCall, _ state: inout State) {
    state.runningCountByUser[call.user, default: 0] += 1
    readyCallsInput.yield(call)
  }
}
