import PlacesAPI
import Synchronization

/// Which calls of one provider are under way and which wait for their turn. They outlive the provider's lane: where its settings change,
/// the old lane's last calls and the new one's first count together against what the service takes at once. Where it is switched off and
/// on again, what is counted goes on.
final class ConcurrencyLimiter: Sendable {
  struct Departure: Sendable {
    let client: ProviderClient
    let sharedCall: SharedCall
  }

  /// Calls that may wait for a free berth.
  private static let capacity = 256

  /// Calls whose turn has come. Ends when nobody holds the berths any more, neither a lane nor a call.
  let departures: AsyncStream<Departure>
  /// How the calls went.
  let statistics = Mutex(CallStatistics())
  /// How many were not made, since the cache or a shared call answered instead.
  let saved = Atomic(0)
  private let departure: AsyncStream<Departure>.Continuation
  private let queue: Mutex<FairQueue<Departure>>

  init(concurrent: Int) {
    queue = Mutex(FairQueue(concurrent: concurrent, capacity: ConcurrencyLimiter.capacity))
    // The queue lets at most `concurrent` calls depart at once, so this stream is bounded by it.
    (departures, departure) = AsyncStream.makeStream(of: Departure.self, bufferingPolicy: .unbounded)
  }

  deinit { departure.finish() }

  /// How the calls went, those among them that were not made.
  var counters: ProviderStatus.Counters {
    var counters = statistics.withLock { $0.summary }
    counters.saved = saved.load(ordering: .relaxed)
    return counters
  }

  /// Makes calls as their turn comes. Takes the stream alone, so that it does not keep alive what ends it.
  static func run(_ departures: AsyncStream<Departure>) async {
    await withDiscardingTaskGroup { group in
      for await departure in departures {
        group.addImmediateTask { await departure.client.fly(departure.sharedCall) }
      }
    }
  }

  /// Lets so many calls go at once from now on.
  func allow(_ concurrent: Int) {
    for next in queue.withLock({ $0.allow(concurrent) }) { departure.yield(next) }
  }

  /// Takes in a user's call that is made only where there is room for it; nil where there is none.
  /// - Returns: the call, and another one that lost its place to it.
  func submit(of user: UInt32, _ make: () -> Departure) -> (sharedCall: SharedCall?, shed: Departure?) {
    let (taken, shed, starts) = queue.withLock { queue -> (Departure?, Departure?, Bool) in
      guard queue.hasRoom(for: user) else { return (nil, nil, false) }
      let departure = make()
      switch queue.submit(departure, of: user) {
      case .start: return (departure, nil, true)
      case .wait(let shed): return (departure, shed, false)
      case .refuse: return (nil, nil, false)
      }
    }
    if starts, let taken { departure.yield(taken) }
    return (taken?.sharedCall, shed)
  }

  /// A user's call is over: the next one departs.
  func free(_ user: UInt32) {
    if let next = queue.withLock({ $0.finish(of: user) }) { departure.yield(next) }
  }
}
