import QueryEngine
import PlacesAPI
import RPC
import Synchronization

/// An encoded result, and the conditions under which it may be sent again.
struct CachedReply {
  let result: CachedResult
  let cacheability: Cacheability
}

/// A cache of encoded results, by request. The size in bytes is bounded, and results that were not used recently are removed first.
///
/// After each change that may affect an answer, `invalidate` must be called. It increments the data version. The caller reads the version
/// before it answers a request, and passes it to `store`, which rejects the result if its user's results were invalidated since.
final class ReplyCache: Sendable {
  /// The users whose results become invalid.
  enum Scope { case all, user(UInt32) }

  private struct Entry {
    var key: ReplyKey
    var reply: CachedReply
    /// True if the entry was used since it was last considered for eviction.
    var wasUsed = false

    /// The approximate size in bytes, of which an estimated 256 are neither the key nor the result.
    var byteCount: Int { key.count + reply.result.count + 256 }
  }

  private struct Contents {
    /// The key of the request that is looked up. It is stored here so that its memory is reused.
    var requestKey = ReplyKey()
    var entries: [Entry] = []
    /// The index of each key's entry.
    var indicesByKey: [ReplyKey: Int] = [:]
    /// The approximate size of all entries in bytes.
    var byteCount = 0
    /// The index of the entry that the next eviction checks first: the hand of the clock algorithm (`evictOne`).
    var hand = 0
    /// Incremented by each invalidation.
    var version: UInt64 = 0
    /// The earliest version whose results are valid.
    var validSince: UInt64 = 0
    /// For each user whose results were invalidated after `validSince`: the earliest version whose results are valid for this user.
    var validSinceByUser: [UInt32: UInt64] = [:]
  }

  private let contents = Mutex(Contents())
  private let hitCount = Atomic<UInt64>(0)
  private let capacity: Int

  /// - Parameter capacity: the maximum size in bytes.
  init(capacity: Int) { self.capacity = capacity }

  /// The current data version. It must be read before the request is answered, and passed to `store`.
  var version: UInt64 { contents.withLock { $0.version } }

  /// The number of replies that were sent from the cache since the start.
  var hits: UInt64 { hitCount.load(ordering: .relaxed) }

  /// Counts a reply that was sent from the cache.
  func recordHit() { hitCount.add(1, ordering: .relaxed) }

  /// The approximate size of all entries in bytes.
  var bytes: Int { contents.withLock { $0.byteCount } }

  /// Removes the results of all users or of one user. From now on `store` rejects their results with an earlier version.
  func invalidate(_ scope: Scope) {
    contents.withLock { contents in
      contents.version += 1
      switch scope {
      case .all:
        contents.validSince = contents.version
        contents.validSinceByUser = [:]
        contents.entries.removeAll()
        contents.indicesByKey.removeAll()
        (contents.byteCount, contents.hand) = (0, 0)
      case .user(let user):
        contents.validSinceByUser[user] = contents.version
        for index in contents.entries.indices.reversed() where contents.entries[index].key.user == user {
          ReplyCache.remove(index, from: &contents)
        }
      }
    }
  }

  /// The result for a key; nil if there is none or it has expired.
  /// - Parameters:
  ///   - now: monotonic seconds.
  ///   - readKey: sets the key. Returns false if the request has none.
  func reply(at now: Double, readKey: (inout ReplyKey) -> Bool) -> CachedReply? {
    contents.withLock { contents in
      guard readKey(&contents.requestKey), let index = contents.indicesByKey[contents.requestKey] else { return nil }
      guard contents.entries[index].reply.cacheability.expiresAt > now else {
        ReplyCache.remove(index, from: &contents)
        return nil
      }
      contents.entries[index].wasUsed = true
      return contents.entries[index].reply
    }
  }

  /// Stores a result, unless its user's results were invalidated after `version`, or the result takes more than a sixteenth of the capacity
  /// and would evict many others.
  func store(_ reply: CachedReply, for key: ReplyKey, version: UInt64) {
    let entry = Entry(key: key, reply: reply)
    guard entry.byteCount <= capacity / 16 else { return }
    contents.withLock { contents in
      guard version >= contents.validSinceByUser[key.user] ?? contents.validSince else { return }
      if let index = contents.indicesByKey[key] { ReplyCache.remove(index, from: &contents) }
      while contents.byteCount + entry.byteCount > capacity, !contents.entries.isEmpty { ReplyCache.evictOne(from: &contents) }
      contents.indicesByKey[key] = contents.entries.count
      contents.entries.append(entry)
      contents.byteCount += entry.byteCount
    }
  }

  /// Removes one entry by the clock algorithm (Corbató 1968): the hand passes over entries that were used since it passed them last.
  private static func evictOne(from contents: inout Contents) {
    while true {
      if contents.hand >= contents.entries.count { contents.hand = 0 }
      if !contents.entries[contents.hand].wasUsed { return remove(contents.hand, from: &contents) }
      contents.entries[contents.hand].wasUsed = false
      contents.hand += 1
    }
  }

  /// Removes an entry. The last entry takes its index.
  private static func remove(_ index: Int, from contents: inout Contents) {
    contents.byteCount -= contents.entries[index].byteCount
    contents.indicesByKey[contents.entries[index].key] = nil
    let lastEntry = contents.entries.removeLast()
    if index < contents.entries.count {
      contents.entries[index] = lastEntry
      contents.indicesByKey[lastEntry.key] = index
    }
  }
}
