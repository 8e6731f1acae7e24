/// How rows fit what was typed.
struct TextFit: Sendable {
  private let query: Words
  private let words: Range<Int>
  private let letters: Range<Int>

  init(query text: String) {
    var query = Words()
    words = query.add(text, typed: true).words
    letters = query.joined(words)
    self.query = query
  }

  /// The best class that any of the rows' names and surroundings allow.
  func match(_ members: [Int], in rows: NormalRecords) -> TextMatch {
    guard !words.isEmpty else { return .other }
    var best = TextMatch.other
    for member in members {
      for name in rows.records[member].names {
        switch match(rows.names[name], in: rows.words) {
        case .exact: return .exact
        case .prefix: best = .prefix
        default: break
        }
      }
    }
    if best == .prefix { return .prefix }
    if members.contains(where: { fits(rows.records[$0], rows, slips: false) }) { return .words }
    return members.contains { fits(rows.records[$0], rows, slips: true) } ? .fuzzy : .other
  }

  private func match(_ name: NameForm, in other: Words) -> TextMatch {
    guard name.letters.count >= letters.count, startsAlike(name.letters, letters.count, other) else { return .other }
    return name.letters.count == letters.count ? .exact : .prefix
  }

  private func startsAlike(_ range: Range<Int>, _ count: Int, _ other: Words) -> Bool {
    for offset in 0..<count where other.letters[range.lowerBound + offset] != query.letters[letters.lowerBound + offset] { return false }
    return true
  }

  /// Whether each word typed begins a word of the row's names or surroundings.
  private func fits(_ record: NormalRecord, _ rows: NormalRecords, slips: Bool) -> Bool {
    words.allSatisfy { typed in
      var found = false
      for name in record.names where !found {
        found = rows.names[name].text.words.contains { begins(rows.words[$0], typed, rows.words, slips: slips) }
      }
      if !found { record.forEachContextWord { found = found || begins(rows.words[$0], typed, rows.words, slips: slips) } }
      return found
    }
  }

  private func begins(_ word: Word, _ typed: Int, _ other: Words, slips: Bool) -> Bool {
    let typed = query[typed]
    if word.key == typed.key { return true }
    if !slips {
      guard word.length >= typed.length else { return false }
      for offset in 0..<typed.length where other.letters[word.start + offset] != query.letters[typed.start + offset] { return false }
      return true
    }
    // One slip in four letters.
    guard typed.length >= 4, word.length + 1 >= typed.length else { return false }
    return Words.editLikeness(
      query, typed.start..<typed.end, other, word.start..<min(word.end, word.start + typed.length)) >= 0.74
  }
}
