/// Words that are numbers: `12`, `12th`, `012`, `B12`, `3A`.
enum NumberWord {
  static func isDigit(_ letter: UInt8) -> Bool { (0x30...0x39).contains(letter) }

  /// The significant part of a number: without leading zeros, and without an ordinal ending (`12th`) or a unit of hours (`24h`).
  /// - Parameter word: the range of the number in the bytes.
  static func significantPart(_ letters: [UInt8], _ word: Range<Int>) -> Range<Int> {
    var (start, end) = (word.lowerBound, word.lowerBound)
    while end < word.upperBound, isDigit(letters[end]) { end += 1 }
    guard end > start else { return word }
    while start + 1 < end, letters[start] == UInt8(ascii: "0") { start += 1 }
    let isPlain = end == word.upperBound || endings.contains(Word.key(of: letters, end..<word.upperBound))
    return start..<(isPlain ? end : word.upperBound)
  }

  private static let endings: Set<UInt64> = Set(
    ["st", "nd", "rd", "th", "er", "ere", "eme", "ste", "de", "h", "hr", "hrs"].map { Word.key(of: $0) })
}

extension Word {
  /// Whether the word is a number, a single letter or a symbol, which distinguishes neighbours: Gate 3, Terminal A, Pizza 🍕.
  var isDesignator: Bool { kind == .number || kind == .symbol || length == 1 }
}

extension WordBuffer {
  /// Whether two names have different designators at the same position.
  ///
  /// Two numbers are not compared here. Symbols are compared with symbols only, other designators by their first letter. Two positions are
  /// the same if they are after the same word, and before the same word or the end of either name (or of its head); or if they are at the
  /// beginning of both names and before the same word.
  func areOpposedDesignators(_ i: Int, in a: TextSpan, _ j: Int, in b: TextSpan) -> Bool {
    guard words[i].isDesignator, words[j].isDesignator, words[i].kind != .number || words[j].kind != .number,
      (words[i].kind == .symbol) == (words[j].kind == .symbol),
      words[i].kind == .symbol ? words[i].key != words[j].key : letters[words[i].start] != letters[words[j].start]
    else { return false }
    let (nextA, nextB) = (i + 1, j + 1)
    let eitherEnds = nextA == a.words.upperBound || nextA == a.head.upperBound || nextB == b.words.upperBound || nextB == b.head.upperBound
    let followedAlike = nextA < a.words.upperBound && nextB < b.words.upperBound && words[nextA].key == words[nextB].key
    guard i > a.words.lowerBound, j > b.words.lowerBound else {
      return i == a.words.lowerBound && j == b.words.lowerBound && followedAlike
    }
    return words[i - 1].key == words[j - 1].key && (eitherEnds || followedAlike)
  }
}

/// The numbers of one name that the other lacks.
struct UnmatchedNumbers: Sendable {
  /// The sum of the numbers. It is compared instead of each number, because there is rarely more than one.
  private var sum = 0
  /// Whether a number has letters before its digits, as in `T1`, or after them, as in `3A`.
  private var isPrefixed = false
  private var isSuffixed = false
  /// Whether one of the numbers is a denominator: `3/4` is the two words `3` and `/4`. A name with a fraction and the same name without it
  /// mean two places.
  private var isFraction = false
  private(set) var isEmpty = true

  /// Adds a number, except a code of four or more digits, which often only one of the services knows.
  /// - Parameter houseNumber: the house number of the rows, which is not added, because often only one name contains it; 0 for none.
  mutating func add(_ word: Word, houseNumber: Int) {
    // The key of a word of up to seven letters contains them; that of a longer word is a hash, with a top byte that is not 0.
    guard word.key >> 56 == 0 else { return }
    var (value, digits, prefix, suffix, sign) = (0, 0, false, false, 1)
    for shift in stride(from: 48, through: 0, by: -8) {
      let letter = UInt8(truncatingIfNeeded: word.key >> UInt64(shift))
      if NumberWord.isDigit(letter) {
        (value, digits) = (value * 10 + Int(letter - 0x30), digits + 1)
      } else if letter == UInt8(ascii: "-") {
        sign = -1
      } else if letter == UInt8(ascii: "/") {
        (prefix, isFraction) = (true, true)
      } else if letter != 0 {
        if digits == 0 { prefix = true } else { suffix = true }
      }
    }
    guard digits <= 3, value != houseNumber || houseNumber == 0 || prefix || suffix else { return }
    sum += sign * value
    isPrefixed = isPrefixed || prefix
    isSuffixed = isSuffixed || suffix
    isEmpty = false
  }

  /// Whether the numbers of two names show that the names mean two places. A fraction that only one name has shows it. Otherwise both names
  /// must have numbers, and these must not be one number in two forms, as in `Terminal T1` and `Terminal 1`.
  func conflict(with other: UnmatchedNumbers) -> Bool {
    guard !isEmpty, !other.isEmpty else { return isFraction != other.isFraction }
    return sum != other.sum || isSuffixed || other.isSuffixed || (isPrefixed && other.isPrefixed)
  }
}
