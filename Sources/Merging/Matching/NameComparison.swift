import Glibc

/// The comparison of two names, by words and by letters.
struct NameComparison: Sendable {
  /// The same letters, regardless of spaces.
  var same = false
  /// The same distinctive words.
  var sameCore = false
  /// One name is the other's part before the first break.
  var sameHead = false
  /// The greatest `overlap` of one name's own part, before the first break or a preposition such as `at`, with the other name or with its
  /// own part; 0 if neither name has a further part.
  var headOverlap = 0.0
  /// Twice the weight of the words that both have, divided by the weight of all words of both names: 0…1.
  var overlap = 0.0
  /// The weight of the words that both have, divided by the weight of the lighter name: 0…1.
  var containment = 0.0
  /// The weights of the words that only one name has: the lesser and the greater of the two names' weights.
  var lesserRest = 0.0
  var greaterRest = 0.0
  /// The weight of the words that both have.
  var shared = 0.0
  /// The number of distinctive words that both have. Words that are only similar do not count. 0 for names in another script than Latin, which
  /// are divided into more words: in Chinese, each character is one.
  var sharedNames = 0
  /// The similarities of the letters, 0…1 (`WordBuffer.editSimilarity`, `WordBuffer.jaroWinkler`).
  var edits = 0.0
  var jaroWinkler = 0.0
  /// The similarity of the consonants, 0…1.
  var skeleton = 0.0
  /// Both have numbers that the other lacks, or different letters in the same position, as Gate A and Gate B.
  var numberConflict = false
  /// Only one has numbers that the other lacks.
  var numberInOne = false
  /// Both have a word such as north or upper that the other lacks.
  var modifierConflict = false
  /// Only one has such a word that the other lacks.
  var modifierInOne = false
  /// Only one has a word for a part of a larger place: ATM, pharmacy, gate.
  var partInOne = false
  /// Both have such a word that the other lacks, as the departments Mercy Urology and Mercy Radiology.
  var partConflict = false
  /// 1 if both have a word for the kind of place that the other lacks, as Westwood Park and Westwood Field, but less if these words mean
  /// one kind of place; otherwise 0.
  var facilityConflict = 0.0
  /// Only one has a word for the kind of place that the other lacks.
  var facilityInOne = false
  /// The kinds of places for which each name has a word that the other lacks, as the bits of their groups of types.
  var restGroups: (first: UInt32, second: UInt32) = (0, 0)
  /// Only one begins with a word that the other lacks, as in Joe's Pizza and Pizza.
  var firstWordInOne = false
  /// The other name ends with this one after `at`, `in` or `@`, as in `Starbucks @ Plaza Singapura`.
  var insideOther = false
  /// The other name ends with this one after a break, as in `Starbucks | Plaza Singapura`.
  var tailOfOther = false
  /// The other name ends with this one after further words, as in `Queen Victoria Park` and `Victoria Park`.
  var endOfOther = false
  /// The weight of the distinctive words that one name has between those of the other: Museum of (Modern) Art.
  var inserted = 0.0
  /// The names are written in different scripts.
  var otherScript = false
  /// The names are written in different scripts, one of them in Chinese characters.
  var characters = false

  /// - Parameters:
  ///   - places: the words of the towns in which the rows lie. A name may contain them or not.
  ///   - house: the house number of both rows, 0 if there is none. A name may contain it or not.
  init(_ a: NameVariant, _ b: NameVariant, places: [Range<Int>] = [], house: Int = 0, in words: WordBuffer) {
    otherScript = a.text.script != b.text.script
    characters = otherScript && (a.text.script == .characters || b.text.script == .characters)
    // An unknown name is not evidence.
    same = a.joinedKey == b.joinedKey && !a.letters.isEmpty
    sameCore = a.coreKey != 0 && a.coreKey == b.coreKey
    align(a.text, b.text, places, house, in: words)
    if same {
      (edits, jaroWinkler, skeleton, sameHead, numberConflict) = (1, 1, 1, true, false)
      (restGroups, firstWordInOne) = ((0, 0), false)
      ignoreSpacing(1)
      return
    }
    edits = words.editSimilarity(a.letters, b.letters)
    jaroWinkler = words.jaroWinkler(a.letters, b.letters)
    skeleton = otherScript ? words.phoneticSimilarity(a.letters, b.letters) : words.skeletonSimilarity(a.letters, b.letters)
    if edits > 0.8 { ignoreSpacing(edits) }
    compareHeads(a, b, in: words)
    compareTails(a.text, b.text, in: words)
    compareInsertion(a.text, b.text, places, in: words)
  }

  /// Names with nearly the same letters have nearly the same words, regardless of spaces. The words that only one name has count less, the
  /// more similar the letters are: fully at 0.8, the least similarity for which this is called, and not at all at 1.
  private mutating func ignoreSpacing(_ similarity: Double) {
    overlap = max(overlap, similarity)
    containment = max(containment, similarity)
    lesserRest *= (1 - similarity) / 0.2
    greaterRest *= (1 - similarity) / 0.2
  }

  /// Pairs each word with its best partner, in the order of the first name; 24 words at most.
  private mutating func align(
    _ first: WordBuffer.TextSpan, _ second: WordBuffer.TextSpan, _ places: [Range<Int>], _ house: Int, in words: WordBuffer
  ) {
    let a = first.words.prefix(24)
    let b = second.words.prefix(24)
    var takenA: UInt32 = 0
    var takenB: UInt32 = 0
    func isFree(_ taken: UInt32, _ index: Int, _ range: Range<Int>) -> Bool { taken & 1 << UInt32(index - range.startIndex) == 0 }
    /// Marks two words as taken, and returns the weight that the names share by them.
    func pair(_ i: Int, _ j: Int, _ similarity: Double) -> Double {
      takenA |= 1 << UInt32(i - a.startIndex)
      takenB |= 1 << UInt32(j - b.startIndex)
      return similarity * min(words[i].weight, words[j].weight)
    }
    for i in a {
      for j in b where isFree(takenB, j, b) && words[i].key == words[j].key {
        shared += pair(i, j, 1)
        if words[i].isDistinctiveName { sharedNames += 1 }
        break
      }
    }
    /// The weight of a word that the other name writes as two words, as `Al Frank` for `Alfrank`; 0 if it does not. The two words are
    /// marked as taken.
    func spaced(_ i: Int, _ range: Range<Int>, _ taken: inout UInt32) -> Double {
      for j in range.dropLast() where isFree(taken, j, range) && isFree(taken, j + 1, range) {
        guard words[j].length + words[j + 1].length == words[i].length,
          words.letters[words[i].start..<words[i].end].elementsEqual(words.letters[words[j].start..<words[j + 1].end])
        else { continue }
        taken |= 3 << UInt32(j - range.startIndex)
        return min(words[i].weight, words[j].weight + words[j + 1].weight)
      }
      return 0
    }
    if a.count < b.count {
      for i in a where isFree(takenA, i, a) && words[i].length >= 4 {
        let weight = spaced(i, b, &takenB)
        if weight > 0 { (shared, takenA) = (shared + weight, takenA | 1 << UInt32(i - a.startIndex)) }
      }
    } else if b.count < a.count {
      for j in b where isFree(takenB, j, b) && words[j].length >= 4 {
        let weight = spaced(j, a, &takenA)
        if weight > 0 { (shared, takenB) = (shared + weight, takenB | 1 << UInt32(j - b.startIndex)) }
      }
    }
    for i in a where isFree(takenA, i, a) {
      var best = (similarity: 0.0, index: 0)
      for j in b where isFree(takenB, j, b) {
        let similarity = words.similarity(words[i], words[j])
        if similarity > best.similarity { best = (similarity, j) }
      }
      if best.similarity > 0 { shared += pair(i, best.index, best.similarity) }
    }
    var totals = (0.0, 0.0)
    var rests = (0.0, 0.0)
    var unmatched = (UnmatchedWords(), UnmatchedWords())
    for i in a {
      totals.0 += words[i].weight
      guard isFree(takenA, i, a) else { continue }
      rests.0 += weightLeft(words[i], places, words)
      unmatched.0.add(words[i], house)
    }
    for j in b {
      totals.1 += words[j].weight
      guard isFree(takenB, j, b) else { continue }
      rests.1 += weightLeft(words[j], places, words)
      unmatched.1.add(words[j], house)
    }
    if first.script != .latin || second.script != .latin { sharedNames = 0 }
    overlap = 2 * shared / max(totals.0 + totals.1, 0.01)
    containment = shared / max(min(totals.0, totals.1), 0.01)
    (lesserRest, greaterRest) = (min(rests.0, rests.1), max(rests.0, rests.1))
    numberConflict = unmatched.0.numbers.conflict(with: unmatched.1.numbers)
    numberInOne = unmatched.0.numbers.isEmpty != unmatched.1.numbers.isEmpty
    if !numberConflict, unmatched.0.hasDesignator, unmatched.1.hasDesignator {
      numberConflict = a.contains { i in
        isFree(takenA, i, a) && b.contains { j in isFree(takenB, j, b) && words.areOpposedDesignators(i, in: first, j, in: second) }
      }
    }
    modifierConflict = unmatched.0.hasModifier && unmatched.1.hasModifier
    modifierInOne = unmatched.0.hasModifier != unmatched.1.hasModifier
    partInOne = unmatched.0.hasPart != unmatched.1.hasPart
    partConflict = unmatched.0.hasPart && unmatched.1.hasPart
    facilityInOne = (unmatched.0.facility == nil) != (unmatched.1.facility == nil)
    // Two words for one kind of place, such as Hotel and Inn, are weaker evidence.
    if let one = unmatched.0.facility, let other = unmatched.1.facility { facilityConflict = one.groups & other.groups != 0 ? 0.3 : 1 }
    restGroups = (unmatched.0.groups, unmatched.1.groups)
    // The words of two scripts cannot be compared one by one.
    guard !otherScript else { return }
    func startsAlone(_ range: Range<Int>, _ taken: UInt32) -> Bool {
      range.first { words[$0].kind != .filler }.map { isFree(taken, $0, range) } ?? false
    }
    firstWordInOne = startsAlone(a, takenA) != startsAlone(b, takenB)
  }

  /// The weight of a word that the other name lacks. It is lower for the name of the town, which a name may contain or not.
  private func weightLeft(_ word: Word, _ places: [Range<Int>], _ words: WordBuffer) -> Double {
    let isPlace = places.contains { $0.contains { words[$0].key == word.key } }
    return isPlace ? word.weight * 0.2 : word.weight
  }

  /// What is known of the words that have no partner in the other name.
  private struct UnmatchedWords {
    var numbers = UnmatchedNumbers()
    /// Whether there is a word such as north or upper.
    var hasModifier = false
    /// Whether there is a word for a part of a larger place.
    var hasPart = false
    /// The last word for the kind of place.
    var facility: Word?
    /// The kinds of places that the words mean.
    var groups: UInt32 = 0
    /// See `Word.isDesignator`.
    var hasDesignator = false

    mutating func add(_ word: Word, _ house: Int) {
      switch word.kind {
      case .number: numbers.add(word, house: house)
      case .modifier: hasModifier = true
      case .part: (hasPart, facility) = (true, word)
      case .generic: facility = word
      default: break
      }
      groups |= word.groups
      hasDesignator = hasDesignator || word.isDesignator
    }
  }

  /// Sets `insideOther`, `tailOfOther` or `endOfOther` if the shorter name is at the end of the longer one.
  private mutating func compareTails(_ a: WordBuffer.TextSpan, _ b: WordBuffer.TextSpan, in words: WordBuffer) {
    let (short, long) = a.words.count < b.words.count ? (a, b) : (b, a)
    var whole = short.words
    while whole.count > 1, words[whole.lowerBound].kind == .filler { whole = whole.dropFirst() }
    guard !whole.isEmpty, whole.count < long.words.count else { return }
    var start = long.words.upperBound - whole.count
    guard zip(whole, start..<long.words.upperBound).allSatisfy({ words[$0].key == words[$1].key }) else { return }
    tailOfOther = start == long.head.upperBound
    while start > long.words.lowerBound, words[start - 1].kind == .filler {
      start -= 1
      if WordTable.prepositions.contains(words[start].key), start > long.words.lowerBound { insideOther = true }
    }
    tailOfOther = (tailOfOther || start == long.head.upperBound) && !insideOther
    endOfOther = start > long.words.lowerBound && !tailOfOther && !insideOther
  }

  /// Sets `inserted`. Words that are equal at the beginning and at the end of both names are removed; fillers and legal forms are skipped.
  /// If nothing is left of the shorter name, the words that are left of the longer one are inserted.
  private mutating func compareInsertion(_ a: WordBuffer.TextSpan, _ b: WordBuffer.TextSpan, _ places: [Range<Int>], in words: WordBuffer) {
    var (short, long) = (a.words, b.words)
    if short.count > long.count { swap(&short, &long) }
    // This rules out most pairs: the shorter name has words that the other lacks.
    guard short.count >= 2, long.count <= 24, containment >= 0.8 else { return }
    func isSkipped(_ index: Int) -> Bool { words[index].kind == .filler || words[index].kind == .legal }
    /// Removes equal words from the beginning or the end of both names, and returns the number of pairs.
    func trim(atEnd: Bool) -> Int {
      var paired = 0
      while !short.isEmpty, !long.isEmpty {
        let (i, j) = atEnd ? (short.upperBound - 1, long.upperBound - 1) : (short.lowerBound, long.lowerBound)
        if isSkipped(i) {
          short = atEnd ? short.dropLast() : short.dropFirst()
        } else if isSkipped(j) {
          long = atEnd ? long.dropLast() : long.dropFirst()
        } else if words[i].key == words[j].key {
          (short, long) = atEnd ? (short.dropLast(), long.dropLast()) : (short.dropFirst(), long.dropFirst())
          paired += 1
        } else {
          break
        }
      }
      return paired
    }
    guard trim(atEnd: false) > 0, trim(atEnd: true) > 0, short.allSatisfy(isSkipped) else { return }
    // Each Chinese character is a word, however short it is in Latin letters.
    let least = a.script == .characters && b.script == .characters ? 1.0 : 0
    inserted = long.reduce(0) { $0 + (words[$1].kind == .name ? max(least, weightLeft(words[$1], places, words)) : 0) }
  }
}
