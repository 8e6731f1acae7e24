import QueryEngine
import PlacesAPI
import RPC
import Synchronization

/// An encoded result that may be given again.
struct KnownAnswer {
  let result: KnownResult
  let cacheability: Cacheability
}

/// Encoded results by what was asked, for the road of a cached answer. Bounded in bytes; what was not used lately goes first.
///
/// Whatever may change an answer (configuration, providers switched, a purge, a new index) begins a new epoch; what was asked for in an
/// older one is never given.
final class ReplyCache: Sendable {
  private struct Entry {
    var key: [UInt64]
    var hash: Mixed
    /// No other entry ever has the same.
    var number: UInt64
    var user: UInt32
    var until: Double
    var answer: KnownAnswer
    var usedLately = false

    var size: Int { 8 * key.count + answer.result.count + 256 }
  }

  private struct State {
    var entries: [Entry] = []
    /// Indices of entries by the hash of their keys.
    var index: [Mixed: Int] = [:]
    var size = 0
    var hand = 0
    var epoch: UInt64 = 1
    /// The epoch since which anybody's answers may be kept, and those of users whose own were forgotten later.
    var begun: UInt64 = 1
    var users: [UInt32: UInt64] = [:]
    var hits: UInt64 = 0
    /// How many were ever kept.
    var stored: UInt64 = 0
    var wordings = Wordings()
  }

  private let state = Mutex(State())
  private let capacity: Int
  /// Another one at each start, so that nobody can make keys that collide.
  let seed = Wording.Hash.random()

  /// - Parameter capacity: bytes.
  init(capacity: Int) { self.capacity = capacity }

  /// The present epoch, to be given back with what is stored.
  var epoch: UInt64 { state.withLock { $0.epoch } }

  /// Answers given, since the start.
  var hits: UInt64 { state.withLock { $0.hits } }

  /// An answer that was found was not sent.
  func takeBack() { state.withLock { $0.hits -= 1 } }

  var bytes: Int { state.withLock { $0.size } }

  /// Everything that is kept is out of date.
  func beginEpoch() {
    state.withLock { state in
      state.epoch += 1
      state.begun = state.epoch
      state.users = [:]
      state.entries.removeAll()
      state.index.removeAll()
      state.wordings = Wordings()
      state.size = 0
      state.hand = 0
    }
  }

  /// What this user would be given may have changed.
  func forget(user: UInt32) {
    state.withLock { state in
      state.epoch += 1
      state.users[user] = state.epoch
      state.wordings.forget(user: user)
      for index in state.entries.indices.reversed() where state.entries[index].user == user { Self.remove(index, from: &state) }
    }
  }

  /// The answer for a key that is kept and not past its time.
  /// - Parameter now: monotonic seconds.
  func answer(for key: borrowing ReplyKey, at now: Double) -> KnownAnswer? {
    let hash = self.hash(key)
    return state.withLock { state in
      guard let index = state.index[hash], key.equals(state.entries[index].key) else { return nil }
      return Self.give(index, from: &state, at: now)
    }
  }

  /// The same for a request that is worded like others.
  func answer(worded wording: Wording, user: UInt32, at now: Double) -> KnownAnswer? {
    state.withLock { state in
      guard let place = state.wordings.place(of: wording, user: user), place.index < state.entries.count,
        state.entries[place.index].number == place.number
      else { return nil }
      return Self.give(place.index, from: &state, at: now)
    }
  }

  /// A request that is worded so asks for the reply of this key.
  func note(_ wording: Wording, asksFor key: borrowing ReplyKey, user: UInt32) {
    let keyHash = hash(key)
    state.withLock { state in
      guard let index = state.index[keyHash], key.equals(state.entries[index].key) else { return }
      state.wordings.note(wording, user: user, at: Wordings.Place(index: index, number: state.entries[index].number))
    }
  }

  private func hash(_ key: borrowing ReplyKey) -> Mixed { Mixed(value: key.hash(seed: seed.first)) }

  @inline(__always) private static func give(_ index: Int, from state: inout State, at now: Double) -> KnownAnswer? {
    guard state.entries[index].until > now else {
      remove(index, from: &state)
      return nil
    }
    state.entries[index].usedLately = true
    state.hits += 1
    return state.entries[index].answer
  }

  /// Keeps an answer, unless what the user is given was forgotten since it was asked for.
  func store(_ answer: KnownAnswer, for key: borrowing ReplyKey, user: UInt32, epoch: UInt64) {
    let hash = self.hash(key)
    var entry = Entry(key: key.words, hash: hash, number: 0, user: user, until: answer.cacheability.until, answer: answer)
    guard entry.size <= capacity / 16 else { return }
    state.withLock { state in
      guard epoch >= state.users[user] ?? state.begun else { return }
      if let index = state.index[hash] { Self.remove(index, from: &state) }
      while state.size + entry.size > capacity, !state.entries.isEmpty { Self.evict(from: &state) }
      state.stored += 1
      entry.number = state.stored
      state.index[hash] = state.entries.count
      state.entries.append(entry)
      state.size += entry.size
    }
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

/// A number whose bits are well mixed already, so that a dictionary need not mix them again.
struct Mixed: Hashable {
  let value: UInt64

  func _rawHashValue(seed: Int) -> Int { Int(truncatingIfNeeded: value) ^ seed }
}
