/// The part of a name that distinguishes a place from its namesakes: `Dosse` of `Neustadt (Dosse)`, `Hessen` of `Neustadt, Hessen`, `Donau`
/// of `Neustadt an der Donau`.
struct NameQualifier: Sendable {
  /// The key of the name before the qualifier.
  var headKey: UInt64
  var text: WordBuffer.TextSpan
  /// Whether a bracket, comma or dash separates the qualifier from the name; otherwise a preposition does.
  var isSeparated: Bool

  /// The qualifier of a name; nil if the name has none.
  init?(_ name: WordBuffer.TextSpan, in words: WordBuffer) {
    let preposition = name.head.dropFirst().first { NameQualifier.prepositions.contains(words[$0].key) }
    let start = preposition ?? name.head.upperBound
    guard start < name.words.upperBound else { return nil }
    headKey = words.key(of: words.joined(name.words.lowerBound..<start))
    text = WordBuffer.TextSpan(words: start..<name.words.upperBound, head: start..<name.words.upperBound, script: name.script)
    isSeparated = preposition == nil
  }

  private static let prepositions: Set<UInt64> = Set(
    """
    an am auf bei beim im in ob unter vor zu zur sur sous les lez upon on of under by near de del di da do dos das della na nad pod pri
    """.split(whereSeparator: \.isWhitespace).map { Word.key(of: $0) })
}

extension NormalizedRecords {
  /// The distance in metres within which two towns of one name are one town in nearly every case.
  private static let maxSamePointDistance = 300.0

  enum QualifierConflict { case none, likely, certain }

  /// Whether two rows that are not businesses have one name with different qualifiers. `Neustadt (Dosse)` and `Neustadt (Hessen)` are
  /// certainly two places; `Paris, Île-de-France, France` and `Paris, Texas, USA` are likely to be two.
  func qualifierConflict(_ a: NormalizedRecord, _ b: NormalizedRecord) -> QualifierConflict {
    guard !a.looksLikeBusiness, !b.looksLikeBusiness, let nameA = a.names.first, let nameB = b.names.first,
      let first = NameQualifier(names[nameA].text, in: words), let second = NameQualifier(names[nameB].text, in: words),
      first.headKey == second.headKey, first.text.script == second.text.script
    else { return .none }
    // One town may be named after its river and after its region: Burg bei Magdeburg, Burg (Ihle). If both points are known, the
    // distance between them decides elsewhere, so this is not a conflict.
    if !first.isSeparated || !second.isSeparated, a.location != nil, b.location != nil { return .none }
    guard let shared = words.containment(first.text, second.text, where: isDistinctive), shared < 0.8,
      !words.abbreviates(first.text, second.text), !haveFurtherName(a, b, besides: first.headKey)
    else { return .none }
    // One town at one point may be named after its region by one service and after its county by the other, in any language.
    let areAtOnePoint =
      a.location.flatMap { point in b.location.map { $0.distance(to: point) < NormalizedRecords.maxSamePointDistance } } ?? false
    let conflict = areAtOnePoint ? QualifierConflict.likely : .certain
    let (countryA, countryB) = (countryCode(first.text.words, of: a), countryCode(second.text.words, of: b))
    if let countryA, let countryB { return countryA == countryB ? .none : conflict }
    // One service may qualify the name with a country or region, the other one with a town or quarter in it.
    if countryA != nil || countryB != nil || lies(b, in: first.text) || lies(a, in: second.text) { return .none }
    // An address that ends with the country may have parts that another service leaves out.
    let areAddresses = countryCode(first.text.words.suffix(1), of: a) != nil || countryCode(second.text.words.suffix(1), of: b) != nil
    return shared > 0 || areAddresses ? .likely : conflict
  }

  /// Whether a word distinguishes a town. Fillers and postcodes do not.
  private func isDistinctive(_ word: Word) -> Bool { word.kind != .filler && !(word.kind == .number && word.length >= 4) }

  /// Whether the rows have a name in common other than the one before the qualifiers.
  private func haveFurtherName(_ a: NormalizedRecord, _ b: NormalizedRecord, besides headKey: UInt64) -> Bool {
    a.names.contains { i in
      !names[i].isHead && names[i].joinedKey != headKey
        && b.names.contains { !names[$0].isHead && names[$0].joinedKey == names[i].joinedKey }
    }
  }

  /// The country that words name; nil if they name none, or another one than the record's country, as Georgia does in Atlanta, Georgia.
  private func countryCode(_ range: Range<Int>, of record: NormalizedRecord) -> String? {
    let name = range.map { String(decoding: words.letters[words[$0].start..<words[$0].end], as: UTF8.self) }.joined(separator: " ")
    // A code of two letters is more often that of a state.
    guard name.utf8.count > 2 || ["uk", "us"].contains(name), let code = Country.code(name),
      record.country == 0 || record.country == Country.key(code)
    else { return nil }
    return code
  }

  /// Whether a record lies in a region or town of this name.
  private func lies(_ record: NormalizedRecord, in area: WordBuffer.TextSpan) -> Bool {
    words.key(of: words.joined(area.words)) == words.key(of: record.region)
      || [record.locality, record.context].contains { words.containment(area, $0).map { $0 >= 0.8 } ?? false }
  }
}
