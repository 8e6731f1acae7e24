import SQLite

/// Finds the texts that a mistyped one may have been meant for, among the prefixes of all names and words.
///
/// An error is a letter too much, too few, a wrong one, or two neighbours exchanged (optimal string alignment, Boytsov 2011). The
/// search goes through the letters one by one and follows only prefixes that the filter knows, as along a trie.
struct TypingErrors {
  /// A prefix that exists, and how many errors separate it from what was typed.
  struct Guess: Hashable {
    var text: [UInt8]
    var errors: Int
  }

  private let typed: [UInt8]
  private let filter: PrefixFilter
  private let allowed: Int
  private let alphabet: [UInt8]
  private var guesses: [Guess] = []

  /// One error from four letters on, two from eight; none in longer texts than the filter knows.
  static func allowed(_ length: Int) -> Int { length < 4 || length + 2 > PrefixFilter.longest ? 0 : length < 8 ? 1 : 2 }

  /// The guesses for a folded text, the fewest errors first; without those that only make another guess longer.
  static func guesses(for text: String, in filter: PrefixFilter) -> [Guess] {
    let typed = Array(text.utf8)
    let allowed = allowed(typed.count)
    guard allowed > 0 else { return [] }
    var search = TypingErrors(typed: typed, filter: filter, allowed: allowed)
    var text: [UInt8] = []
    search.follow(&text, PrefixFilter.seed, rows: [Array(0...typed.count)])
    return search.shortest()
  }

  private init(typed: [UInt8], filter: PrefixFilter, allowed: Int) {
    self.typed = typed
    self.filter = filter
    self.allowed = allowed
    var letters = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
    // A wrong digit is another house, so digits are looked for only where some were typed; what else was typed stays possible.
    letters += Set(typed).subtracting(letters).sorted()
    alphabet = letters
  }

  /// `rows` are the last rows of the distance table, one for each letter of `text` and one for none.
  private mutating func follow(_ text: inout [UInt8], _ hash: UInt64, rows: [[Int]]) {
    guard let row = rows.last, text.count < typed.count + allowed else { return }
    // Without errors to spare only the letters that were typed here can go on.
    let spare = row.contains { $0 < allowed }
    var next: [UInt8] = []
    if spare {
      next = alphabet
    } else {
      for (index, errors) in row.dropLast().enumerated() where errors <= allowed && !next.contains(typed[index]) {
        next.append(typed[index])
      }
      // An exchange that has begun ends with the letter before it.
      if rows.count > 1 {
        for (index, errors) in rows[rows.count - 2].enumerated().dropLast(2) where errors < allowed && !next.contains(typed[index]) {
          next.append(typed[index])
        }
      }
    }
    for letter in next {
      let extended = PrefixFilter.extended(hash, letter)
      guard filter.mayContain(extended) else { continue }
      text.append(letter)
      let row = distances(text, rows)
      if let whole = row.last, whole <= allowed { guesses.append(Guess(text: text, errors: whole)) }
      if row.contains(where: { $0 <= allowed }) { follow(&text, extended, rows: rows.suffix(1) + [row]) }
      text.removeLast()
    }
  }

  /// The table's next row: errors between the text and each beginning of what was typed.
  private func distances(_ text: [UInt8], _ rows: [[Int]]) -> [Int] {
    guard let above = rows.last, let letter = text.last else { return [] }
    var row = [text.count]
    row.reserveCapacity(above.count)
    for index in typed.indices {
      var errors = min(above[index] + (typed[index] == letter ? 0 : 1), above[index + 1] + 1, row[index] + 1)
      if index > 0, text.count > 1, rows.count > 1, typed[index - 1] == letter, typed[index] == text[text.count - 2] {
        errors = min(errors, rows[rows.count - 2][index - 1] + 1)
      }
      row.append(errors)
    }
    return row
  }

  private func shortest() -> [Guess] {
    var kept: [[UInt8]: Int] = [:]
    var result: [Guess] = []
    for guess in guesses.sorted(by: { ($0.errors, $0.text.count) < ($1.errors, $1.text.count) }) {
      let covered = guess.text.indices.contains { kept[Array(guess.text[...$0])] != nil }
      if covered { continue }
      kept[guess.text] = guess.errors
      result.append(guess)
    }
    return result
  }
}

extension Matcher {
  /// Finds places by guesses at what the words, written together, were meant to be.
  mutating func matchWithErrors(_ words: ArraySlice<String>, in areas: [AreaSet]) throws(SQLiteError) {
    guard let prefixes = try file.prefixes() else { return }
    for guess in TypingErrors.guesses(for: words.joined(), in: prefixes) {
      let weight = MatchWeight.errors[min(guess.errors, MatchWeight.errors.count - 1)]
      let text = String(decoding: guess.text, as: UTF8.self)
      for (kind, start) in [
        (TermKind.name, MatchWeight.nameStart), (.otherName, MatchWeight.otherNameStart), (.word, MatchWeight.wordStarts),
      ] {
        if let list = try file.places(kind, startingWith: text) { try walk([list], weight * start, areas) }
      }
      if let list = try file.places(.name, text) { try walk([list], weight * MatchWeight.name, areas) }
    }
  }
}
