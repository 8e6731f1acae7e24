import SQLite

/// Finds the texts that a mistyped one may have been meant for, among the prefixes of all names and words.
///
/// An error is a letter too much, too few, a wrong one, or two neighbours exchanged (optimal string alignment, Boytsov 2011). The
/// search goes letter by letter, as along a trie, and follows only prefixes that the filter knows. Of the table of distances
/// it keeps the band around the diagonal in which the errors allowed can lie.
struct TypingErrors {
  /// A prefix that exists, and how many errors separate it from what was typed.
  struct Guess: Hashable {
    var text: [UInt8]
    var errors: Int
    /// Another guess with no more errors begins this one: what starts with it is found there, and only the whole name is left to look up.
    var isCovered = false
  }

  /// One error from four letters on, two from eight; none in longer texts than the filter knows.
  static func allowed(_ length: Int) -> Int { length < 4 || length + 2 > PrefixFilter.longest ? 0 : length < 8 ? 1 : 2 }

  private let typed: [UInt8]
  private let filter: PrefixFilter
  private let allowed: Int
  private let alphabet: [UInt8]
  private let width: Int
  /// The table's rows, one for each letter of the text so far and one before them.
  private var table: [UInt8]
  private var text: [UInt8]
  private var guesses: [Guess] = []

  /// The guesses for a folded text with at most so many errors, the fewest errors first.
  static func guesses(for text: String, errors: Int, in filter: PrefixFilter) -> [Guess] {
    let typed = Array(text.utf8)
    let allowed = min(errors, allowed(typed.count))
    guard allowed > 0 else { return [] }
    var search = TypingErrors(typed: typed, filter: filter, allowed: allowed)
    search.follow(0, PrefixFilter.seed)
    return search.inOrder()
  }

  private init(typed: [UInt8], filter: PrefixFilter, allowed: Int) {
    self.typed = typed
    self.filter = filter
    self.allowed = allowed
    var letters = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
    // A wrong digit is another house, so digits are looked for only where some were typed; what else was typed stays possible.
    letters += Set(typed).subtracting(letters).sorted()
    alphabet = letters
    width = typed.count + 1
    let depth = typed.count + allowed + 1
    table = [UInt8](repeating: UInt8(allowed + 1), count: width * depth)
    text = [UInt8](repeating: 0, count: depth)
    for column in 0...min(allowed, typed.count) { table[column] = UInt8(column) }
  }

  /// Tries every letter behind the first `length` letters of the text.
  private mutating func follow(_ length: Int, _ hash: UInt64) {
    guard length < typed.count + allowed else { return }
    if hasSpare(length) {
      for letter in alphabet { step(length, hash, letter) }
    } else {
      // Without errors to spare only what was typed here can go on, or the second half of an exchange.
      var tried: UInt64 = 0
      for column in band(length) where column < typed.count && mayGoOn(length, column) {
        let bit: UInt64 = 1 << UInt64(typed[column] & 63)
        if tried & bit == 0 || length == 0 { step(length, hash, typed[column]) }
        tried |= bit
      }
    }
  }

  private func band(_ row: Int) -> ClosedRange<Int> { max(0, min(typed.count, row - allowed))...min(typed.count, row + allowed) }

  private func hasSpare(_ row: Int) -> Bool {
    for column in band(row) where table[row * width + column] < allowed { return true }
    return false
  }

  private func mayGoOn(_ row: Int, _ column: Int) -> Bool {
    if table[row * width + column] <= allowed { return true }
    return row > 0 && column + 1 < typed.count && table[(row - 1) * width + column] < allowed && typed[column + 1] == text[row - 1]
  }

  private mutating func step(_ length: Int, _ hash: UInt64, _ letter: UInt8) {
    let extended = PrefixFilter.extended(hash, letter)
    guard filter.mayContain(extended) else { return }
    text[length] = letter
    let row = length + 1
    let least = fill(row, letter)
    let whole = Int(table[row * width + typed.count])
    if row + allowed >= typed.count, whole <= allowed { guesses.append(Guess(text: Array(text[..<row]), errors: whole)) }
    if least <= allowed { follow(row, extended) }
  }

  /// Fills a row of the table within its band; returns its least value.
  private mutating func fill(_ row: Int, _ letter: UInt8) -> Int {
    let beyond = UInt8(allowed + 1)
    let band = band(row)
    let (here, above) = (row * width, (row - 1) * width)
    if band.lowerBound > 0 { table[here + band.lowerBound - 1] = beyond }
    if band.upperBound < typed.count { table[here + band.upperBound + 1] = beyond }
    var least = beyond
    for column in band {
      var errors = min(beyond, table[above + column] &+ 1)
      if column > 0 {
        errors = min(errors, table[here + column - 1] &+ 1, table[above + column - 1] &+ (typed[column - 1] == letter ? 0 : 1))
        if column > 1, row > 1, typed[column - 2] == letter, typed[column - 1] == text[row - 2] {
          errors = min(errors, table[above - width + column - 2] &+ 1)
        }
      }
      table[here + column] = errors
      least = min(least, errors)
    }
    return Int(least)
  }

  /// The guesses in order, each told whether another covers it.
  private func inOrder() -> [Guess] {
    var kept: Set<[UInt8]> = []
    var result: [Guess] = []
    for guess in guesses.sorted(by: { ($0.errors, $0.text.count) < ($1.errors, $1.text.count) }) {
      let shortest = max(1, typed.count - allowed)
      let isCovered = guess.text.count >= shortest && (shortest...guess.text.count).contains { kept.contains(Array(guess.text[..<$0])) }
      if !isCovered { kept.insert(guess.text) }
      result.append(Guess(text: guess.text, errors: guess.errors, isCovered: isCovered))
    }
    return result
  }
}

extension Matcher {
  /// Finds places by guesses at what the words, written together, were meant to be.
  mutating func matchWithErrors(_ words: ArraySlice<String>, _ errors: Int, in areas: [AreaSet]) throws(SQLiteError) {
    guard let prefixes = try file.prefixes() else { return }
    for guess in TypingErrors.guesses(for: words.joined(), errors: errors, in: prefixes) {
      let weight = MatchWeight.errors[min(guess.errors, MatchWeight.errors.count - 1)]
      let text = String(decoding: guess.text, as: UTF8.self)
      if let list = try file.places(.name, text) { try walk([list], weight * MatchWeight.name, areas) }
      guard !guess.isCovered else { continue }
      for (kind, start) in [
        (TermKind.name, MatchWeight.nameStart), (.otherName, MatchWeight.otherNameStart), (.word, MatchWeight.wordStarts),
      ] {
        if let list = try file.places(kind, startingWith: text) { try walk([list], weight * start, areas) }
      }
    }
  }
}
