import Synchronization

/// The bounded queue of pending writes. If the disk is too slow, new writes are dropped, and their answers will be requested again.
final class CacheInbox: Sendable {
  /// The maximum number of pending writes.
  static let capacity = 1_024
  private struct State {
    var writes: [CacheWrite] = []
    /// The writes that `take` has returned and that are not on disk yet.
    var inProgress: [CacheWrite] = []
    var droppedCount = 0
  }
  private let state = Mutex(State())
  /// Has an element when writes are pending.
  let writeSignals: AsyncStream<Void>
  private let writeSignal: AsyncStream<Void>.Continuation

  init() { (writeSignals, writeSignal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Adds a write. If the queue is full, drops and counts the write.
  func add(_ write: CacheWrite) {
    let isFirst = state.withLock { state in
      guard state.writes.count < CacheInbox.capacity else {
        state.droppedCount += 1
        return false
      }
      state.writes.append(write)
      return state.writes.count == 1
    }
    if isFirst { writeSignal.yield() }
  }

  /// Removes and returns all writes, and the number of writes that were dropped since the last call. The caller must then call
  /// `finishWriting`.
  func take() -> (writes: [CacheWrite], droppedCount: Int) {
    state.withLock { state in
      defer { state = State(inProgress: state.writes) }
      return (state.writes, state.droppedCount)
    }
  }

  /// Records that the writes which `take` returned are on disk or have failed.
  func finishWriting() { state.withLock { $0.inProgress = [] } }

  /// True if a write of this place is pending or in progress.
  func containsWrite(of key: PlaceKey) -> Bool {
    func isOfPlace(_ write: CacheWrite) -> Bool { if case .place(key, _, _, _) = write { true } else { false } }
    return state.withLock { $0.writes.contains(where: isOfPlace) || $0.inProgress.contains(where: isOfPlace) }
  }

  var count: Int { state.withLock { $0.writes.count } }
}
