import PlacesKit
import Synchronization

/// A clock that advances only when a test advances it.
public final class ManualTime: TimeSource {
  private struct Sleeper {
    var wakesAt: Double
    var continuation: CheckedContinuation<Bool, Never>
  }
  private struct State {
    var now = 1_000.0
    var wall = 1_800_000_000.0
    var nextID = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
  }
  private let state = Mutex(State())

  public init() {}

  public func monotonic() -> Double { state.withLock { $0.now } }
  public func wall() -> Double { state.withLock { $0.wall } }

  /// The number of sleeping tasks.
  public var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// The next time at which a sleeper wakes.
  public var nextWake: Double? { state.withLock { $0.sleepers.values.map(\.wakesAt).min() } }

  /// Advances both clocks by this many seconds; tasks wake in the order of their times.
  public func advance(by seconds: Double) {
    let due = state.withLock { state in
      state.now += seconds
      state.wall += seconds
      let due = state.sleepers.filter { $0.value.wakesAt <= state.now }.sorted { ($0.value.wakesAt, $0.key) < ($1.value.wakesAt, $1.key) }
      for (id, _) in due { state.sleepers[id] = nil }
      return due
    }
    for (_, sleeper) in due { sleeper.continuation.resume(returning: true) }
  }

  /// Sets the machine's wall clock.
  public func setWall(_ seconds: Double) { state.withLock { $0.wall = seconds } }

  public func sleep(until monotonic: Double) async throws(CancellationError) {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    let woken = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if state.cancelled.remove(id) != nil || Task.isCancelled { return false }
          if monotonic <= state.now { return true }
          state.sleepers[id] = Sleeper(wakesAt: monotonic, continuation: continuation)
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: id)
        if sleeper == nil { state.cancelled.insert(id) }
        return sleeper
      }
      sleeper?.continuation.resume(returning: false)
    }
    state.withLock { _ = $0.cancelled.remove(id) }
    guard woken else { throw CancellationError() }
  }
}
