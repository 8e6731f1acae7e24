import Resilience
import Storage
import PlacesKit
import Synchronization

/// Limits the number of concurrent requests. Further requests wait briefly: the newest is admitted first, with users in turn, and a request
/// that waited too long is served from the cache only.
final class AdmissionControl: Sendable {
  private struct Turn: Sendable {
    let user: UInt32
    let isGiven = Promise<Bool>()
  }
  private let state: Mutex<LoadShedding<Turn>>
  private let maxWait: Double
  private let time: any TimeSource

  init(requestsAtOnce: Int, maxWait: Double = 0.1, time: any TimeSource) {
    self.time = time
    self.maxWait = maxWait
    state = Mutex(LoadShedding(capacity: requestsAtOnce, maxWaiting: requestsAtOnce, maxWait: maxWait))
  }

  /// Seconds after which the client of a shed request may retry.
  var retryAfter: Double { state.withLock { $0.retryAfter } }

  /// Returns true if the request is admitted; it must then call `leave`. Waits briefly, and never beyond the deadline (monotonic seconds).
  func enter(_ user: UInt32, before deadline: Double) async -> Bool {
    let arrival = state.withLock { $0.arrive(Turn(user: user), of: user, at: time.monotonic()) }
    guard case .waits(let turn, let shed) = arrival else { return true }
    for other in shed { other.isGiven.fulfil(false) }
    return await wait(turn, until: min(deadline, time.monotonic() + maxWait))
  }

  func leave(_ user: UInt32, after seconds: Double) {
    let (next, shed) = state.withLock { $0.finish(of: user, after: seconds, at: time.monotonic()) }
    for other in shed { other.isGiven.fulfil(false) }
    // If the next request timed out at the same moment, its place is released at once.
    if let next, !next.isGiven.fulfil(true), next.isGiven.current == false { leave(next.user, after: seconds) }
  }

  private func wait(_ turn: Turn, until moment: Double) async -> Bool {
    await withTaskGroup(of: Void.self) { group in
      group.addTask(name: "turn") { _ = await turn.isGiven.value() }
      group.addTask(name: "patience") { try? await self.time.sleep(until: moment) }
      await group.next()
      group.cancelAll()
      // The first value counts: false removes the request from the queue, true has admitted it.
      if turn.isGiven.fulfil(false) { state.withLock { $0.remove { $0.isGiven === turn.isGiven } } }
      return turn.isGiven.current ?? false
    }
  }
}
