import Glibc

/// The comparison of two names, by words and by letters.
struct NameComparison: Sendable {
  /// Whether the names have the same letters, regardless of spaces.
  var same = false
  /// Whether the names have the same distinctive words.
  var sameCore = false
  /// Whether the names are equal if the words after the first break of one or both are left out.
  var sameHead = false
  /// The greatest `overlap` of the own part of one name with the other name or with the other name's own part; 0 if neither name has a
  /// further part. The own part ends before the first break, or before a preposition such as `at`.
  var headOverlap = 0.0
  /// Twice the weight of the words that both names have, divided by the weight of all words of both names: 0…1.
  var overlap = 0.0
  /// The weight of the words that both have, divided by the weight of the lighter name: 0…1.
  var containment = 0.0
  /// For each name, the weight of its words that the other name lacks: the lesser of the two weights, and the greater.
  var lesserRest = 0.0
  var greaterRest = 0.0
  /// The weight of the words that both have.
  var sharedWeight = 0.0
  /// The number of distinctive words that both have. Words that are only similar do not count. 0 for names in another script than Latin,
  /// which are divided into more words: in Chinese, each character is one.
  var sharedNames = 0
  /// The similarities of the letters, 0…1 (`WordBuffer.editSimilarity`, `WordBuffer.jaroWinkler`).
  var edits = 0.0
  var jaroWinkler = 0.0
  /// The similarity of the consonants, 0…1 (`WordBuffer.skeletonSimilarity`; for names in different scripts
  /// `WordBuffer.phoneticSimilarity`).
  var skeleton = 0.0
  /// Whether the numbers that only one name has show that the names mean two places (`UnmatchedNumbers.conflict`), or the names have
  /// different designators (`Word.isDesignator`) at the same position, as Gate A and Gate B.
  var numberConflict = false
  /// Whether only one name has numbers that the other lacks.
  var numberInOne = false
  /// Whether both names have a word such as north or upper that the other lacks.
  var modifierConflict = false
  /// Whether only one name has a word such as north or upper that the other lacks.
  var modifierInOne = false
  /// Whether only one name has a word for a part of a larger place that the other lacks: ATM, pharmacy, gate.
  var partInOne = false
  /// Whether both names have a word for a part that the other lacks, as the departments Mercy Urology and Mercy Radiology.
  var partConflict = false
  /// 1 if both have a word for the kind of place that the other lacks, as Westwood Park and Westwood Field, but less if these words mean
  /// one kind of place; otherwise 0.
  var facilityConflict = 0.0
  /// Whether only one name has a word for the kind of place that the other lacks.
  var facilityInOne = false
  /// The kinds of places for which each name has a word that the other lacks, as the bits of their groups of types.
  var restGroups: (first: UInt32, second: UInt32) = (0, 0)
  /// Whether only one name begins with a word that the other lacks, as in Joe's Pizza and Pizza.
  var firstWordInOne = false
  /// Whether one name ends with the other after `at`, `in` or `@`, as in `Starbucks @ Plaza Singapura`.
  var insideOther = false
  /// Whether one name ends with the other after a break, as in `Starbucks | Plaza Singapura`.
  var tailOfOther = false
  /// Whether one name ends with the other after further words, as in `Queen Victoria Park` and `Victoria Park`.
  var endOfOther = false
  /// The weight of the distinctive words that one name has between those of the other: Museum of (Modern) Art.
  var insertedWeight = 0.0
  /// Whether the names are written in different scripts.
  var otherScript = false
  /// Whether the names are written in different scripts, one of them in Chinese characters.
  var characters = false

  /// - Parameters:
  ///   - towns: the words of the towns in which the rows lie. A name may contain them or not.
  ///   - houseNumber: the house number of the rows; 0 if they have none, or different ones. A name may contain it or not.
  init(_ a: NameVariant, _ b: NameVariant, towns: [Range<Int>] = [], houseNumber: Int = 0, in words: WordBuffer) {
    otherScript = a.text.script != b.text.script
    characters = otherScript && (a.text.script == .characters || b.text.script == .characters)
    // Two names without letters are not the same name.
    same = a.joinedKey == b.joinedKey && !a.letters.isEmpty
    sameCore = a.coreKey != 0 && a.coreKey == b.coreKey
    align(a.text, b.text, towns, houseNumber, in: words)
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
    compareInsertion(a.text, b.text, towns, in: words)
  }

  /// Names with nearly the same letters have nearly the same words, regardless of spaces. The words that only one name has count less, the
  /// more similar the letters are: fully at 0.8, the least similarity for which this is called, and not at all at 1.
  private mutating func ignoreSpacing(_ similarity: Double) {
    overlap = max(overlap, similarity)
    containment = max(containment, similarity)
    lesserRest *= (1 - similarity) / 0.2
    greaterRest *= (1 - similarity) / 0.2
  }

  /// Pairs the words of the names, and compares those that have no partner.
  private mutating func align(
    _ first: WordBuffer.TextSpan, _ second: WordBuffer.TextSpan, _ towns: [Range<Int>], _ houseNumber: Int, in words: WordBuffer
  ) {
    var (a, b) = (PairedWords(first.words), PairedWords(second.words))
    pairWords(&a, &b, in: words)
    if first.script != .latin || second.script != .latin { sharedNames = 0 }
    let (restA, weightA) = unmatchedWords(a, towns, houseNumber, in: words)
    let (restB, weightB) = unmatchedWords(b, towns, houseNumber, in: words)
    overlap = 2 * sharedWeight / max(weightA + weightB, 0.01)
    containment = sharedWeight / max(min(weightA, weightB), 0.01)
    (lesserRest, greaterRest) = (min(restA.weight, restB.weight), max(restA.weight, restB.weight))
    numberConflict = restA.numbers.conflict(with: restB.numbers)
    numberInOne = restA.numbers.isEmpty != restB.numbers.isEmpty
    if !numberConflict, restA.hasDesignator, restB.hasDesignator {
      numberConflict = a.range.contains { i in
        a.isFree(i) && b.range.contains { j in b.isFree(j) && words.areOpposedDesignators(i, in: first, j, in: second) }
      }
    }
    modifierConflict = restA.hasModifier && restB.hasModifier
    modifierInOne = restA.hasModifier != restB.hasModifier
    partInOne = restA.hasPart != restB.hasPart
    partConflict = restA.hasPart && restB.hasPart
    facilityInOne = (restA.facility == nil) != (restB.facility == nil)
    // Two words for one kind of place, such as Hotel and Inn, are weaker evidence.
    if let one = restA.facility, let other = restB.facility { facilityConflict = one.groups & other.groups != 0 ? 0.3 : 1 }
    restGroups = (restA.groups, restB.groups)
    // The words of two scripts cannot be compared one by one.
    guard !otherScript else { return }
    func firstWordIsUnpaired(_ name: PairedWords) -> Bool {
      name.range.first { words[$0].kind != .filler }.map { name.isFree($0) } ?? false
    }
    firstWordInOne = firstWordIsUnpaired(a) != firstWordIsUnpaired(b)
  }

  /// The maximum number of words of a name that are paired with those of the other name. The work grows with the number of pairs, and
  /// `PairedWords` has one bit of 32 for each word.
  static let maxPairedWords = 24

  /// The first words of a name, and which of them have a partner in the other name.
  private struct PairedWords {
    let range: Range<Int>
    /// One bit for each word, set if the word has a partner. The lowest bit is that of the first word.
    private var paired: UInt32 = 0

    init(_ words: Range<Int>) { range = words.prefix(NameComparison.maxPairedWords) }

    func isFree(_ index: Int) -> Bool { paired & 1 << UInt32(index - range.startIndex) == 0 }
    mutating func take(_ index: Int) { paired |= 1 << UInt32(index - range.startIndex) }
  }

  /// Pairs the words of two names, and sets `sharedWeight` and `sharedNames`. Equal words are paired first. Then a word is paired with two
  /// words of the other name that have its letters. Then each remaining word of the first name is paired with the most similar remaining
  /// word of the second name.
  private mutating func pairWords(_ a: inout PairedWords, _ b: inout PairedWords, in words: WordBuffer) {
    for i in a.range {
      for j in b.range where b.isFree(j) && words[i].key == words[j].key {
        a.take(i)
        b.take(j)
        sharedWeight += min(words[i].weight, words[j].weight)
        if words[i].isDistinctiveName { sharedNames += 1 }
        break
      }
    }
    if a.range.count < b.range.count {
      for i in a.range where a.isFree(i) && words[i].length >= 4 { pairSpaced(i, of: &a, with: &b, in: words) }
    } else if b.range.count < a.range.count {
      for j in b.range where b.isFree(j) && words[j].length >= 4 { pairSpaced(j, of: &b, with: &a, in: words) }
    }
    for i in a.range where a.isFree(i) {
      var best = (similarity: 0.0, index: 0)
      for j in b.range where b.isFree(j) {
        let similarity = words.similarity(words[i], words[j])
        if similarity > best.similarity { best = (similarity, j) }
      }
      guard best.similarity > 0 else { continue }
      a.take(i)
      b.take(best.index)
      sharedWeight += best.similarity * min(words[i].weight, words[best.index].weight)
    }
  }

  /// Pairs a word with two words of the other name that have the same letters, as `Alfrank` with `Al Frank`.
  private mutating func pairSpaced(_ index: Int, of own: inout PairedWords, with other: inout PairedWords, in words: WordBuffer) {
    for j in other.range.dropLast() where other.isFree(j) && other.isFree(j + 1) {
      guard words[j].length + words[j + 1].length == words[index].length,
        words.letters[words[index].start..<words[index].end].elementsEqual(words.letters[words[j].start..<words[j + 1].end])
      else { continue }
      own.take(index)
      other.take(j)
      other.take(j + 1)
      sharedWeight += min(words[index].weight, words[j].weight + words[j + 1].weight)
      return
    }
  }

  /// The words of a name that have no partner, and the weight of all its words.
  private func unmatchedWords(
    _ name: PairedWords, _ towns: [Range<Int>], _ houseNumber: Int, in words: WordBuffer
  ) -> (UnmatchedWords, totalWeight: Double) {
    var unmatched = UnmatchedWords()
    var totalWeight = 0.0
    for index in name.range {
      totalWeight += words[index].weight
      guard name.isFree(index) else { continue }
      unmatched.weight += unmatchedWeight(words[index], towns, words)
      unmatched.add(words[index], houseNumber)
    }
    return (unmatched, totalWeight)
  }

  /// The weight of a word that the other name lacks. It is lower for the name of the town, which a name may contain or not.
  private func unmatchedWeight(_ word: Word, _ towns: [Range<Int>], _ words: WordBuffer) -> Double {
    let isTown = towns.contains { $0.contains { words[$0].key == word.key } }
    return isTown ? word.weight * 0.2 : word.weight
  }

  /// The properties of the words that have no partner in the other name.
  private struct UnmatchedWords {
    /// The sum of their weights, see `unmatchedWeight`.
    var weight = 0.0
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

    mutating func add(_ word: Word, _ houseNumber: Int) {
      switch word.kind {
      case .number: numbers.add(word, houseNumber: houseNumber)
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
    var tail = short.words
    while tail.count > 1, words[tail.lowerBound].kind == .filler { tail = tail.dropFirst() }
    guard !tail.isEmpty, tail.count < long.words.count else { return }
    var start = long.words.upperBound - tail.count
    guard zip(tail, start..<long.words.upperBound).allSatisfy({ words[$0].key == words[$1].key }) else { return }
    tailOfOther = start == long.head.upperBound
    while start > long.words.lowerBound, words[start - 1].kind == .filler {
      start -= 1
      if WordTable.prepositions.contains(words[start].key), start > long.words.lowerBound { insideOther = true }
    }
    tailOfOther = (tailOfOther || start == long.head.upperBound) && !insideOther
    endOfOther = start > long.words.lowerBound && !tailOfOther && !insideOther
  }

  /// Sets `insertedWeight`. Words that are equal at the beginning and at the end of both names are removed; fillers and legal forms are
  /// skipped. If nothing is left of the shorter name, the words that are left of the longer one are inserted.
  private mutating func compareInsertion(_ a: WordBuffer.TextSpan, _ b: WordBuffer.TextSpan, _ towns: [Range<Int>], in words: WordBuffer) {
    var (short, long) = (a.words, b.words)
    if short.count > long.count { swap(&short, &long) }
    // Most pairs are ruled out here, because the shorter name has words that the other lacks.
    guard short.count >= 2, long.count <= NameComparison.maxPairedWords, containment >= 0.8 else { return }
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
    let minWeight = a.script == .characters && b.script == .characters ? 1.0 : 0
    insertedWeight = long.reduce(0) { $0 + (words[$1].kind == .name ? max(minWeight, unmatchedWeight(words[$1], towns, words)) : 0) }
  }
}
