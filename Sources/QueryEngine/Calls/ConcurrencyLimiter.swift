import PlacesAPI
import Synchronization

/// Which calls of one provider are under way and which wait for their turn. It outlives the provider's client: if the settings change, the old
/// client's last calls and the new one's first count together against what the service takes at once; if the provider is switched off and
/// on again, its counters go on.
final class ConcurrencyLimiter: Sendable {
  struct QueuedCall: Sendable {
    let client: ProviderClient
    let call: SharedCall
  }

  /// Calls that may wait for their turn.
  private static let capacity = 256

  /// Calls whose turn has come. Ends when neither a client nor a call has the limiter any more.
  let ready: AsyncStream<QueuedCall>
  /// How the calls went.
  let statistics = Mutex(CallStatistics())
  /// How many were not made, since the cache or a shared call answered instead.
  let saved = Atomic(0)
  private let readySignal: AsyncStream<QueuedCall>.Continuation
  private let queue: Mutex<FairQueue<QueuedCall>>

  init(concurrent: Int) {
    queue = Mutex(FairQueue(concurrent: concurrent, capacity: ConcurrencyLimiter.capacity))
    // The queue starts at most `concurrent` calls at once, so that this stream is bounded by it.
    (ready, readySignal) = AsyncStream.makeStream(of: QueuedCall.self, bufferingPolicy: .unbounded)
  }

  deinit { readySignal.finish() }

  /// How the calls went, and how many were not made.
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

  /// Lets so many calls run at once from now on.
  func allow(_ concurrent: Int) {
    for next in queue.withLock({ $0.allow(concurrent) }) { readySignal.yield(next) }
  }

  /// Takes in a user's call, perhaps in the place of another one, which is returned.
  func submit(_ call: QueuedCall, of user: UInt32) -> FairQueue<QueuedCall>.Admission {
    let admission = queue.withLock { $0.submit(call, of: user) }
    if case .start = admission { readySignal.yield(call) }
    return admission
  }

  /// A user's call is over: the next one starts.
  func release(_ user: UInt32) {
    if let next = queue.withLock({ $0.finish(of: user) }) { readySignal.yield(next) }
  }
}

/// The calls of one provider that run, as many as the service allows at once, and those that wait, up to a bound. The user with the fewest
/// running calls is next; if the queue is full, the user with the most waiting calls loses the newest.
struct FairQueue<Item> {
  enum Admission {
    case start
    /// It waits, perhaps in the place of another one.
    case wait(dropped: Item?)
    case refuse
  }

  private var running = 0
  /// Running calls by user; a user who has none is left out.
  private var runningOfUser: [UInt32: Int] = [:]
  private var waiting = RoundRobin<Item>()
  private var concurrent: Int
  private let capacity: Int

  /// - Parameters:
  ///   - concurrent: calls at once, at least 1.
  ///   - capacity: calls that may wait.
  init(concurrent: Int, capacity: Int) {
    self.concurrent = max(1, concurrent)
    self.capacity = max(0, capacity)
  }

  /// Takes a user's call in.
  mutating func submit(_ item: Item, of user: UInt32) -> Admission {
    if running < concurrent {
      begin(user)
      return .start
    }
    var dropped: Item?
    if waiting.count >= capacity {
      dropped = waiting.drop(for: user)
      if dropped == nil { return .refuse }
    }
    waiting.append(item, of: user)
    return .wait(dropped: dropped)
  }

  /// A user's running call has ended; returns the one that starts.
  mutating func finish(of user: UInt32) -> Item? {
    running -= 1
    if let count = runningOfUser[user] { runningOfUser[user] = count > 1 ? count - 1 : nil }
    return next()
  }

  /// Lets more or fewer calls run at once, at least 1; returns those that start. If more run already, they run to their end.
  mutating func allow(_ concurrent: Int) -> [Item] {
    self.concurrent = max(1, concurrent)
    var started: [Item] = []
    while let item = next() { started.append(item) }
    return started
  }

  private mutating func next() -> Item? {
    guard running < concurrent, let next = waiting.next(having: runningOfUser) else { return nil }
    begin(next.user)
    return next.item
  }

  private mutating func begin(_ user: UInt32) {
    running += 1
    runningOfUser[user, default: 0] += 1
  }
}
