/// Which kept answer requests ask for, by how they are worded. An answer is named by its place and a number that no other one ever has,
/// so that nothing here can become untrue; it is emptied for its size, and a user's part of it when his traces are removed.
struct Wordings {
  /// Where an answer is kept.
  struct Place {
    var index: Int
    var number: UInt64
  }

  /// Holds no reference, so that nothing is counted when it is looked at, and half of what the processor fetches at once.
  private struct Asked {
    var hash = Wording.Hash(first: 0, second: 0)
    /// Zero where there is none: answers are numbered from one on.
    var number: UInt64 = 0
    var index: UInt32 = 0
    var user: UInt32 = 0
  }

  /// At most so many: beyond that they are noted anew.
  private static let most = 4096
  /// At least half of it is free: what is not at its own place is behind it, before the next free one.
  private var asked: [Asked] = []
  private var count = 0
  /// Some bits of the hashes of wordings that were met: only one that is met again is worth noting.
  private var met: [UInt16] = []

  /// Where the answer to a request that is worded so is kept, where it was noted.
  func place(of wording: Wording, user: UInt32) -> Place? {
    find(wording.hash, user).map { Place(index: Int(asked[$0].index), number: asked[$0].number) }
  }

  /// Notes where the answer to a request that is worded so is kept, if such a one was met before.
  mutating func note(_ wording: Wording, user: UInt32, at place: Place) {
    let new = Asked(hash: wording.hash, number: place.number, index: UInt32(truncatingIfNeeded: place.index), user: user)
    if let index = find(wording.hash, user) { return asked[index] = new }
    if met.isEmpty { met = [UInt16](repeating: 0, count: 4 * Self.most) }
    let (mark, bits) = (Int(wording.hash.first % UInt64(met.count)), UInt16(truncatingIfNeeded: wording.hash.second) | 1)
    // Two that come in turn and have one mark would else overwrite each other for ever.
    guard met[mark] == bits || met[mark ^ 1] == bits else { return met[met[mark] == 0 ? mark : mark ^ 1] = bits }
    if count >= Self.most { keep([]) }
    if 2 * (count + 1) > asked.count { keep(asked) }
    put(new)
  }

  /// Forgets how this user words requests.
  mutating func forget(user: UInt32) { keep(asked.filter { $0.user != user }) }

  private func find(_ hash: Wording.Hash, _ user: UInt32) -> Int? {
    guard !asked.isEmpty else { return nil }
    let last = asked.count &- 1
    var index = Int(truncatingIfNeeded: hash.first) & last
    while asked[index].number != 0 {
      if asked[index].hash == hash, asked[index].user == user { return index }
      index = (index &+ 1) & last
    }
    return nil
  }

  /// Makes the table anew, of these and with as much room again.
  private mutating func keep(_ all: [Asked]) {
    let kept = all.filter { $0.number != 0 }
    var size = 64
    while size < 4 * kept.count { size *= 2 }
    asked = [Asked](repeating: Asked(), count: size)
    count = 0
    for one in kept { put(one) }
  }

  private mutating func put(_ one: Asked) {
    var index = Int(truncatingIfNeeded: one.hash.first) & (asked.count - 1)
    while asked[index].number != 0 { index = (index + 1) & (asked.count - 1) }
    asked[index] = one
    count += 1
  }
}
