import SQLite

/// Finds the prefixes of names and words that differ from a text by a few typing errors.
///
/// An error is an insertion, a deletion, a substitution or a transposition of neighbours (optimal string alignment, Boytsov 2011). A
/// different first letter counts as one more error, since it is rarely mistyped (Pollock and Zamora 1984).
///
/// The search extends a prefix letter by letter, as in a trie, and follows only prefixes that the filter contains. Bit vectors record which
/// beginnings of the typed text the prefix matches with how many errors (Wu and Manber 1992; transpositions as by Hyyrö 2003), so that a
/// letter costs a few instructions and no memory is allocated for it.
struct TypoTolerance {
  /// A prefix that exists in the index, and its number of typing errors.
  struct Guess: Hashable {
    var text: [UInt8]
    var errors: Int
    /// Whether it has more errors than `allowedErrors` and the typed first letter, so that only a well-known place may be meant.
    var needsWellKnown = false
    /// Whether another guess with as many or fewer errors is a prefix of this one. All names that start with this guess also start with the
    /// other one, so this guess is looked up only as a whole name.
    var isCovered = false
  }

  /// The number of errors that are allowed in a text of this length in bytes: one from four on, two from eight on.
  static func allowedErrors(_ length: Int) -> Int { length < 4 ? 0 : length < 8 ? 1 : 2 }
  /// The same number for the whole names of well-known places: two from six bytes on, so `chigaco` is Chicago.
  static func allowedErrorsInWellKnown(_ length: Int) -> Int { length < 6 ? allowedErrors(length) : 2 }

  /// The maximum length in bytes of a text that is corrected as a whole. Of a longer text only the beginning is corrected, because the
  /// filter has no longer prefixes.
  static let maxTypedLength = PrefixFilter.maxLength - 2

  /// The minimum length in bytes of a text that is corrected although it matches as typed. A shorter text is more likely a prefix: `vadu`
  /// of Vaduz, rather than an error for Vada. Also the minimum length of a word that is corrected in a query of several words.
  static let minAlternativeLength = 5
  /// The minimum length of a text whose first letter may be wrong.
  static let minFirstLetterLength = 5
  /// The minimum length of a text that may be a mistyped prefix.
  static let minPrefixLength = 6
  /// The minimum length of a text that is corrected to a name in another language or to a common alias. A shorter text is corrected only to
  /// such names of well-known places: `pekng` is Peking.
  static let minOtherNameLength = 6
  /// The importance of a well-known place: a city of half a million people with names in many languages.
  static let wellKnownImportance = 0.8

  /// The typed text, folded and cut to `maxTypedLength`.
  private let typedBytes: [UInt8]
  private let filter: PrefixFilter
  /// The maximum number of errors, 1 or 2.
  private let errorLimit: Int
  /// Whether the first letter of a guess must differ from the typed one; otherwise it must be the same.
  private let changesFirstLetter: Bool
  /// The letters that a prefix may contain. There are at most 26 + `maxTypedLength`, so 64 bits can represent a set of them.
  private let alphabet: [UInt8]
  /// For each letter, the bits of its positions in the typed text.
  private let positions: [UInt64]
  /// A buffer that begins with the current prefix.
  private var text: [UInt8]
  private var guesses: [Guess] = []

  /// The beginnings of the typed text that a prefix matches with no error, with at most one, and with at most two. Bit i means the first i
  /// letters of the typed text.
  private struct Matches {
    var exact: UInt64 = 0
    var upToOneError: UInt64 = 0
    /// Not computed if only one error is allowed.
    var upToTwoErrors: UInt64 = 0
  }

  /// The guesses for a folded text, or for the first `maxTypedLength` bytes of it, with at most `errors` errors, ordered by their number.
  /// If `errors` is 2, a text of at least `minFirstLetterLength` also has guesses with another first letter, which count as two errors. Any
  /// other guess with more than `allowedErrors` may only be a well-known place; there are none if `allowsWellKnown` is false.
  static func guesses(for text: String, errors: Int, allowsWellKnown: Bool = false, in filter: PrefixFilter) -> [Guess] {
    let typedBytes = Array(text.utf8.prefix(maxTypedLength))
    let usualErrors = allowedErrors(typedBytes.count)
    let errorLimit = min(errors, allowsWellKnown ? allowedErrorsInWellKnown(typedBytes.count) : usualErrors)
    guard errorLimit > 0 else { return [] }
    var guesses = search(typedBytes, errorLimit, changesFirstLetter: false, in: filter).map {
      Guess(text: $0.text, errors: $0.errors, needsWellKnown: $0.errors > usualErrors)
    }
    if errors > 1, typedBytes.count >= minFirstLetterLength {
      // The different first letter counts as one more error.
      guesses += search(typedBytes, 1, changesFirstLetter: true, in: filter).map { Guess(text: $0.text, errors: $0.errors + 1) }
    }
    // A different number is a different house, not an error.
    let typedDigits = digits(typedBytes)
    if !typedDigits.isEmpty { guesses.removeAll { digits($0.text) != typedDigits } }
    return inOrder(guesses, shortestLength: max(1, typedBytes.count - errorLimit))
  }

  /// The guesses in the order in which the search finds them, with `needsWellKnown` and `isCovered` not set.
  /// - Parameter changesFirstLetter: whether the guesses begin with another letter than the typed text; otherwise with the same one.
  private static func search(
    _ typedBytes: [UInt8], _ errorLimit: Int, changesFirstLetter: Bool, in filter: PrefixFilter
  ) -> [Guess] {
    var guessSearch = TypoTolerance(
      typedBytes: typedBytes, filter: filter, errorLimit: errorLimit, changesFirstLetter: changesFirstLetter)
    // Before the first letter, each skipped letter of the typed text is an error.
    let matches = Matches(exact: 0b1, upToOneError: 0b11, upToTwoErrors: errorLimit > 1 ? 0b111 : 0)
    guessSearch.extend(0, PrefixFilter.seed, matches, previousMatches: Matches())
    return guessSearch.guesses
  }

  private static func digits(_ text: [UInt8]) -> [UInt8] { text.filter(\.isDigit) }

  private init(typedBytes: [UInt8], filter: PrefixFilter, errorLimit: Int, changesFirstLetter: Bool) {
    self.typedBytes = typedBytes
    self.filter = filter
    self.errorLimit = errorLimit
    self.changesFirstLetter = changesFirstLetter
    var letters = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
    // Other typed letters are possible, too.
    letters += Set(typedBytes).subtracting(letters).sorted()
    alphabet = letters
    var positions = [UInt64](repeating: 0, count: 256)
    for (position, letter) in typedBytes.enumerated() { positions[Int(letter)] |= 1 << UInt64(position) }
    self.positions = positions
    text = [UInt8](repeating: 0, count: typedBytes.count + errorLimit)
  }

  /// Tries every letter after a prefix.
  /// - Parameters:
  ///   - length: the length of the prefix, which is the beginning of `text`.
  ///   - hash: the hash of the prefix.
  ///   - matches: the matches of the prefix.
  ///   - previousMatches: the matches of the prefix without its last letter.
  private mutating func extend(_ length: Int, _ hash: UInt64, _ matches: Matches, previousMatches: Matches) {
    guard length < text.count else { return }
    // The beginnings of the typed text that the prefix matches with at most `errorLimit` errors, and those with fewer errors.
    let (withinLimit, belowLimit) =
      errorLimit > 1 ? (matches.upToTwoErrors, matches.upToOneError) : (matches.upToOneError, matches.exact)
    if belowLimit != 0 {
      // One more error is allowed, so any letter can follow. All letters are looked up before any of them is appended, so that the cache
      // misses of the look-ups overlap.
      var possibleLetters: UInt64 = 0
      for index in alphabet.indices where mayFollow(alphabet[index], length, hash) { possibleLetters |= 1 << UInt64(index) }
      while possibleLetters != 0 {
        append(alphabet[possibleLetters.trailingZeroBitCount], length, hash, matches, previousMatches)
        possibleLetters &= possibleLetters &- 1
      }
      return
    }
    // If no error is left, only the letters that were typed here can follow, or the second letter of a transposition.
    let previousBelowLimit = errorLimit > 1 ? previousMatches.upToOneError : previousMatches.exact
    let transposedPositions = length == 0 ? 0 : previousBelowLimit & positionsBefore(text[length - 1])
    var candidatePositions = (withinLimit | transposedPositions) & ((1 << UInt64(typedBytes.count)) - 1)
    while candidatePositions != 0 {
      let letter = typedBytes[candidatePositions.trailingZeroBitCount]
      candidatePositions &= ~positions[Int(letter)]
      if mayFollow(letter, length, hash) { append(letter, length, hash, matches, previousMatches) }
    }
  }

  /// Whether a letter may follow a prefix of `length` letters with this hash.
  private func mayFollow(_ letter: UInt8, _ length: Int, _ hash: UInt64) -> Bool {
    (length > 0 || (letter != typedBytes[0]) == changesFirstLetter) && filter.mayContain(PrefixFilter.extended(hash, letter))
  }

  /// The positions before those of a letter.
  private func positionsBefore(_ letter: UInt8) -> UInt64 { positions[Int(letter)] >> 1 }

  /// Appends a letter to the prefix. If the longer prefix matches the whole typed text, it becomes a guess; if it matches any beginning of
  /// this text, it is extended further. The other parameters are as for `extend`.
  private mutating func append(
    _ letter: UInt8, _ length: Int, _ hash: UInt64, _ matches: Matches, _ previousMatches: Matches
  ) {
    let newMatches = extendedMatches(letter, length, matches, previousMatches)
    text[length] = letter
    let wholeTextBit: UInt64 = 1 << UInt64(typedBytes.count)
    let allMatches = newMatches.upToOneError | newMatches.upToTwoErrors
    if allMatches & wholeTextBit != 0 {
      let errors = newMatches.exact & wholeTextBit != 0 ? 0 : newMatches.upToOneError & wholeTextBit != 0 ? 1 : 2
      guesses.append(Guess(text: Array(text[...length]), errors: errors))
    }
    if allMatches != 0 { extend(length + 1, PrefixFilter.extended(hash, letter), newMatches, previousMatches: matches) }
  }

  /// The matches with one more letter: the typed letter, or one error more for an insertion, substitution, deletion or transposition. The
  /// parameters are as for `append`.
  private func extendedMatches(_ letter: UInt8, _ length: Int, _ matches: Matches, _ previousMatches: Matches) -> Matches {
    let typedPositions = positions[Int(letter)]
    let transposedPositions = length == 0 ? 0 : typedPositions & positionsBefore(text[length - 1])
    var newMatches = Matches()
    newMatches.exact = (matches.exact & typedPositions) << 1
    newMatches.upToOneError =
      (matches.upToOneError & typedPositions) << 1
      | matches.exact | matches.exact << 1 | newMatches.exact << 1
      | (previousMatches.exact & transposedPositions) << 2
    if errorLimit > 1 {
      newMatches.upToTwoErrors =
        (matches.upToTwoErrors & typedPositions) << 1
        | matches.upToOneError | matches.upToOneError << 1 | newMatches.upToOneError << 1
        | (previousMatches.upToOneError & transposedPositions) << 2
    }
    // Bits beyond the end of the typed text have no meaning.
    let meaningfulBits: UInt64 = (2 << UInt64(typedBytes.count)) - 1
    newMatches.upToOneError &= meaningfulBits
    newMatches.upToTwoErrors &= meaningfulBits
    return newMatches
  }

  /// The guesses, ordered by their number of errors and their length, with `isCovered` set.
  /// - Parameter shortestLength: the length of the shortest possible guess.
  private static func inOrder(_ guesses: [Guess], shortestLength: Int) -> [Guess] {
    var coveringTexts: Set<[UInt8]> = []
    var result: [Guess] = []
    for guess in guesses.sorted(by: { ($0.errors, $0.text.count) < ($1.errors, $1.text.count) }) {
      let length = guess.text.count
      let isCovered =
        length >= shortestLength && (shortestLength...length).contains { coveringTexts.contains(Array(guess.text[..<$0])) }
      if !isCovered, !guess.needsWellKnown { coveringTexts.insert(guess.text) }
      result.append(Guess(text: guess.text, errors: guess.errors, needsWellKnown: guess.needsWellKnown, isCovered: isCovered))
    }
    return result
  }
}

extension CandidateSearch {
  /// Adds places whose names, without spaces, match the words with errors.
  /// - Parameters:
  ///   - words: the words of the name.
  ///   - errors: the maximum number of typing errors.
  ///   - isAlternative: whether other rows match without errors. If so, only whole names count, and names in other languages do not.
  ///   - areas: a place must lie in an area of each set.
  mutating func matchWithErrors(_ words: ArraySlice<String>, errors: Int, isAlternative: Bool, in areas: [AreaSet]) throws(SQLiteError) {
    let key = words.joined()
    let length = key.utf8.count
    // If there are several words, their first `maxTypedLength` bytes alone mean too little.
    guard words.count == 1 || length <= TypoTolerance.maxTypedLength else { return }
    // Only the beginning of a long word is corrected, and the beginning is not a whole name.
    let isCut = length > TypoTolerance.maxTypedLength
    if isCut, isAlternative { return }
    let wholeNamesOnly = isAlternative || length < TypoTolerance.minPrefixLength || !mayContinue(words)
    // One of several words may name an area, so the two errors that are allowed in a well-known name are not tried in all words together:
    // `paris il` is not Paris.
    let allowsWellKnown = query.words.count == 1
    for guess in TypoTolerance.guesses(for: key, errors: errors, allowsWellKnown: allowsWellKnown, in: file.mapped.prefixes) {
      let needsWellKnown = guess.needsWellKnown
      let errorFactor = MatchWeight.errors[min(guess.errors, MatchWeight.errors.count - 1)]
      let weight = needsWellKnown ? MatchWeight.errorsInWellKnown : errorFactor
      let guessedName = String(decoding: guess.text, as: UTF8.self)
      for lookup in query.nameLookups {
        // Spelled names are also terms of other kinds.
        guard let text = query.lookupText(for: guessedName, wordCount: 1, in: lookup.kind), lookup.kind != .spelledName,
          !(lookup.isLowConfidence && isAlternative)
        else { continue }
        if !isCut, let list = try file.places(lookup.kind, text) {
          let isShortForOtherName = length < TypoTolerance.minOtherNameLength && (lookup.isLowConfidence || lookup.kind == .commonAlias)
          let countBefore = offeredCount
          try walk(
            [list], weight: weight * lookup.wholeWeight, in: areas,
            minImportance: isShortForOtherName || needsWellKnown ? TypoTolerance.wellKnownImportance : 0)
          if offeredCount > countBefore { hasWholeMatch = true }
        }
        guard !wholeNamesOnly, !needsWellKnown, let prefixWeight = lookup.prefixWeight, !guess.isCovered, !lookup.isLowConfidence,
          let list = try file.places(lookup.kind, startingWith: text)
        else {
          continue
        }
        try walk([list], weight: weight * prefixWeight, in: areas)
      }
      // Only words of names that rows show are looked up, because some word of another name begins with nearly every guess.
      guard !wholeNamesOnly, !needsWellKnown, !guess.isCovered, let lookup = query.wordLookups.first, let prefixWeight = lookup.prefixWeight
      else { continue }
      if let list = try file.places(lookup.kind, startingWith: guessedName) {
        try walk([list], weight: weight * prefixWeight, in: areas, addressLists: addressLists([guessedName], lastWordIsComplete: false))
      }
    }
  }
}
