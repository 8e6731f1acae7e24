/// Classifies how the query matches rows. The name of a town with a qualifier, such as Frankfurt (Oder), also has a head, Frankfurt, which
/// is a separate element of `NormalizedRecord.names`. A parameter `typed` is the index of a word of the query.
struct TextMatcher: Sendable {
  private let query: WordBuffer
  /// The words of the query, and their letters without spaces.
  private let words: Range<Int>
  private let letters: Range<Int>
  private let script: NameScript
  /// The typed Latin words in lower case that have letters with marks, such as accents.
  private let markedWords: [Substring]

  init(query text: String) {
    var query = WordBuffer()
    let span = query.add(text, typed: true)
    (words, script) = (span.words, span.script)
    letters = query.joined(words)
    self.query = query
    markedWords =
      script == .latin && text.utf8.contains { $0 >= 0x80 }
      ? TextMatcher.words(of: text).filter { $0.utf8.contains { $0 >= 0x80 } } : []
  }

  var hasSeveralWords: Bool { words.count > 1 }

  /// Whether each typed word is, or begins, a word in the names of a single row, so that no word of its area is needed.
  /// - Parameter members: the indices of the records of one place.
  func isInNames(_ members: [Int], of records: NormalizedRecords) -> Bool {
    members.contains { member in words.allSatisfy { query[$0].kind == .symbol || isInNames(records[member], records, $0) } }
  }

  private func isInNames(_ record: NormalizedRecord, _ records: NormalizedRecords, _ typed: Int) -> Bool {
    record.names.contains { name in
      records.names[name].text.words.contains { begins(records.words[$0], typed, records.words, allowingTypos: false) }
    }
  }

  private static func words(of text: String) -> [Substring] { text.lowercased().split { !$0.isLetter && !$0.isNumber } }

  /// Whether letters of the query have marks. A name without these marks matches less well: for `genè`, Genève precedes General.
  var hasMarks: Bool { !markedWords.isEmpty }

  /// Whether each typed word with marks is, marks included, the beginning of a word in a name or in the secondary text of a row.
  func isSpelled(likeNamesOf row: some MergeableRow) -> Bool {
    let words = ([row.title, row.subtitle ?? ""] + row.evidence.otherNames).flatMap { TextMatcher.words(of: $0) }
    return markedWords.allSatisfy { typed in words.contains { $0.hasPrefix(typed) } }
  }

  /// Whether the first name of a record is in the script of the query.
  func isInScriptOfQuery(_ record: NormalizedRecord, _ records: NormalizedRecords) -> Bool {
    record.names.first.map { records.names[$0].text.script == script } ?? true
  }

  /// Whether a match is due to a name that no row of the place shows.
  func isHidden(_ match: TextMatch, _ members: [Int], in records: NormalizedRecords) -> Bool {
    // Of two matches, the lesser one is the better one.
    guard match <= .prefix, members.contains(where: { records[$0].names.count > 1 }) else { return false }
    let shownRecords = members.map { member in
      // A row shows its first name. The heads of that name follow it.
      var record = records[member]
      var end = record.names.lowerBound
      while end < record.names.upperBound, end == record.names.lowerBound || records.names[end].isHead { end += 1 }
      record.names = record.names.lowerBound..<end
      return record
    }
    return self.match(shownRecords, records) > match
  }

  /// The best match over the names and areas of the rows.
  func match(_ members: [Int], in records: NormalizedRecords) -> TextMatch { match(members.map { records[$0] }, records) }

  private func match(_ place: [NormalizedRecord], _ records: NormalizedRecords) -> TextMatch {
    guard !words.isEmpty else { return .other }
    var best = TextMatch.other
    for record in place {
      for name in record.names {
        switch match(records.names[name], in: records.words) {
        case .exact where !records.names[name].isHead: return .exact
        // A head that equals the query counts as a prefix: Frankfurt is a prefix of Frankfurt (Oder), as it is of Frankfurt am Main.
        case .exact, .prefix: best = .prefix
        default: break
        }
      }
    }
    if best == .prefix { return .prefix }
    let fitting = place.filter { fits($0, records, allowingTypos: false) }
    // For the queries `berlin germany` and `10115 berlin`, Berlin matches exactly.
    let townsTypedWithPostcode = place.filter { isTownTypedWithPostcode($0, records) }
    if fitting.contains(where: { hasWholeName($0, records, orHead: false) })
      || townsTypedWithPostcode.contains(where: { hasWholeName($0, records, orHead: false) && !mayMeanHouse($0, records) })
    {
      return .exact
    }
    if !fitting.isEmpty || !townsTypedWithPostcode.isEmpty { return .words }
    if place.contains(where: { fitsWithType($0, records) }) { return .words }
    if place.contains(where: { fits($0, records, allowingTypos: true) }) { return .fuzzy }
    return place.contains { hasNameInPartOfQuery($0, records) } ? .part : .other
  }

  /// Whether some words of the query are all words of one of the record's names, and another word of the query occurs nowhere in the
  /// record: Paris for `eiffel tower paris`, or a street for the address of a house in it. Fillers, names of the country, and numbers that
  /// may be a postcode need not occur in the record: Berlin matches all of `10115 berlin`.
  private func hasNameInPartOfQuery(_ record: NormalizedRecord, _ records: NormalizedRecords) -> Bool {
    let hasShorterName = record.names.contains { name in
      let part = records.names[name].text.words
      return !part.isEmpty && part.count < words.count
        && part.allSatisfy { word in words.contains { query[$0].key == records.words[word].key } }
    }
    return hasShorterName
      && words.contains {
        !has(record, $0, records, allowingTypos: true) && ![.filler, .symbol].contains(query[$0].kind) && !isCountry(record, $0)
          // Beside the name of a street, any number may be a house number.
          && !mayBePostcode($0, of: record) && (record.isStreet || !looksLikePostcode($0))
      }
  }

  /// Whether the record is a town and a typed number may be one of its postcodes. The number is not compared with the record's postcode,
  /// because a town may have several.
  private func mayBePostcode(_ typed: Int, of record: NormalizedRecord) -> Bool {
    query[typed].kind == .number && query[typed].length >= TextMatcher.minPostcodeLength && record.mayBeTown
  }

  /// The least number of digits of a postcode.
  private static let minPostcodeLength = 3

  /// Whether a typed number has four or five digits, like most postcodes and unlike most house numbers: `10115 berlin hauptbahnhof`.
  private func looksLikePostcode(_ typed: Int) -> Bool { query[typed].kind == .number && (4...5).contains(query[typed].length) }

  /// Whether every word of one of the record's names was typed.
  /// - Parameter orHead: whether the part of a town's name before its qualifier is enough: Frankfurt of Frankfurt (Oder).
  private func hasWholeName(_ record: NormalizedRecord, _ records: NormalizedRecords, orHead: Bool) -> Bool {
    record.names.contains { name in
      guard orHead || !records.names[name].isHead else { return false }
      let name = records.names[name].text.words
      return !name.isEmpty && name.allSatisfy { word in words.contains { query[$0].key == records.words[word].key } }
    }
  }

  /// Whether the query is a town's name with other words, each of which occurs in the record or may be a postcode. The name must have been
  /// typed in full or, if the record is known to be a town or a village, in part.
  private func isTownTypedWithPostcode(_ record: NormalizedRecord, _ records: NormalizedRecords) -> Bool {
    record.mayBeTown && words.count > 1 && (hasWholeName(record, records, orHead: true) || (record.isArea && hasNameWord(record, records)))
      && words.allSatisfy { mayBeMissing($0) || mayBePostcode($0, of: record) || has(record, $0, records, allowingTypos: false) }
  }

  /// Whether a typed word is a word of one of the record's names.
  private func hasNameWord(_ record: NormalizedRecord, _ records: NormalizedRecords) -> Bool {
    record.names.contains { name in
      records.names[name].text.words.contains { word in words.contains { query[$0].key == records.words[word].key } }
    }
  }

  /// Whether the query may mean a house in the town, because a typed number is the number of a house in the answer and not the town's
  /// postcode: `lhota 123` may be a house in Lhota.
  private func mayMeanHouse(_ record: NormalizedRecord, _ records: NormalizedRecords) -> Bool {
    words.contains { typed in
      let letters = query[typed].start..<query[typed].end
      guard mayBePostcode(typed, of: record), query.postcode(letters) != record.postcode else { return false }
      let house = HouseNumber(String(decoding: query.letters[letters], as: UTF8.self))
      return !house.isEmpty && records.all.contains { !$0.house.isEmpty && $0.house.isSame(house) }
    }
  }

  /// Whether a typed word is a name of the record's country.
  private func isCountry(_ record: NormalizedRecord, _ typed: Int) -> Bool {
    let text = String(decoding: query.letters[query[typed].start..<query[typed].end], as: UTF8.self)
    return record.country != 0 && Country.key(text) == record.country
  }

  /// How the letters of the query match one name: the whole name, its beginning, or not at all (`other`).
  private func match(_ name: NameVariant, in other: WordBuffer) -> TextMatch {
    guard name.letters.count >= letters.count, startsAlike(name.letters, letters.count, other) else { return .other }
    return name.letters.count == letters.count ? .exact : .prefix
  }

  /// Whether a name begins with the letters of the query, of which there are `count`.
  private func startsAlike(_ range: Range<Int>, _ count: Int, _ other: WordBuffer) -> Bool {
    for offset in 0..<count where other.letters[range.lowerBound + offset] != query.letters[letters.lowerBound + offset] { return false }
    return true
  }

  /// Whether each typed word is a prefix of a word in the record's names, address or areas.
  private func fits(_ record: NormalizedRecord, _ records: NormalizedRecords, allowingTypos: Bool) -> Bool {
    words.allSatisfy { mayBeMissing($0) || has(record, $0, records, allowingTypos: allowingTypos) }
  }

  /// Whether a place need not have a typed word: a symbol, or a preposition between other words, as in `hotel in triesenberg`.
  private func mayBeMissing(_ typed: Int) -> Bool {
    query[typed].kind == .symbol
      || typed > words.lowerBound && typed < words.upperBound - 1 && WordTable.prepositions.contains(query[typed].key)
  }

  /// Whether some of the typed words fit the record, and the others name its type: `pizza berlin` means a pizza_restaurant in Berlin, whatever
  /// its name. A query that only names a type is read by `CategoryReading`.
  private func fitsWithType(_ record: NormalizedRecord, _ records: NormalizedRecords) -> Bool {
    guard words.count > 1, !record.types.isEmpty else { return false }
    let otherWords = words.filter { !mayBeMissing($0) && !has(record, $0, records, allowingTypos: false) }
    return otherWords.count < words.count && otherWords.allSatisfy { isType(of: record, $0) }
  }

  /// Whether a typed word is a word of one of the record's types. The last word of the query may be unfinished.
  private func isType(of record: NormalizedRecord, _ typed: Int) -> Bool {
    let letters = query.letters[query[typed].start..<query[typed].end]
    let mayBeUnfinished = typed == words.upperBound - 1 && letters.count >= TextMatcher.minTypePrefixLength
    return record.types.contains { type in
      type.rawValue.utf8.split(separator: UInt8(ascii: "_")).contains { word in
        word.elementsEqual(letters) || mayBeUnfinished && word.starts(with: letters)
      }
    }
  }

  /// The least number of letters of an unfinished word that may begin the name of a type.
  private static let minTypePrefixLength = 3

  /// Whether a typed word is a prefix of a word in the record's names, address or areas.
  private func has(_ record: NormalizedRecord, _ typed: Int, _ records: NormalizedRecords, allowingTypos: Bool) -> Bool {
    var found = false
    for name in record.names where !found {
      found = records.names[name].text.words.contains { begins(records.words[$0], typed, records.words, allowingTypos: allowingTypos) }
    }
    for span in [record.address, record.locality, record.context] where !found {
      found = span.words.contains { begins(records.words[$0], typed, records.words, allowingTypos: allowingTypos) }
    }
    return found
  }

  /// Whether a word begins with a typed word.
  private func begins(_ word: Word, _ typed: Int, _ other: WordBuffer, allowingTypos: Bool) -> Bool {
    let typedWord = query[typed]
    if word.key == typedWord.key { return true }
    if !allowingTypos {
      guard word.length >= typedWord.length else { return false }
      for offset in 0..<typedWord.length where other.letters[word.start + offset] != query.letters[typedWord.start + offset] {
        return false
      }
      return true
    }
    // One typing error in four letters is a similarity of 0.75; the bound is below it because of rounding.
    guard typedWord.length >= 4, word.length + 1 >= typedWord.length else { return false }
    func isSimilar(toFirst count: Int) -> Bool {
      WordBuffer.editSimilarity(query, typedWord.start..<typedWord.end, other, word.start..<min(word.end, word.start + count)) >= 0.74
    }
    // If a letter was left out, the beginning of the word is one letter longer: `mnchen` and München.
    return isSimilar(toFirst: typedWord.length) || word.length > typedWord.length && isSimilar(toFirst: typedWord.length + 1)
  }
}
