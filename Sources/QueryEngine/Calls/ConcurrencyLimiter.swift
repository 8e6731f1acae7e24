import PlacesAPI
import PlacesKit
import Synchronization

/// Limits the running and the waiting calls of one provider. The limiter outlives the provider's client. If the settings change, the last
/// calls of the old client and the first calls of the new one share the limit. If the provider is disabled and enabled again, its counters
/// continue.
final class ConcurrencyLimiter: Sendable {
  struct QueuedCall: Sendable {
    let client: ProviderClient
    let call: SharedCall
  }

  /// The calls that may start. The stream ends when no client and no call refers to the limiter.
  let readyCalls: AsyncStream<QueuedCall>
  let statistics = Mutex(CallStatistics())
  /// The number of calls that were not made because the cache, or a call shared with another caller, answered instead.
  let avoidedCallCount = Atomic(0)
  private let readyCallsInput: AsyncStream<QueuedCall>.Continuation
  private let queue: Mutex<CallQueue<QueuedCall>>

  init(_ rate: Rate) {
    queue = Mutex(CallQueue(rate))
    // The stream needs no bound, because the queue starts at most `maxRunning` calls at once.
    (readyCalls, readyCallsInput) = AsyncStream.makeStream(of: QueuedCall.self, bufferingPolicy: .unbounded)
  }

  deinit { readyCallsInput.finish() }

  /// Statistics of the calls, including the number of avoided calls.
  var counters: ProviderStatus.Counters {
    var counters = statistics.withLock { $0.summary }
    counters.saved = avoidedCallCount.load(ordering: .relaxed)
    return counters
  }

  /// Runs the calls that may start. The parameter is the stream and not the limiter, because the stream ends only when nothing
  /// refers to the limiter.
  static func run(_ readyCalls: AsyncStream<QueuedCall>) async {
    await withDiscardingTaskGroup { group in
      for await next in readyCalls { group.addImmediateTask { await CallRunner(next.call, on: next.client).run() } }
    }
  }

  /// Applies a new rate, and starts the waiting calls that it allows.
  func setRate(_ rate: Rate) {
    for next in queue.withLock({ $0.setRate(rate) }) { readyCallsInput.yield(next) }
  }

  /// Records the seconds that the service took for one call.
  /// - Parameter isComplete: false if the call was abandoned before its end.
  func recordDuration(_ seconds: Double, isComplete: Bool) { queue.withLock { $0.recordDuration(seconds, isComplete: isComplete) } }

  /// Submits a user's call, and starts it if the limit allows it.
  /// - Parameter timeLeft: seconds until the call's deadline.
  func submit(_ call: QueuedCall, of user: UInt32, timeLeft: Double) -> CallQueue<QueuedCall>.SubmitResult {
    let result = queue.withLock { $0.submit(call, of: user, timeLeft: timeLeft) }
    if case .start = result { readyCallsInput.yield(call) }
    return result
  }

  /// Ends a user's call and starts the next one. Removes and returns the queued calls that can no longer be answered in time. Their callers
  /// should try again after `retryAfter` seconds.
  func release(_ user: UInt32, at now: Double) -> (lateCalls: [QueuedCall], retryAfter: Double) {
    let (next, lateCalls, retryAfter) = queue.withLock { queue in
      let (next, lateCalls) = queue.finish(of: user) { item, duration in
        !item.call.state.withLock { $0.isWanted(at: now + duration) }
      }
      return (next, lateCalls, queue.expectedWait)
    }
    if let next { readyCallsInput.yield(next) }
    return (lateCalls, retryAfter)
  }
}

/// Counts the running calls of one provider, up to the number that the service allows, and holds a bounded queue of waiting calls.
///
/// A call is queued only if it will probably be answered before its deadline. This estimate depends on the call's position in the queue,
/// the provider's rate and the mean duration of its calls. A call that can no longer be answered in time is dropped. Otherwise an
/// overloaded provider would answer only calls whose callers have left (B. Maurer, "Fail at Scale", ACM Queue 2015). The user with the
/// fewest running calls is next. If the queue is full, the newest call of the user with the most waiting calls is dropped.
struct CallQueue<Item> {
  enum SubmitResult {
    /// The call starts now.
    case start
    /// The call waits. If the queue was full, another call was dropped.
    case wait(dropped: Item?)
    /// The call cannot be answered in time, or the queue is full. The caller should try again after `retryAfter` seconds.
    case refuse(retryAfter: Double)
  }

  /// A call is queued only if its expected wait and duration take at most this share of the time until its deadline. The remainder is a
  /// margin.
  private static var usableShare: Double { 0.8 }
  /// The maximum number of waiting calls.
  private static var capacity: Int { 256 }

  private var runningCount = 0
  /// The number of running calls of each user that has any.
  private var runningCountByUser: [UInt32: Int] = [:]
  private var waitingCalls = RoundRobin<Item>()
  /// The maximum number of running calls, at least 1.
  private var maxRunning: Int
  /// The minimum seconds between the starts of two calls, by the provider's rate; 0 without a rate.
  private var interval: Double
  /// The mean duration of a call in seconds, exponentially weighted over about eight calls; 0 before the first call has ended.
  private var meanDuration = 0.0
  /// The duration of the call that ended last, in seconds.
  private var latestDuration = 0.0

  init(_ rate: Rate) { (maxRunning, interval) = Self.limits(rate) }

  private static func limits(_ rate: Rate) -> (maxRunning: Int, interval: Double) {
    let perSecond = rate.perSecond ?? 0
    return (max(1, rate.concurrent), perSecond > 0 && perSecond.isFinite ? 1 / perSecond : 0)
  }

  /// The expected seconds between the starts of two waiting calls.
  private var secondsPerStart: Double { max(interval, meanDuration / Double(maxRunning)) }

  /// The expected seconds until all waiting calls have started, at least 0.05.
  var expectedWait: Double { max(0.05, secondsPerStart * Double(waitingCalls.count + 1)) }

  /// Records the seconds that the service took for one call. If the call was abandoned before its end, its duration is known only to be
  /// longer, so it counts only if it exceeds the mean.
  mutating func recordDuration(_ seconds: Double, isComplete: Bool) {
    guard isComplete || seconds > meanDuration else { return }
    latestDuration = seconds
    meanDuration = meanDuration == 0 ? seconds : meanDuration + (seconds - meanDuration) / 8
  }

  /// Starts a user's call if the limit allows it. Otherwise queues it if it will probably be answered in time.
  /// - Parameter timeLeft: seconds until the call's deadline.
  mutating func submit(_ item: Item, of user: UInt32, timeLeft: Double) -> SubmitResult {
    if runningCount < maxRunning {
      begin(user)
      return .start
    }
    let expected = secondsPerStart * Double(waitingCalls.countBeforeNextItem(of: user) + 1) + meanDuration
    let usable = timeLeft * Self.usableShare
    guard expected <= usable else { return .refuse(retryAfter: max(0.05, expected - usable)) }
    var droppedItem: Item?
    if waitingCalls.count >= Self.capacity {
      droppedItem = waitingCalls.drop(for: user)
      if droppedItem == nil { return .refuse(retryAfter: expectedWait) }
    }
    waitingCalls.append(item, of: user)
    return .wait(dropped: droppedItem)
  }

  /// Ends a user's running call. Returns the call that starts next, and the waiting calls that were dropped because they are late.
  /// - Parameter isLate: returns true if a waiting call would miss its deadline if it started now and took the given seconds.
  mutating func finish(of user: UInt32, isLate: (Item, Double) -> Bool) -> (next: Item?, lateCalls: [Item]) {
    runningCount -= 1
    if let count = runningCountByUser[user] { runningCountByUser[user] = count > 1 ? count - 1 : nil }
    guard runningCount < maxRunning else { return (nil, []) }
    let (next, lateCalls) = waitingCalls.next(inProgress: runningCountByUser) { isLate($0, max(meanDuration, latestDuration)) }
    if let next { begin(next.user) }
    return (next?.item, lateCalls)
  }

  /// Applies a new rate and returns the calls that start. If the new limit is lower, running calls are not interrupted.
  mutating func setRate(_ rate: Rate) -> [Item] {
    (maxRunning, interval) = Self.limits(rate)
    var startedItems: [Item] = []
    while runningCount < maxRunning, let next = waitingCalls.next(inProgress: runningCountByUser).next {
      begin(next.user)
      startedItems.append(next.item)
    }
    return startedItems
  }

  private mutating func begin(_ user: UInt32) {
    runningCount += 1
    runningCountByUser[user, default: 0] += 1
  }
}
