import SQLite
import Text

/// Answers queries in Chinese and Japanese that name areas and a place in them, the largest first and without spaces: `東京都新宿区`, `中国北京`.
extension GazetteerSearch {
  /// The lengths in characters of the texts that are divided. A shorter text is too short for an area and a place; a longer one has too
  /// many readings.
  private static let divisibleLengths = 3...24

  /// The answer to such a query; nil if the text is no such query, or if nothing matches.
  func hanSegments(_ typed: String, _ limit: Int) throws(SQLiteError) -> Answer? {
    let letters = Array(typed)
    guard rewriters.contains(.hanSegments), GazetteerSearch.divisibleLengths.contains(letters.count),
      letters.allSatisfy({ $0.unicodeScalars.allSatisfy(GazetteerSearch.isHan) })
    else { return nil }
    for reading in try readings(of: letters[...]) { if let answer = try matchedAnswer(for: reading, limit) { return answer } }
    // If the place is unknown, the area alone is returned. Both must end in a suffix: 日本橋 does not mean Japan (日本).
    guard let last = letters.last, HanSuffixes.ofPlaces.contains(last) else { return nil }
    for end in letters.indices.dropFirst(2).reversed() where HanSuffixes.ofAreas.contains(letters[end - 1]) {
      if var answer = try matchedAnswer(for: String(letters[..<end]), limit) {
        answer.isGuess = true
        answer.partial = Set(answer.rows.map(\.rank))
        return answer
      }
    }
    return nil
  }

  /// The answer for a text, such as a reading of the query; nil if nothing matches.
  private func matchedAnswer(for text: String, _ limit: Int) throws(SQLiteError) -> Answer? {
    let query = parsed(text, isSubmitted: true)
    var search = candidateSearch(query, limit)
    try search.match(query.words)
    return search.top.rows.isEmpty ? nil : Answer(rows: search.top.rows)
  }

  /// The readings of the text as one or more areas and a place, as texts with spaces between them. The readings with the longest first area
  /// come first.
  private func readings(of letters: ArraySlice<Character>) throws(SQLiteError) -> [String] {
    var texts: [String] = []
    for end in letters.indices.dropFirst().reversed() {
      let area = String(letters[..<end])
      guard area.count > 1, try file.places(.area, Folding.key(area)) != nil else { continue }
      let place = letters[end...]
      // The index may have a city without its suffix: 大阪 for 大阪市.
      let hasSuffix = place.count > 2 && place.last.map { HanSuffixes.ofPlaces.contains($0) } == true
      let placeNames = [String(place)] + (hasSuffix ? [String(place.dropLast())] : [])
      texts += (try placeNames + readings(of: place)).map { "\(area) \($0)" }
    }
    return texts
  }

  /// Whether a scalar is a Chinese character, or a kana, which may occur between Chinese characters (ヶ in 市ヶ谷, ノ in 山ノ内町).
  private static func isHan(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isIdeographic || (0x3041...0x30FF).contains(scalar.value)
  }
}

/// The last characters of Chinese and Japanese names that state the kind of area.
enum HanSuffixes {
  /// The suffixes of cities, districts and counties.
  static let ofPlaces: Set<Character> = ["市", "区", "區", "县", "縣", "県", "町", "村", "郡"]
  /// The suffixes of areas that have districts.
  static let ofAreas: Set<Character> = ["都", "道", "府", "県", "縣", "省", "市", "州"]

  /// Whether two names differ at most in their suffixes and in simplified and traditional characters: 北京 and 北京市.
  static func isEqual(_ name: String, _ otherName: String) -> Bool {
    if name == otherName { return true }
    // Han characters have three or four bytes, which begin with at least 0xE3.
    guard name.utf8.first ?? 0 >= 0xE3, otherName.utf8.first ?? 0 >= 0xE3 else { return false }
    return withoutSuffix(ChineseScript.converted(name, toTraditional: false))
      == withoutSuffix(ChineseScript.converted(otherName, toTraditional: false))
  }

  private static func withoutSuffix(_ name: String) -> Substring {
    guard name.count > 2, let last = name.last, ofAreas.contains(last) else { return name[...] }
    return name.dropLast()
  }
}
