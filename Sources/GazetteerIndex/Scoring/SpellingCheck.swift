import SQLite
import Text

/// Prefers places whose names have the marks and the letters of the query. The terms of the index are folded, so `kö` finds Kolkata as
/// well as Köln, and 渋谷 transliterates like Сегу.
///
/// The candidates are those that the same letters without marks find, and only the places that are spelled differently are lowered. So a
/// place that is spelled like the query never ranks lower than it would without the marks.
struct SpellingCheck {
  /// The number of candidates that are checked beyond the number of wanted rows.
  static let extraCandidates = 20

  private let file: IndexFile
  /// The query before folding, in lower case and without spaces.
  private let spelling: String
  private let firstLetter: UInt32?
  /// The words of the query that folding changes in more than case, before folding and in lower case.
  private let changedWords: [String]
  private let language: LanguageChoice

  /// Nil for a query in which folding changes only the case.
  init?(_ typed: String, _ query: ParsedQuery, in file: IndexFile) {
    guard let spelling = query.spelling else { return nil }
    self.file = file
    self.spelling = spelling
    firstLetter = FirstLetter.of(spelling.utf8)
    changedWords = typed.split(whereSeparator: \.isWhitespace).compactMap { Folding.spelling(of: String($0)) }
    language = LanguageChoice(query.language)
  }

  /// The rows in their new order, with lower scores for places whose names are spelled differently.
  /// - Parameter limit: the number of wanted rows. The rows after this many rows that are spelled like the query are left out.
  func ordered(_ rows: [TopResults.Row], _ scorer: Scorer, limit: Int) throws(SQLiteError) -> [TopResults.Row] {
    var checkedRows: [(row: TopResults.Row, isSpelledAlike: Bool, isNear: Bool)] = []
    var spelledAlikeCount = 0
    for row in rows where spelledAlikeCount < limit {
      let isNear = file.mapped.columns(row.rank).map { scorer.proximity?.isNear($0.point) ?? true } ?? true
      checkedRows.append((row, try isSpelledAlike(row.rank), isNear))
      if checkedRows.last?.isSpelledAlike == true { spelledAlikeCount += 1 }
    }
    let hasSpelledAlikeNearby = scorer.proximity != nil && checkedRows.contains { $0.isSpelledAlike && $0.isNear }
    let scored = checkedRows.map { row, isSpelledAlike, isNear in
      let factor = isSpelledAlike ? 1 : hasSpelledAlikeNearby && !isNear ? MatchWeight.foldedFarAway : MatchWeight.folded
      return TopResults.Row(rank: row.rank, score: row.score * factor)
    }
    return scored.sorted { $0.score != $1.score ? $0.score > $1.score : $0.rank < $1.rank }
  }

  /// Whether a name of the place is spelled like the query. A name is spelled like the query if it equals the query. For a name that a row
  /// can show it is enough that it begins with the query, or that its words begin with the words of the query that folding changes.
  private func isSpelledAlike(_ rank: UInt32) throws(SQLiteError) -> Bool {
    guard let columns = file.mapped.columns(rank), let stored = try file.place(rank)?.stored else { return false }
    let localLanguages = LocalLanguages.choice(
      of: try file.areas.entry(columns.country)?.code ?? "", region: try file.areas.entry(columns.region)?.code ?? "")
    for section in RecordSections(stored[...]) {
      for (field, bytes) in FieldSequence(section.fields) {
        guard let (tag, name) = field.name(in: bytes), name.contains(where: { $0 >= 0x80 }) else { continue }
        let isShown = field == .name || tag.elementsEqual("en".utf8) || localLanguages.position(tag) != nil || language.position(tag) != nil
        let text = String(decoding: name, as: UTF8.self)
        if FirstLetter.of(name) == firstLetter, let nameSpelling = Folding.spelling(of: text) {
          if nameSpelling == spelling || isShown && nameSpelling.hasPrefix(spelling) { return true }
        }
        if isShown, name.contains(where: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "-") }), changedWordsBeginWords(of: text) {
          return true
        }
      }
    }
    return false
  }

  /// Whether each of the `changedWords` is the beginning of a word of a name.
  private func changedWordsBeginWords(of name: String) -> Bool {
    let nameWords = name.unicodeScalars.split(whereSeparator: \.separatesWords).map { String($0) }
    return changedWords.allSatisfy { word in
      let letter = FirstLetter.of(word.utf8)
      return nameWords.contains { FirstLetter.of($0.utf8) == letter && Folding.spelling(of: $0)?.hasPrefix(word) == true }
    }
  }
}

extension Unicode.Scalar {
  /// Whether the character separates words. Marks do not, because they belong to the letters before them, as the vowel signs of Devanagari do.
  fileprivate var separatesWords: Bool {
    switch self {
    case "a"..."z", "A"..."Z", "0"..."9": false
    case "\0"..."\u{7F}", "·", "\u{2010}"..."\u{2027}": true
    default: properties.isWhitespace
    }
  }
}
