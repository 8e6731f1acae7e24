import Synchronization

/// What waits to be written, bounded: where the disk cannot keep up, the newest is dropped, since what is dropped is only asked again.
final class CacheInbox: Sendable {
  static let capacity = 1_024
  private struct State {
    var writes: [CacheWrite] = []
    /// Those that were taken and are not on the disk yet.
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

  /// Takes everything, and how many were dropped since the last time. To be followed by `written`.
  func take() -> (writes: [CacheWrite], dropped: Int) {
    state.withLock { state in
      defer { state = State(leaving: state.writes) }
      return (state.writes, state.dropped)
    }
  }

  /// What was taken is on the disk, or never will be.
  func written() { state.withLock { $0.leaving = [] } }

  /// Whether anything of a place waits or is just being written.
  func holds(_ key: PlaceKey) -> Bool {
    func isOfPlace(_ write: CacheWrite) -> Bool { if case .place(key, _, _, _) = write { true } else { false } }
    return state.withLock { $0.writes.contains(where: isOfPlace) || $0.leaving.contains(where: isOfPlace) }
  }

  var count: Int { state.withLock { $0.writes.count } }
}
