import PlacesKit

/// Which kept answer requests ask for, by how they are worded. An answer is named by its place and a number that no other one ever has,
/// so that nothing here can become untrue; it is emptied for its size, and a user's part of it when his traces are removed.
struct Wordings {
  /// Where an answer is kept.
  struct Place {
    var index: Int
    var number: UInt64
  }

  /// Holds no reference, so that nothing is counted when it is looked at.
  private struct Asked {
    /// Zero where there is none.
    var hash: UInt64 = 0
    var user: UInt32 = 0
    /// The bytes that are not left out, with a zero, which no JSON text holds, behind each piece.
    var text = 0..<0
    var place = Place(index: 0, number: 0)
  }

  /// At most so many, and so many bytes of them: beyond that they are noted anew.
  private static let (most, mostBytes) = (4096, 1 << 20)
  /// At least half of it is free: what is not at its own place is behind it, before the next free one.
  private var asked: [Asked] = []
  private var count = 0
  private var texts: [UInt8] = []
  /// Some bits of the hashes of wordings that were met: only one that is met again is worth noting.
  private var met: [UInt16] = []

  /// Where the answer to a request that is worded so is kept, where it was noted.
  func place(of wording: Wording, in bytes: Span<UInt8>, user: UInt32) -> Place? {
    find(wording, in: bytes, user).map { asked[$0].place }
  }

  /// Notes where the answer to a request that is worded so is kept, if such a one was met before.
  mutating func note(_ wording: Wording, in bytes: Span<UInt8>, user: UInt32, at place: Place) {
    if let index = find(wording, in: bytes, user) { return asked[index].place = place }
    if met.isEmpty { met = [UInt16](repeating: 0, count: 4 * Self.most) }
    let (mark, bits) = (Int(wording.hash % UInt64(met.count)), UInt16(truncatingIfNeeded: wording.hash >> 48) | 1)
    // Two that come in turn and have one mark would else overwrite each other for ever.
    guard met[mark] == bits || met[mark ^ 1] == bits else { return met[met[mark] == 0 ? mark : mark ^ 1] = bits }
    if count >= Self.most || texts.count > Self.mostBytes { empty() }
    let text = texts.count
    wording.eachPiece { piece in
      texts.append(contentsOf: bytes.array(in: piece))
      texts.append(0)
      return true
    }
    insert(Asked(hash: wording.hash, user: user, text: text..<texts.count, place: place))
  }

  /// Forgets how this user words requests.
  mutating func forget(user: UInt32) {
    let (others, old) = (asked.filter { $0.hash != 0 && $0.user != user }, texts)
    empty()
    for var other in others {
      let text = texts.count
      texts.append(contentsOf: old[other.text])
      other.text = text..<texts.count
      insert(other)
    }
  }

  private mutating func empty() {
    asked = []
    count = 0
    texts = []
  }

  private func find(_ wording: Wording, in bytes: Span<UInt8>, _ user: UInt32) -> Int? {
    guard !asked.isEmpty else { return nil }
    let last = asked.count &- 1
    var index = Int(truncatingIfNeeded: wording.hash) & last
    while asked[index].hash != 0 {
      if asked[index].hash == wording.hash, asked[index].user == user, wording.isWritten(in: texts.span.extracting(asked[index].text), in: bytes) {
        return index
      }
      index = (index &+ 1) & last
    }
    return nil
  }

  private mutating func insert(_ new: Asked) {
    if 2 * (count + 1) > asked.count {
      let old = asked
      asked = [Asked](repeating: Asked(), count: max(64, 2 * old.count))
      for one in old where one.hash != 0 { put(one) }
    }
    put(new)
    count += 1
  }

  private mutating func put(_ one: Asked) {
    var index = Int(truncatingIfNeeded: one.hash) & (asked.count - 1)
    while asked[index].hash != 0 { index = (index + 1) & (asked.count - 1) }
    asked[index] = one
  }
}
