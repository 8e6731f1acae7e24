import SQLite

/// Finds the texts that a mistyped one may have been meant for, among the prefixes of all names and words.
///
/// An error is a letter too much, too few, a wrong one, or two neighbours exchanged (optimal string alignment, Boytsov 2011); another
/// first letter is one error more, since that one is seldom wrong (Pollock and Zamora 1984).
///
/// The search goes letter by letter, as along a trie, and follows only prefixes that the filter knows. What separates the text so far
/// from every beginning of what was typed is kept in one bit each (Wu and Manber 1992; exchanges after Hyyrö 2003), so that a letter
/// costs a handful of instructions and the search keeps its state on the stack.
struct TypoTolerance {
  /// A prefix that exists, and how many errors separate it from what was typed.
  struct Guess: Hashable {
    var text: [UInt8]
    var errors: Int
    /// Another guess with no more errors begins this one: what starts with it is found there, and only the whole name is left to look up.
    var isCovered = false
  }

  /// One error from four letters on, two from eight; none in longer texts than the filter knows.
  static func allowed(_ length: Int) -> Int { length < 4 || length + 2 > PrefixFilter.longest ? 0 : length < 8 ? 1 : 2 }

  /// In shorter texts that match as they are nothing is mistyped: `vadu` begins Vaduz, and is no Vada.
  static let shortestBeside = 5
  /// In shorter texts another first letter is another name, a beginning with an error begins anything, and another name with an error is
  /// any name but that of a place which all the world knows: `pekng` is Peking.
  static let shortestChanged = 5
  static let shortestStart = 6
  static let shortestOther = 6
  /// The importance of a city of half a million people with names in many languages.
  static let wellKnown = 0.8

  private let typed: [UInt8]
  private let filter: PrefixFilter
  private let allowed: Int
  /// Whether the first letter is another than the one typed.
  private let changesFirst: Bool
  /// At most 26 and as many as may be mistyped (`PrefixFilter.longest`): they fit the bits of a word.
  private let alphabet: [UInt8]
  /// For each letter, the bits of the places where it was typed.
  private let places: [UInt64]
  private var text: [UInt8]
  private var guesses: [Guess] = []

  /// Which beginnings of what was typed a text could mean: bit i of each stands for the first i letters, with no error, at most one, at most two.
  private struct Matches {
    var exact: UInt64 = 0
    var one: UInt64 = 0
    var two: UInt64 = 0
  }

  /// The guesses for a folded text with at most so many errors, the fewest errors first.
  static func guesses(for text: String, errors: Int, in filter: PrefixFilter) -> [Guess] {
    let typed = Array(text.utf8)
    let allowed = min(errors, allowed(typed.count))
    guard allowed > 0 else { return [] }
    func search(_ allowed: Int, changingFirst: Bool) -> [Guess] {
      var search = TypoTolerance(typed: typed, filter: filter, allowed: allowed, changesFirst: changingFirst)
      // Nothing means as many of the first letters as may have been left out.
      search.follow(0, PrefixFilter.seed, Matches(exact: 0b1, one: 0b11, two: allowed > 1 ? 0b111 : 0), before: Matches())
      return search.guesses
    }
    var guesses = search(allowed, changingFirst: false)
    if errors > 1, typed.count >= shortestChanged {
      guesses += search(1, changingFirst: true).map { Guess(text: $0.text, errors: $0.errors + 1) }
    }
    // Another number is another house, and no error.
    let number = digits(typed)
    if !number.isEmpty { guesses.removeAll { digits($0.text) != number } }
    return inOrder(guesses, shortest: max(1, typed.count - allowed))
  }

  private static func digits(_ text: [UInt8]) -> [UInt8] { text.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }

  private init(typed: [UInt8], filter: PrefixFilter, allowed: Int, changesFirst: Bool) {
    self.typed = typed
    self.filter = filter
    self.allowed = allowed
    self.changesFirst = changesFirst
    var letters = Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
    // What else was typed stays possible.
    letters += Set(typed).subtracting(letters).sorted()
    alphabet = letters
    var places = [UInt64](repeating: 0, count: 256)
    for (place, letter) in typed.enumerated() { places[Int(letter)] |= 1 << UInt64(place) }
    self.places = places
    text = [UInt8](repeating: 0, count: typed.count + allowed)
  }

  /// Tries every letter behind the first `length` letters of the text; `before` is what the text without its last letter could mean.
  private mutating func follow(_ length: Int, _ hash: UInt64, _ here: Matches, before: Matches) {
    guard length < text.count else { return }
    let (last, secondLast) = allowed > 1 ? (here.two, here.one) : (here.one, here.exact)
    guard secondLast == 0 else {
      // All letters are looked for before any is followed, so that the processor waits for the filter's memory once instead of for each.
      var known: UInt64 = 0
      for place in alphabet.indices where mayFollow(length, hash, alphabet[place]) { known |= 1 << UInt64(place) }
      while known != 0 {
        step(length, hash, alphabet[known.trailingZeroBitCount], here, before)
        known &= known &- 1
      }
      return
    }
    // Without errors to spare only what was typed here can go on, or the second half of an exchange.
    let exchangeable = length == 0 ? 0 : (allowed > 1 ? before.one : before.exact) & placesBefore(text[length - 1])
    var open = (last | exchangeable) & ((1 << UInt64(typed.count)) - 1)
    while open != 0 {
      let letter = typed[open.trailingZeroBitCount]
      open &= ~places[Int(letter)]
      if mayFollow(length, hash, letter) { step(length, hash, letter, here, before) }
    }
  }

  /// Whether anything goes on with a letter behind the first `length` letters.
  private func mayFollow(_ length: Int, _ hash: UInt64, _ letter: UInt8) -> Bool {
    (length > 0 || (letter != typed[0]) == changesFirst) && filter.mayContain(PrefixFilter.extended(hash, letter))
  }

  /// The places in front of those where a letter was typed.
  private func placesBefore(_ letter: UInt8) -> UInt64 { places[Int(letter)] >> 1 }

  private mutating func step(_ length: Int, _ hash: UInt64, _ letter: UInt8, _ here: Matches, _ before: Matches) {
    let next = matches(length, letter, here, before)
    text[length] = letter
    let whole: UInt64 = 1 << UInt64(typed.count)
    if (next.one | next.two) & whole != 0 {
      let errors = next.exact & whole != 0 ? 0 : next.one & whole != 0 ? 1 : 2
      guesses.append(Guess(text: Array(text[...length]), errors: errors))
    }
    if next.one | next.two != 0 { follow(length + 1, PrefixFilter.extended(hash, letter), next, before: here) }
  }

  /// What a text could mean with one more letter: the letter that was typed there; else one error more for a letter too much, a wrong
  /// one, one that was left out, or two that were exchanged.
  private func matches(_ length: Int, _ letter: UInt8, _ here: Matches, _ before: Matches) -> Matches {
    let same = places[Int(letter)]
    let exchanged = length == 0 ? 0 : same & placesBefore(text[length - 1])
    var next = Matches()
    next.exact = (here.exact & same) << 1
    next.one = (here.one & same) << 1 | here.exact | here.exact << 1 | next.exact << 1 | (before.exact & exchanged) << 2
    if allowed > 1 { next.two = (here.two & same) << 1 | here.one | here.one << 1 | next.one << 1 | (before.one & exchanged) << 2 }
    let real: UInt64 = (2 << UInt64(typed.count)) - 1
    next.one &= real
    next.two &= real
    return next
  }

  /// The guesses in order, each told whether another covers it.
  private static func inOrder(_ guesses: [Guess], shortest: Int) -> [Guess] {
    var kept: Set<[UInt8]> = []
    var result: [Guess] = []
    for guess in guesses.sorted(by: { ($0.errors, $0.text.count) < ($1.errors, $1.text.count) }) {
      let isCovered = guess.text.count >= shortest && (shortest...guess.text.count).contains { kept.contains(Array(guess.text[..<$0])) }
      if !isCovered { kept.insert(guess.text) }
      result.append(Guess(text: guess.text, errors: guess.errors, isCovered: isCovered))
    }
    return result
  }
}

extension CandidateSearch {
  /// Adds places whose name the words, written together, may have been meant for. Beside rows without errors only whole names that a row shows
  /// count, since any other guess means nothing.
  mutating func matchWithErrors(_ words: ArraySlice<String>, _ errors: Int, besideOthers: Bool, in areas: [AreaSet]) throws(SQLiteError) {
    let key = words.joined()
    let length = key.utf8.count
    let wholeOnly = besideOthers || length < TypoTolerance.shortestStart || !mayContinue(words)
    for guess in TypoTolerance.guesses(for: key, errors: errors, in: file.mapped.prefixes) {
      let weight = MatchWeight.errors[min(guess.errors, MatchWeight.errors.count - 1)]
      let text = String(decoding: guess.text, as: UTF8.self)
      for lookup in query.names {
        guard let prefix = lookup.prefix, let text = query.text(text, words: 1, in: lookup.kind) else { continue }
        if lookup.kind == .spelledName || lookup.isVague && besideOthers { continue }
        if let list = try file.places(lookup.kind, text) {
          let least = lookup.isVague && length < TypoTolerance.shortestOther ? TypoTolerance.wellKnown : 0
          try walk([list], weight * lookup.whole, areas, least: least)
        }
        guard !wholeOnly, !guess.isCovered, !lookup.isVague, let list = try file.places(lookup.kind, startingWith: text) else { continue }
        try walk([list], weight * prefix, areas)
      }
      // Prefixes of words of other names are too many for errors to mean anything.
      guard !wholeOnly, !guess.isCovered, let lookup = query.wordLookups.first, let prefix = lookup.prefix else { continue }
      if let list = try file.places(lookup.kind, startingWith: text) {
        try walk([list], weight * prefix, areas, addressed: addressed([text], isFinished: false))
      }
    }
  }
}
