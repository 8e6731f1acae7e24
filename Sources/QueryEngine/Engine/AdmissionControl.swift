import Resilience
import Storage
import PlacesKit
import Synchronization

/// Limits the number of concurrent requests. Further requests wait briefly. The newest request of the user with the fewest admitted
/// requests is admitted next. A request that is not admitted in time is served from the cache only.
final class AdmissionControl: Sendable {
  /// A request that waits until it is admitted or shed.
  private struct QueuedRequest: Sendable {
    let user: UInt32
    /// True if the request is admitted, false if it is shed. Only the first value counts.
    let admission = Promise<Bool>()
  }
  private let state: Mutex<SheddingQueue<QueuedRequest>>
  /// The maximum time in seconds that a request waits.
  private let maxWait: Double
  private let time: any TimeSource

  init(maxConcurrentRequests: Int, maxWait: Double = 0.1, time: any TimeSource) {
    self.time = time
    self.maxWait = maxWait
    state = Mutex(SheddingQueue(capacity: maxConcurrentRequests, maxWaiting: maxConcurrentRequests, maxWait: maxWait))
  }

  /// Seconds after which the client of a shed request may retry.
  var retryAfter: Double { state.withLock { $0.retryAfter } }

  /// Returns true if the request is admitted. The caller must then call `leave` after the request. Waits briefly, and never beyond the
  /// deadline (monotonic seconds).
  func enter(_ user: UInt32, before deadline: Double) async -> Bool {
    let arrival = state.withLock { $0.arrive(QueuedRequest(user: user), of: user, at: time.monotonic()) }
    guard case .queued(let request, let shedRequests) = arrival else { return true }
    for other in shedRequests { other.admission.fulfil(false) }
    return await wait(request, until: min(deadline, time.monotonic() + maxWait))
  }

  /// Ends an admitted request and admits the next one.
  /// - Parameter seconds: the duration of the request; nil if it did not run.
  func leave(_ user: UInt32, after seconds: Double?) {
    let (next, shedRequests) = state.withLock { $0.finish(of: user, after: seconds, at: time.monotonic()) }
    for other in shedRequests { other.admission.fulfil(false) }
    // The next request may have timed out just before it was admitted. Then it leaves at once.
    if let next, !next.admission.fulfil(true), next.admission.current == false { leave(next.user, after: nil) }
  }

  private func wait(_ request: QueuedRequest, until deadline: Double) async -> Bool {
    await withTaskGroup(of: Void.self) { group in
      group.addTask(name: "admission") { _ = await request.admission.value() }
      group.addTask(name: "admission timeout") { try? await self.time.sleep(until: deadline) }
      await group.next()
      group.cancelAll()
      // If the request has not been admitted or shed, it has timed out and is removed from the queue.
      if request.admission.fulfil(false) { state.withLock { $0.remove { $0.admission === request.admission } } }
      return request.admission.current ?? false
    }
  }
}
