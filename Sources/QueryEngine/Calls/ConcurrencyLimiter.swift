import PlacesAPI
import PlacesKit
import Synchronization

/// The running and waiting calls of one provider. It outlives the provider's client: if the settings change, the
/// last calls of the old client and the first of the new one share the limit; if the provider is disabled and enabled again, its counters
/// continue.
final class ConcurrencyLimiter: Sendable {
  struct QueuedCall: Sendable {
    let client: ProviderClient
    let call: SharedCall
  }

  /// The maximum number of calls that wait for their turn.
  private static let capacity = 256

  /// The calls that may start. The stream ends when no client and no call refers to the limiter.
  let ready: AsyncStream<QueuedCall>
  /// Statistics of the calls.
  let statistics = Mutex(CallStatistics())
  /// The number of calls that were not made, since the cache or a shared call answered instead.
  let avoidedCalls = Atomic(0)
  private let readySignal: AsyncStream<QueuedCall>.Continuation
  private let queue: Mutex<CallQueue<QueuedCall>>

  init(_ rate: Rate) {
    queue = Mutex(CallQueue(rate, capacity: ConcurrencyLimiter.capacity))
    // The stream is bounded because the queue starts at most `concurrent` calls at once.
    (ready, readySignal) = AsyncStream.makeStream(of: QueuedCall.self, bufferingPolicy: .unbounded)
  }

  deinit { readySignal.finish() }

  /// Statistics of the calls, and the number of those not made.
  var counters: ProviderStatus.Counters {
    var counters = statistics.withLock { $0.summary }
    counters.saved = avoidedCalls.load(ordering: .relaxed)
    return counters
  }

  /// Runs the calls that may start. It takes only the stream, because a reference to the limiter would keep the stream from ending.
  static func run(_ ready: AsyncStream<QueuedCall>) async {
    await withDiscardingTaskGroup { group in
      for await next in ready { group.addImmediateTask { await CallRunner(next.call, on: next.client).run() } }
    }
  }

  /// Applies a provider's rate to later calls.
  func allow(_ rate: Rate) {
    for next in queue.withLock({ $0.allow(rate) }) { readySignal.yield(next) }
  }

  /// Records the seconds that the service took for one call.
  /// - Parameter isComplete: false if the call was abandoned before its end.
  func recordService(_ seconds: Double, isComplete: Bool) { queue.withLock { $0.recordService(seconds, isComplete: isComplete) } }

  /// Submits a user's call, which may replace a queued one; that one is returned.
  /// - Parameter time: seconds until the call's deadline.
  func submit(_ call: QueuedCall, of user: UInt32, time: Double) -> CallQueue<QueuedCall>.SubmitResult {
    let admission = queue.withLock { $0.submit(call, of: user, time: time) }
    if case .start = admission { readySignal.yield(call) }
    return admission
  }

  /// Ends a user's call and starts the next one. Returns the queued calls that can no longer be answered in time, and the seconds after
  /// which a new call could be.
  func release(_ user: UInt32, at now: Double) -> (late: [QueuedCall], retryAfter: Double) {
    let (next, late, retryAfter) = queue.withLock { queue in
      let (next, late) = queue.finish(of: user) { item, service in
        !item.call.state.withLock { $0.isWanted(at: now + service) }
      }
      return (next, late, queue.expectedWait)
    }
    if let next { readySignal.yield(next) }
    return (late, retryAfter)
  }
}

/// The running calls of one provider, up to the number that the service allows, and a bounded queue of waiting calls.
///
/// A call is queued only if it can be expected to be answered before its deadline, by its position in the queue, the provider's rate and
/// the service's mean time. A call that can no longer be answered in time is dropped, so that callers still wait for the answers of an
/// overloaded provider (B. Maurer, "Fail at Scale", ACM Queue 2015). The user with the fewest running calls is next; if the queue is full,
/// the newest call of the user with the most waiting calls is dropped.
struct CallQueue<Item> {
  enum SubmitResult {
    case start
    /// The call waits, possibly in place of another one.
    case wait(dropped: Item?)
    /// The call cannot be answered in time; the seconds after which an equal one could be.
    case refuse(retryAfter: Double)
  }

  /// The share of the time until its deadline that the expected wait and service time of a call may take; the remainder is a margin.
  private static var usableShare: Double { 0.8 }

  private var running = 0
  /// Running calls by user, for users with at least one.
  private var runningOfUser: [UInt32: Int] = [:]
  private var waiting = RoundRobin<Item>()
  /// The maximum number of running calls, at least 1.
  private var concurrent: Int
  /// The minimum seconds between the starts of two calls, by the provider's rate; 0 without a rate.
  private var interval: Double
  private let capacity: Int
  /// The mean duration of a call in seconds, exponentially weighted over about eight calls, and the duration of the latest one; 0 before
  /// the first call has ended.
  private var (meanService, latestService) = (0.0, 0.0)

  /// - Parameter capacity: calls that may wait.
  init(_ rate: Rate, capacity: Int) {
    (concurrent, interval) = Self.limits(rate)
    self.capacity = max(0, capacity)
  }

  private static func limits(_ rate: Rate) -> (concurrent: Int, interval: Double) {
    (max(1, rate.concurrent), rate.perSecond.flatMap { $0 > 0 && $0.isFinite ? 1 / $0 : nil } ?? 0)
  }

  /// Seconds between the starts of calls while calls wait.
  private var pace: Double { max(interval, meanService / Double(concurrent)) }

  /// The expected seconds until all waiting calls have started, at least 0.05.
  var expectedWait: Double { max(0.05, pace * Double(waiting.count + 1)) }

  /// Records the seconds that the service took for one call.
  /// - Parameter isComplete: false if the call was abandoned before its end.
  mutating func recordService(_ seconds: Double, isComplete: Bool) {
    guard isComplete || seconds > meanService else { return }
    latestService = seconds
    meanService = meanService == 0 ? seconds : meanService + (seconds - meanService) / 8
  }

  /// Submits a user's call.
  /// - Parameter time: seconds until the call's deadline.
  mutating func submit(_ item: Item, of user: UInt32, time: Double = .infinity) -> SubmitResult {
    if running < concurrent {
      begin(user)
      return .start
    }
    let wait = pace * Double(waiting.before(user) + 1)
    guard wait + meanService <= time * Self.usableShare else {
      return .refuse(retryAfter: max(0.05, wait + meanService - time * Self.usableShare))
    }
    var dropped: Item?
    if waiting.count >= capacity {
      dropped = waiting.drop(for: user)
      if dropped == nil { return .refuse(retryAfter: expectedWait) }
    }
    waiting.append(item, of: user)
    return .wait(dropped: dropped)
  }

  /// Ends a user's running call. Returns the call that starts next, and those that were dropped.
  /// - Parameter isLate: true if a waiting call could not be answered in time if it started now and took the given seconds.
  mutating func finish(of user: UInt32, isLate: (Item, Double) -> Bool) -> (next: Item?, late: [Item]) {
    running -= 1
    if let count = runningOfUser[user] { runningOfUser[user] = count > 1 ? count - 1 : nil }
    guard running < concurrent else { return (nil, []) }
    let (next, late) = waiting.next(having: runningOfUser) { isLate($0, max(meanService, latestService)) }
    if let next { begin(next.user) }
    return (next?.item, late)
  }

  /// Applies a provider's rate and returns the calls that start. Calls beyond a lower limit run to their end.
  mutating func allow(_ rate: Rate) -> [Item] {
    (concurrent, interval) = Self.limits(rate)
    var started: [Item] = []
    while running < concurrent, let next = waiting.next(having: runningOfUser) {
      begin(next.user)
      started.append(next.item)
    }
    return started
  }

  private mutating func begin(_ user: UInt32) {
    running += 1
    runningOfUser[user, default: 0] += 1
  }
}
