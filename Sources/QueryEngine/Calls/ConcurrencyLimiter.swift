import PlacesAPI
import PlacesKit
import Synchronization

/// The calls of one provider in progress and those that wait for their turn. It outlives the provider's client: if the settings change, the old
/// client's last calls and the new one's first count together against what the service takes at once; if the provider is switched off and
/// on again, its counters continue.
final class ConcurrencyLimiter: Sendable {
  struct QueuedCall: Sendable {
    let client: ProviderClient
    let call: SharedCall
  }

  /// Calls that may wait for their turn.
  private static let capacity = 256

  /// Calls whose turn has come. Ends when neither a client nor a call has the limiter any more.
  let ready: AsyncStream<QueuedCall>
  /// Statistics of the calls.
  let statistics = Mutex(CallStatistics())
  /// The number of calls that were not made, since the cache or a shared call answered instead.
  let saved = Atomic(0)
  private let readySignal: AsyncStream<QueuedCall>.Continuation
  private let queue: Mutex<FairQueue<QueuedCall>>

  init(_ rate: Rate) {
    queue = Mutex(FairQueue(rate, capacity: ConcurrencyLimiter.capacity))
    // The queue starts at most `concurrent` calls at once, so that this stream is bounded by it.
    (ready, readySignal) = AsyncStream.makeStream(of: QueuedCall.self, bufferingPolicy: .unbounded)
  }

  deinit { readySignal.finish() }

  /// Statistics of the calls, and the number of those not made.
  var counters: ProviderStatus.Counters {
    var counters = statistics.withLock { $0.summary }
    counters.saved = saved.load(ordering: .relaxed)
    return counters
  }

  /// Makes calls as their turn comes. Takes the stream alone, so that it does not keep the limiter alive, which ends the stream.
  static func run(_ ready: AsyncStream<QueuedCall>) async {
    await withDiscardingTaskGroup { group in
      for await next in ready { group.addImmediateTask { await CallRunner(next.call, on: next.client).run() } }
    }
  }

  /// Applies a provider's rate from now on.
  func allow(_ rate: Rate) {
    for next in queue.withLock({ $0.allow(rate) }) { readySignal.yield(next) }
  }

  /// Records the seconds that the service took for one call.
  /// - Parameter isWhole: false if the call was abandoned before its end.
  func recordService(_ seconds: Double, isWhole: Bool) { queue.withLock { $0.recordService(seconds, isWhole: isWhole) } }

  /// Submits a user's call, perhaps in the place of another one, which is returned.
  /// - Parameter time: seconds until the call's deadline.
  func submit(_ call: QueuedCall, of user: UInt32, time: Double) -> FairQueue<QueuedCall>.Admission {
    let admission = queue.withLock { $0.submit(call, of: user, time: time) }
    if case .start = admission { readySignal.yield(call) }
    return admission
  }

  /// A user's call is over; the next one starts. Returns the calls that can no longer be answered in time, and the seconds after which a
  /// new one could be.
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

/// The calls of one provider that run, as many as the service allows at once, and those that wait, up to a bound.
///
/// A call is queued only if its place in the queue, the provider's rate and the service's mean time promise an answer before its deadline. A
/// call that can no longer be answered in time when a place becomes free is dropped, so that the answers of an overloaded provider still have
/// callers (B. Maurer, "Fail at Scale", ACM Queue 2015). The user with the fewest running calls is next; if the queue is full, the user with
/// the most waiting calls loses the newest.
struct FairQueue<Item> {
  enum Admission {
    case start
    /// It waits, perhaps in the place of another one.
    case wait(dropped: Item?)
    /// It cannot be answered in time; the seconds after which one like it could be.
    case refuse(retryAfter: Double)
  }

  /// The part of the time until its deadline that a call may be expected to take, waiting included: estimates are uncertain.
  private static var usableTime: Double { 0.8 }

  private var running = 0
  /// Running calls by user, for users with at least one.
  private var runningOfUser: [UInt32: Int] = [:]
  private var waiting = RoundRobin<Item>()
  /// Calls at once, at least 1.
  private var concurrent: Int
  /// Seconds between calls by the provider's rate; 0 without one.
  private var interval: Double
  private let capacity: Int
  /// The mean seconds that the service takes for a call, exponentially weighted over about eight calls, and those of the latest call; 0 before
  /// the first one ended.
  private var (service, latest) = (0.0, 0.0)

  /// - Parameter capacity: calls that may wait.
  init(_ rate: Rate, capacity: Int) {
    (concurrent, interval) = Self.limits(rate)
    self.capacity = max(0, capacity)
  }

  private static func limits(_ rate: Rate) -> (concurrent: Int, interval: Double) {
    (max(1, rate.concurrent), rate.perSecond.flatMap { $0 > 0 && $0.isFinite ? 1 / $0 : nil } ?? 0)
  }

  /// Seconds from one start of a call to the next while calls wait.
  private var pace: Double { max(interval, service / Double(concurrent)) }

  /// Seconds in which the calls that wait now are likely to have started, at least 0.05.
  var expectedWait: Double { max(0.05, pace * Double(waiting.count + 1)) }

  /// Records the seconds that the service took for one call.
  /// - Parameter isWhole: false if the call was abandoned before its end.
  mutating func recordService(_ seconds: Double, isWhole: Bool) {
    guard isWhole || seconds > service else { return }
    latest = seconds
    service = service == 0 ? seconds : service + (seconds - service) / 8
  }

  /// Submits a user's call.
  /// - Parameter time: seconds until the call's deadline.
  mutating func submit(_ item: Item, of user: UInt32, time: Double = .infinity) -> Admission {
    if running < concurrent {
      begin(user)
      return .start
    }
    let wait = pace * Double(waiting.before(user) + 1)
    guard wait + service <= time * Self.usableTime else {
      return .refuse(retryAfter: max(0.05, wait + service - time * Self.usableTime))
    }
    var dropped: Item?
    if waiting.count >= capacity {
      dropped = waiting.drop(for: user)
      if dropped == nil { return .refuse(retryAfter: expectedWait) }
    }
    waiting.append(item, of: user)
    return .wait(dropped: dropped)
  }

  /// A user's running call has ended; returns the one that starts, and those that were dropped.
  /// - Parameter isLate: true if a waiting call could not be answered in time if it started now and took the given seconds.
  mutating func finish(of user: UInt32, isLate: (Item, Double) -> Bool) -> (next: Item?, late: [Item]) {
    running -= 1
    if let count = runningOfUser[user] { runningOfUser[user] = count > 1 ? count - 1 : nil }
    guard running < concurrent else { return (nil, []) }
    let (next, late) = waiting.next(having: runningOfUser) { isLate($0, max(service, latest)) }
    if let next { begin(next.user) }
    return (next?.item, late)
  }

  /// Applies a provider's rate; returns the calls that start. If more run already, they run to their end.
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
