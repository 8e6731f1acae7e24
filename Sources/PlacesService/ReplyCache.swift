import QueryEngine
import PlacesAPI
import RPC
import Synchronization

/// An encoded result, and the conditions under which it may be sent again.
struct CachedReply {
  let result: CachedResult
  let cacheability: Cacheability
}

/// Encoded results by request. Bounded in bytes; results that were not used recently are removed first.
///
/// Everything that may change an answer calls `invalidate`, which increments the data version. A result has the version at which its
/// request was read, and is not stored if that is not the current version.
final class ReplyCache: Sendable {
  /// The users whose answers have changed.
  enum Scope { case all, user(UInt32) }

  private struct Entry {
    var key: ReplyKey
    var reply: CachedReply
    var wasUsed = false

    var size: Int { key.count + reply.result.count + 256 }
  }

  private struct Contents {
    /// The key of the request that is looked up; its memory is reused.
    var wanted = ReplyKey()
    var entries: [Entry] = []
    var index: [ReplyKey: Int] = [:]
    var size = 0
    /// The entry that the next removal checks first.
    var hand = 0
    /// Incremented by each invalidation.
    var version: UInt64 = 0
    /// The version from which on results are valid: for all users, and for users whose results were invalidated later.
    var validSince: UInt64 = 0
    var usersValidSince: [UInt32: UInt64] = [:]
  }

  private let contents = Mutex(Contents())
  private let sent = Atomic<UInt64>(0)
  private let capacity: Int

  /// - Parameter capacity: bytes.
  init(capacity: Int) { self.capacity = capacity }

  /// The current data version. Read it when the request is read, and pass it to `store`.
  var version: UInt64 { contents.withLock { $0.version } }

  /// Replies that were sent from the cache since the start.
  var hits: UInt64 { sent.load(ordering: .relaxed) }

  /// Counts a reply that was sent from the cache.
  func recordHit() { sent.add(1, ordering: .relaxed) }

  var bytes: Int { contents.withLock { $0.size } }

  /// Removes the results of all users or of one. Results of requests that were read before this call are not stored.
  func invalidate(_ scope: Scope) {
    contents.withLock { contents in
      contents.version += 1
      switch scope {
      case .all:
        contents.validSince = contents.version
        contents.usersValidSince = [:]
        contents.entries.removeAll()
        contents.index.removeAll()
        (contents.size, contents.hand) = (0, 0)
      case .user(let user):
        contents.usersValidSince[user] = contents.version
        for index in contents.entries.indices.reversed() where contents.entries[index].key.user == user {
          ReplyCache.remove(index, from: &contents)
        }
      }
    }
  }

  /// The result for a key, unless it has expired.
  /// - Parameters:
  ///   - now: monotonic seconds.
  ///   - readKey: sets the key; returns false if the request has none.
  func reply(at now: Double, readKey: (inout ReplyKey) -> Bool) -> CachedReply? {
    contents.withLock { contents in
      guard readKey(&contents.wanted), let index = contents.index[contents.wanted] else { return nil }
      guard contents.entries[index].reply.cacheability.until > now else {
        ReplyCache.remove(index, from: &contents)
        return nil
      }
      contents.entries[index].wasUsed = true
      return contents.entries[index].reply
    }
  }

  /// Stores a result, unless its user's results were invalidated after `version`.
  func store(_ reply: CachedReply, for key: ReplyKey, version: UInt64) {
    let entry = Entry(key: key, reply: reply)
    guard entry.size <= capacity / 16 else { return }
    contents.withLock { contents in
      guard version >= contents.usersValidSince[key.user] ?? contents.validSince else { return }
      if let index = contents.index[key] { ReplyCache.remove(index, from: &contents) }
      while contents.size + entry.size > capacity, !contents.entries.isEmpty { ReplyCache.removeOne(from: &contents) }
      contents.index[key] = contents.entries.count
      contents.entries.append(entry)
      contents.size += entry.size
    }
  }

  /// The clock algorithm (Corbató 1968): an entry that was used since the hand passed it stays for another round.
  private static func removeOne(from contents: inout Contents) {
    while true {
      if contents.hand >= contents.entries.count { contents.hand = 0 }
      if !contents.entries[contents.hand].wasUsed { return remove(contents.hand, from: &contents) }
      contents.entries[contents.hand].wasUsed = false
      contents.hand += 1
    }
  }

  /// The last entry takes the index of the removed one.
  private static func remove(_ index: Int, from contents: inout Contents) {
    contents.size -= contents.entries[index].size
    contents.index[contents.entries[index].key] = nil
    let last = contents.entries.removeLast()
    if index < contents.entries.count {
      contents.entries[index] = last
      contents.index[last.key] = index
    }
  }
}
