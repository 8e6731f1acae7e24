import Synchronization

/// What waits to be written, bounded: where the disk cannot keep up, the newest is dropped, since what is dropped is only asked again.
final class CacheInbox: Sendable {
  static let capacity = 1_024
  private let state = Mutex<(writes: [CacheWrite], dropped: Int)>(([], 0))
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

  /// Takes everything, and how many were dropped since the last time.
  func take() -> (writes: [CacheWrite], dropped: Int) {
    state.withLock { state in
      defer { state = ([], 0) }
      return state
    }
  }

  /// Whether anything of a place waits.
  func holds(_ key: PlaceKey) -> Bool {
    state.withLock { state in state.writes.contains { if case .place(key, _, _, _) = $0 { true } else { false } } }
  }

  var count: Int { state.withLock { $0.writes.count } }
}
