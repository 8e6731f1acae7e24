import Glibc

/// How two names compare, word by word and letter by letter.
struct NameComparison: Sendable {
  /// The same letters, however spaced.
  var same = false
  /// The same telling words.
  var sameCore = false
  /// One name is the other's part before the first break.
  var sameHead = false
  /// Weight of the words that both have, twice, over the weight of all: 0…1.
  var overlap = 0.0
  /// Weight of the words that both have over that of the name with less.
  var containment = 0.0
  /// Weight of words that only one name has: of the name with less of them, and of the other.
  var lesserRest = 0.0
  var greaterRest = 0.0
  /// Weight of the words that both have.
  var shared = 0.0
  /// Letters in order.
  var edits = 0.0
  var jaroWinkler = 0.0
  /// Consonants alone.
  var skeleton = 0.0
  /// Both have numbers, and none in common; only one has numbers.
  var numberConflict = false
  var numberInOne = false
  /// Both have words such as north or upper, and none in common; only one has.
  var siblingConflict = false
  var siblingInOne = false
  /// Only one has a word for a part of something: ATM, pharmacy, gate.
  var partInOne = false
  /// The letters that one name consists of begin the other's words.
  var acronym = false
  /// Written in different scripts, or one with Chinese characters.
  var otherScript = false
  var characters = false

  /// `places` are words of the towns that the rows lie in: a name may have them or not.
  init(_ a: NameForm, _ b: NameForm, places: [Range<Int>] = [], in words: Words) {
    otherScript = a.text.script != b.text.script
    characters = otherScript && (a.text.script == .characters || b.text.script == .characters)
    same = a.joinedKey == b.joinedKey
    sameCore = a.coreKey != 0 && a.coreKey == b.coreKey
    align(a.text.words, b.text.words, places, in: words)
    if same {
      (edits, jaroWinkler, skeleton, sameHead) = (1, 1, 1, true)
      forgiveSpacing(1)
      return
    }
    edits = words.editLikeness(a.letters, b.letters)
    jaroWinkler = words.jaroWinkler(a.letters, b.letters)
    skeleton = otherScript ? words.soundLikeness(a.letters, b.letters) : words.skeletonLikeness(a.letters, b.letters)
    if edits > 0.8 { forgiveSpacing(edits) }
    compareHeads(a, b, in: words)
    acronym = isAcronym(a, of: b, in: words) || isAcronym(b, of: a, in: words)
  }

  /// Names that are nearly the same letter by letter are so word by word, however they are spaced.
  private mutating func forgiveSpacing(_ likeness: Double) {
    overlap = max(overlap, likeness)
    containment = max(containment, likeness)
    lesserRest *= (1 - likeness) / 0.2
    greaterRest *= (1 - likeness) / 0.2
  }

  /// Pairs each word with its best partner, in the order of the first name; 24 words at most.
  private mutating func align(_ a: Range<Int>, _ b: Range<Int>, _ places: [Range<Int>], in words: Words) {
    let a = a.prefix(24)
    let b = b.prefix(24)
    var takenA: UInt32 = 0
    var takenB: UInt32 = 0
    func pair(_ i: Int, _ j: Int, _ likeness: Double) -> Double {
      takenA |= 1 << UInt32(i - a.startIndex)
      takenB |= 1 << UInt32(j - b.startIndex)
      return likeness * min(words[i].weight, words[j].weight)
    }
    for i in a {
      for j in b where takenB & 1 << UInt32(j - b.startIndex) == 0 && words[i].key == words[j].key {
        shared += pair(i, j, 1)
        break
      }
    }
    for i in a where takenA & 1 << UInt32(i - a.startIndex) == 0 {
      var best = (likeness: 0.0, index: 0)
      for j in b where takenB & 1 << UInt32(j - b.startIndex) == 0 {
        let likeness = words.likeness(words[i], words[j])
        if likeness > best.likeness { best = (likeness, j) }
      }
      if best.likeness > 0 { shared += pair(i, best.index, best.likeness) }
    }
    var totals = (0.0, 0.0)
    var rests = (0.0, 0.0)
    var kinds = (KindsLeft(), KindsLeft())
    for i in a {
      totals.0 += words[i].weight
      let taken = takenA & 1 << UInt32(i - a.startIndex) != 0
      if !taken { rests.0 += weightLeft(words[i], places, words) }
      kinds.0.add(words[i], taken: taken)
    }
    for j in b {
      totals.1 += words[j].weight
      let taken = takenB & 1 << UInt32(j - b.startIndex) != 0
      if !taken { rests.1 += weightLeft(words[j], places, words) }
      kinds.1.add(words[j], taken: taken)
    }
    overlap = 2 * shared / max(totals.0 + totals.1, 0.01)
    containment = shared / max(min(totals.0, totals.1), 0.01)
    (lesserRest, greaterRest) = (min(rests.0, rests.1), max(rests.0, rests.1))
    numberConflict = kinds.0.numbers && kinds.1.numbers
    numberInOne = kinds.0.numbers != kinds.1.numbers
    siblingConflict = kinds.0.siblings && kinds.1.siblings
    siblingInOne = kinds.0.siblings != kinds.1.siblings
    partInOne = kinds.0.parts != kinds.1.parts
  }

  private func weightLeft(_ word: Word, _ places: [Range<Int>], _ words: Words) -> Double {
    let isPlace = places.contains { $0.contains { words[$0].key == word.key } }
    return isPlace ? word.weight * 0.2 : word.weight
  }

  /// Which kinds of words found no partner.
  private struct KindsLeft {
    var numbers = false
    var siblings = false
    var parts = false

    /// A number of four digits and more is a code that one service knows and another does not.
    mutating func add(_ word: Word, taken: Bool) {
      guard !taken else { return }
      switch word.kind {
      case .number: numbers = numbers || word.length <= 3
      case .sibling: siblings = true
      case .part: parts = true
      default: break
      }
    }
  }

  private mutating func compareHeads(_ a: NameForm, _ b: NameForm, in words: Words) {
    let brokenA = a.text.head != a.text.words
    let brokenB = b.text.head != b.text.words
    guard brokenA || brokenB else { return }
    let headA = words.key(of: words.joined(a.text.head))
    let headB = words.key(of: words.joined(b.text.head))
    sameHead = headA == headB || (brokenA && headA == b.joinedKey) || (brokenB && headB == a.joinedKey)
  }

  private func isAcronym(_ short: NameForm, of long: NameForm, in words: Words) -> Bool {
    guard short.text.words.count == 1, (2...6).contains(short.letters.count), long.text.words.count >= 2 else { return false }
    var position = short.letters.lowerBound
    for index in long.text.words where words[index].kind != .legal {
      guard position < short.letters.upperBound else { return words[index].kind == .generic }
      if words.letters[words[index].start] == words.letters[position] {
        position += 1
      } else if words[index].kind != .filler {
        return false
      }
    }
    return position == short.letters.upperBound
  }
}
