/// Similarities of strings, 0…1. Letters beyond the 64th are ignored.
extension WordBuffer {
  /// The Jaro–Winkler similarity (Winkler 1990): the share of letters that the other text has near the same position, with a bonus for up
  /// to four equal letters at the beginning.
  func jaroWinkler(_ a: Range<Int>, _ b: Range<Int>) -> Double {
    let a = a.prefix(64)
    let b = b.prefix(64)
    guard !a.isEmpty, !b.isEmpty else { return 0 }
    let window = max(max(a.count, b.count) / 2 - 1, 0)
    var matchedA: UInt64 = 0
    var matchedB: UInt64 = 0
    for i in 0..<a.count {
      let letter = letters[a.startIndex + i]
      var j = max(0, i - window)
      let last = min(b.count - 1, i + window)
      while j <= last {
        if matchedB & 1 << UInt64(j) == 0, letters[b.startIndex + j] == letter {
          matchedA |= 1 << UInt64(i)
          matchedB |= 1 << UInt64(j)
          break
        }
        j += 1
      }
    }
    let matches = matchedA.nonzeroBitCount
    guard matches > 0 else { return 0 }
    var transposed = 0
    var remaining = matchedB
    for i in 0..<a.count where matchedA & 1 << UInt64(i) != 0 {
      if letters[a.startIndex + i] != letters[b.startIndex + remaining.trailingZeroBitCount] { transposed += 1 }
      remaining &= remaining - 1
    }
    let m = Double(matches)
    let jaro = (m / Double(a.count) + m / Double(b.count) + (m - Double(transposed / 2)) / m) / 3
    var prefix = 0
    while prefix < min(4, a.count, b.count), letters[a.startIndex + prefix] == letters[b.startIndex + prefix] { prefix += 1 }
    return jaro + Double(prefix) * 0.1 * (1 - jaro)
  }

  /// 1 minus the Levenshtein distance divided by the longer length, computed with the bit-parallel algorithm of Myers (1999).
  func editSimilarity(_ a: Range<Int>, _ b: Range<Int>) -> Double { WordBuffer.editSimilarity(self, a, self, b) }

  /// The similarity of `editSimilarity` for ranges of two buffers.
  static func editSimilarity(_ first: WordBuffer, _ a: Range<Int>, _ second: WordBuffer, _ b: Range<Int>) -> Double {
    let a = a.prefix(64)
    let b = b.prefix(64)
    guard !a.isEmpty, !b.isEmpty else { return 0 }
    var positions = InlineArray<64, UInt64>(repeating: 0)
    for i in 0..<a.count { positions[WordBuffer.slot(first.letters[a.startIndex + i])] |= 1 << UInt64(i) }
    // One bit for each cell of the current column: whether its distance is one more or one less than in the cell above it (vertical) or
    // before it (horizontal), and whether it is that of the cell diagonally before it.
    var verticalPlus: UInt64 = .max
    var verticalMinus: UInt64 = 0
    var distance = a.count
    let last: UInt64 = 1 << UInt64(a.count - 1)
    for index in b {
      let equal = positions[WordBuffer.slot(second.letters[index])]
      let diagonal = (((equal & verticalPlus) &+ verticalPlus) ^ verticalPlus) | equal | verticalMinus
      var horizontalPlus = verticalMinus | ~(diagonal | verticalPlus)
      var horizontalMinus = verticalPlus & diagonal
      if horizontalPlus & last != 0 { distance += 1 }
      if horizontalMinus & last != 0 { distance -= 1 }
      horizontalPlus = horizontalPlus << 1 | 1
      horizontalMinus <<= 1
      verticalPlus = horizontalMinus | ~(diagonal | horizontalPlus)
      verticalMinus = horizontalPlus & diagonal
    }
    return 1 - Double(distance) / Double(max(a.count, b.count))
  }

  /// The index of a letter, digit or sign, below 64. The bytes of pictures (`SymbolNormalization.isPicture`) share the indices of others.
  private static func slot(_ letter: UInt8) -> Int { Int(letter & 31) | (letter < 0x60 ? 32 : 0) }

  /// The similarity of two words, which allows for a typing error, an ending or an abbreviation, 0…1.
  func similarity(_ a: Word, _ b: Word) -> Double {
    if a.key == b.key { return 1 }
    if a.kind == .number || b.kind == .number || a.kind == .symbol || b.kind == .symbol { return 0 }
    let shorter = min(a.length, b.length)
    // One of the words is an initial.
    if shorter == 1 { return letters[a.start] == letters[b.start] ? 0.4 : 0 }
    // The shorter word is an abbreviation, or the longer word without its ending.
    if shorter >= 3, startsAlike(a, b, shorter) { return shorter >= 4 ? 0.85 : 0.7 }
    // Words whose lengths differ by more than half of the shorter one are not misspellings of each other.
    guard shorter >= 4, max(a.length, b.length) * 2 <= shorter * 3 else { return 0 }
    let similarity = jaroWinkler(a.start..<a.end, b.start..<b.end)
    return similarity < 0.86 ? 0 : similarity * similarity
  }

  /// Whether one text abbreviates the other, as Ore and OR abbreviate Oregon, and NJ New Jersey. Both begin with the same letter, the
  /// longer text has all letters of the shorter one in order, and both have the same digits or one has none.
  func abbreviates(_ a: TextSpan, _ b: TextSpan) -> Bool {
    let (first, second) = (letters[joined(a.words)], letters[joined(b.words)])
    let (short, long) = first.count < second.count ? (first, second) : (second, first)
    let digits = (short.filter(NumberWord.isDigit), long.filter(NumberWord.isDigit))
    guard short.first == long.first, digits.0 == digits.1 || digits.0.isEmpty || digits.1.isEmpty else { return false }
    var remaining = short
    for letter in long where letter == remaining.first { remaining.removeFirst() }
    return remaining.isEmpty
  }

  /// Whether the first `count` letters of two words are equal.
  private func startsAlike(_ a: Word, _ b: Word, _ count: Int) -> Bool {
    for offset in 0..<count where letters[a.start + offset] != letters[b.start + offset] { return false }
    return true
  }

  /// The first 32 consonants of a text. Consonants that sound alike are represented by one letter: c, k and q; v, f and ph; sh, zh and s…
  /// A consonant that equals the one before it is dropped, even if vowels are between them. The rest of the array is 0.
  func skeleton(_ range: Range<Int>) -> InlineArray<32, UInt8> {
    var skeleton = InlineArray<32, UInt8>(repeating: 0)
    var count = 0
    for index in range {
      let next = index + 1 < range.upperBound ? letters[index + 1] : 0
      let consonant = WordBuffer.consonantClass(letters[index], next)
      guard consonant != 0, count < 32, count == 0 || skeleton[count - 1] != consonant else { continue }
      skeleton[count] = consonant
      count += 1
    }
    return skeleton
  }

  /// The similarity of two consonant skeletons: twice the longest common subsequence over both lengths.
  func skeletonSimilarity(_ a: Range<Int>, _ b: Range<Int>) -> Double {
    let first = skeleton(a)
    let second = skeleton(b)
    var best = InlineArray<33, UInt8>(repeating: 0)
    var (lengthA, lengthB) = (0, 0)
    while lengthB < 32, second[lengthB] != 0 { lengthB += 1 }
    while lengthA < 32, first[lengthA] != 0 {
      var diagonal: UInt8 = 0
      for j in 0..<lengthB {
        let above = best[j + 1]
        best[j + 1] = first[lengthA] == second[j] ? diagonal + 1 : max(above, best[j])
        diagonal = above
      }
      lengthA += 1
    }
    guard lengthA + lengthB > 0 else { return 0 }
    return 2 * Double(best[lengthB]) / Double(lengthA + lengthB)
  }

  private static func consonantClass(_ letter: UInt8, _ next: UInt8) -> UInt8 {
    switch (letter, next) {
    case (UInt8(ascii: "c"), UInt8(ascii: "h")), (UInt8(ascii: "c"), UInt8(ascii: "i")), (UInt8(ascii: "c"), UInt8(ascii: "e")):
      UInt8(ascii: "s")
    case (UInt8(ascii: "p"), UInt8(ascii: "h")): UInt8(ascii: "f")
    default: consonantClasses[Int(letter)]
    }
  }

  private static let consonantClasses: [UInt8] = {
    var classes = [UInt8](repeating: 0, count: 256)
    for group in ["bp", "kcqgx", "td", "fv", "sz", "l", "m", "n", "r"] {
      for letter in group.utf8 { classes[Int(letter)] = group.utf8.first ?? 0 }
    }
    return classes
  }()
}
