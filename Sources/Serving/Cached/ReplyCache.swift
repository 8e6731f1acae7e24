import Synchronization

/// An encoded result that may be given again.
struct KnownAnswer: Sendable {
  /// JSON on one line.
  var result: [UInt8]
  /// What was typed.
  var query: String
  /// Whose answers the result holds.
  var providers: [String]
}

/// Encoded results by what was asked, for the road of a cached answer. Bounded in bytes; what was not used lately goes first.
///
/// An entry belongs to one user and one epoch: whatever may change an answer (configuration, providers switched, a purge, a new
/// index) begins a new epoch, and entries of older ones are never given.
final class ReplyCache: Sendable {
  private struct Entry {
    var key: [UInt8]
    var hash: Int
    var user: UInt32
    var answer: KnownAnswer
    /// Monotonic seconds.
    var expiresAt: Double
    var usedLately = false

    var size: Int { key.count + answer.result.count + 256 }
  }

  private struct State {
    var entries: [Entry] = []
    /// Indices of entries by the hash of their keys.
    var index: [Int: Int] = [:]
    var size = 0
    var hand = 0
    var epoch: UInt64 = 1
    var hits: UInt64 = 0
  }

  private let state = Mutex(State())
  private let capacity: Int

  /// - Parameter capacity: bytes.
  init(capacity: Int) { self.capacity = capacity }

  /// The present epoch, to be given back with what is stored.
  var epoch: UInt64 { state.withLock { $0.epoch } }

  /// Answers given, since the start.
  var hits: UInt64 { state.withLock { $0.hits } }

  var bytes: Int { state.withLock { $0.size } }

  /// Everything that is kept is out of date.
  func beginEpoch() {
    state.withLock { state in
      state.epoch += 1
      state.entries.removeAll()
      state.index.removeAll()
      state.size = 0
      state.hand = 0
    }
  }

  /// What this user would be given may have changed.
  func forget(user: UInt32) {
    state.withLock { state in
      for index in state.entries.indices.reversed() where state.entries[index].user == user { Self.remove(index, from: &state) }
    }
  }

  /// The answer for a key that is kept and not past its time.
  /// - Parameter now: monotonic seconds.
  func answer(for key: [UInt8], at now: Double) -> KnownAnswer? {
    let hash = Self.hash(key)
    return state.withLock { state in
      guard let index = state.index[hash], state.entries[index].key == key else { return nil }
      guard state.entries[index].expiresAt > now else {
        Self.remove(index, from: &state)
        return nil
      }
      state.entries[index].usedLately = true
      state.hits += 1
      return state.entries[index].answer
    }
  }

  /// Keeps an answer, unless a new epoch has begun since it was asked for.
  func store(_ answer: KnownAnswer, for key: [UInt8], user: UInt32, until expiresAt: Double, epoch: UInt64) {
    let hash = Self.hash(key)
    let entry = Entry(key: key, hash: hash, user: user, answer: answer, expiresAt: expiresAt)
    guard entry.size <= capacity / 16 else { return }
    state.withLock { state in
      guard state.epoch == epoch else { return }
      if let index = state.index[hash] { Self.remove(index, from: &state) }
      while state.size + entry.size > capacity, !state.entries.isEmpty { Self.evict(from: &state) }
      state.index[hash] = state.entries.count
      state.entries.append(entry)
      state.size += entry.size
    }
  }

  /// Seeded at each start, so that nobody can make keys that collide.
  private static func hash(_ key: [UInt8]) -> Int {
    var hasher = Hasher()
    key.withUnsafeBytes { hasher.combine(bytes: $0) }
    return hasher.finalize()
  }

  /// The clock algorithm (Corbató 1968): the hand passes over what was used since it came by last.
  private static func evict(from state: inout State) {
    while true {
      if state.hand >= state.entries.count { state.hand = 0 }
      if !state.entries[state.hand].usedLately { return remove(state.hand, from: &state) }
      state.entries[state.hand].usedLately = false
      state.hand += 1
    }
  }

  /// The last entry takes the place of the one that goes.
  private static func remove(_ index: Int, from state: inout State) {
    state.size -= state.entries[index].size
    state.index[state.entries[index].hash] = nil
    let last = state.entries.removeLast()
    if index < state.entries.count {
      state.entries[index] = last
      state.index[last.hash] = index
    }
  }
}
