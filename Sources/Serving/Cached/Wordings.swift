import PlacesAPI

/// What requests ask for, by how they are worded. It says nothing that could become untrue, so that it is emptied for its size, and when
/// a user's traces are removed.
struct Wordings {
  /// The key of a reply with its hash.
  struct Key: Equatable {
    var words: [UInt64]
    var hash: Mixed
  }

  private struct Asked {
    var user: UInt32
    var wording: [UInt64]
    var key: Key
  }

  /// At most so many, of at most a kilobyte each with their keys: beyond that they are noted anew.
  private static let most = 4096
  private var asked: [Mixed: Asked] = [:]
  /// Some bits of the hashes of wordings that were met: only one that is met again is worth noting.
  private var met: [UInt16] = []

  /// The key of the reply to a request that is worded so, where it was noted.
  func key(of wording: borrowing ReplyKey, _ hash: Mixed) -> Key? {
    guard let asked = asked[hash], wording.equals(asked.wording) else { return nil }
    return asked.key
  }

  /// Notes what a request that is worded so asks for, if such a one was met before.
  mutating func note(_ wording: borrowing ReplyKey, _ hash: Mixed, asksFor key: borrowing ReplyKey, _ keyHash: Mixed, user: UInt32) {
    if met.isEmpty { met = [UInt16](repeating: 0, count: 4 * Self.most) }
    let (place, bits) = (Int(hash.value % UInt64(met.count)), UInt16(truncatingIfNeeded: hash.value >> 48) | 1)
    guard met[place] == bits else { return met[place] = bits }
    if asked.count >= Self.most { asked = [:] }
    asked[hash] = Asked(user: user, wording: wording.words, key: Key(words: key.words, hash: keyHash))
  }

  /// Forgets how this user words requests.
  mutating func forget(user: UInt32) { asked = asked.filter { $0.value.user != user } }
}
