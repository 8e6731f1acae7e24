import Synchronization

/// The bounded queue of pending writes. If the disk is too slow, the newest writes are dropped; the answers will be requested again.
final class CacheInbox: Sendable {
  static let capacity = 1_024
  private struct State {
    var writes: [CacheWrite] = []
    /// Writes that were taken but are not on disk yet.
    var leaving: [CacheWrite] = []
    var dropped = 0
  }
  private let state = Mutex(State())
  let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func add(_ write: CacheWrite) {
    let isFirst = state.withLock { state in
      guard state.writes.count < CacheInbox.capacity else {
        state.dropped += 1
        return false
      }
      state.writes.append(write)
      return state.writes.count == 1
    }
    if isFirst { signal.yield() }
  }

  /// Takes all writes, and the number of writes dropped since the last call. Call `written` afterwards.
  func take() -> (writes: [CacheWrite], dropped: Int) {
    state.withLock { state in
      defer { state = State(leaving: state.writes) }
      return (state.writes, state.dropped)
    }
  }

  /// Ends the writes that were taken: they are on disk or failed.
  func written() { state.withLock { $0.leaving = [] } }

  /// True if a write of this place is pending or in progress.
  func holds(_ key: PlaceKey) -> Bool {
    func isOfPlace(_ write: CacheWrite) -> Bool { if case .place(key, _, _, _) = write { true } else { false } }
    return state.withLock { $0.writes.contains(where: isOfPlace) || $0.leaving.contains(where: isOfPlace) }
  }

  var count: Int { state.withLock { $0.writes.count } }
}
