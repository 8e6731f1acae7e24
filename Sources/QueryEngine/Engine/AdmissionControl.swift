import Resilience
import Storage
import PlacesKit
import Synchronization

/// Limits the number of concurrent requests. Further requests wait briefly: the newest is admitted first, with users in turn, and a request
/// that waited too long is served from the cache only.
final class AdmissionControl: Sendable {
  private struct QueuedRequest: Sendable {
    let user: UInt32
    let isAdmitted = Promise<Bool>()
  }
  private let state: Mutex<LoadShedding<QueuedRequest>>
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
    let arrival = state.withLock { $0.arrive(QueuedRequest(user: user), of: user, at: time.monotonic()) }
    guard case .waits(let request, let shed) = arrival else { return true }
    for other in shed { other.isAdmitted.fulfil(false) }
    return await wait(request, until: min(deadline, time.monotonic() + maxWait))
  }

  func leave(_ user: UInt32, after seconds: Double) {
    let (next, shed) = state.withLock { $0.finish(of: user, after: seconds, at: time.monotonic()) }
    for other in shed { other.isAdmitted.fulfil(false) }
    // If the next request timed out at the same moment, its place is released at once.
    if let next, !next.isAdmitted.fulfil(true), next.isAdmitted.current == false { leave(next.user, after: seconds) }
  }

  private func wait(_ request: QueuedRequest, until moment: Double) async -> Bool {
    await withTaskGroup(of: Void.self) { group in
      group.addTask(name: "admission") { _ = await request.isAdmitted.value() }
      group.addTask(name: "admission timeout") { try? await self.time.sleep(until: moment) }
      await group.next()
      group.cancelAll()
      // The first value counts: false removes the request from the queue, true has admitted it.
      if request.isAdmitted.fulfil(false) { state.withLock { $0.remove { $0.isAdmitted === request.isAdmitted } } }
      return request.isAdmitted.current ?? false
    }
  }
}
