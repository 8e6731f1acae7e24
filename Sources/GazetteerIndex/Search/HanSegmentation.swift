import SQLite
import Text

/// Answers queries in Chinese and Japanese that name areas and a place in them, the largest first and without spaces: `東京都新宿区`, `中国北京`.
extension GazetteerSearch {
  /// The answer to such a query; nil if the text is no such query, or if nothing matches.
  func hanSegments(_ typed: String, _ limit: Int) throws(SQLiteError) -> Answer? {
    let letters = Array(typed)
    // A shorter text is too short for an area and a place; a longer one has too many readings.
    guard rewriters.contains(.hanSegments), (3...24).contains(letters.count),
      letters.allSatisfy({ $0.unicodeScalars.allSatisfy(GazetteerSearch.isHan) })
    else { return nil }
    for text in try segmented(letters[...]) { if let answer = try rows(for: text, limit) { return answer } }
    // If the place is unknown, the area alone is returned. Both must end in a suffix: 日本橋 does not mean Japan (日本).
    guard let last = letters.last, HanSuffixes.ofPlaces.contains(last) else { return nil }
    for end in letters.indices.dropFirst(2).reversed() where HanSuffixes.ofAreas.contains(letters[end - 1]) {
      if var answer = try rows(for: String(letters[..<end]), limit) {
        answer.isGuess = true
        answer.partial = Set(answer.rows.map(\.rank))
        return answer
      }
    }
    return nil
  }

  /// The rows that match a reading of the query; nil if there are none.
  private func rows(for text: String, _ limit: Int) throws(SQLiteError) -> Answer? {
    let query = parsed(text, isSubmitted: true)
    var search = candidates(query, limit)
    try search.match(query.words)
    return search.top.rows.isEmpty ? nil : Answer(rows: search.top.rows)
  }

  /// The readings of the text as one or more areas and a place, as texts with spaces between them. The readings with the longest first area
  /// come first.
  private func segmented(_ letters: ArraySlice<Character>) throws(SQLiteError) -> [String] {
    var found: [String] = []
    for end in letters.indices.dropFirst().reversed() {
      let area = String(letters[..<end])
      guard area.count > 1, try file.places(.area, Folding.key(area)) != nil else { continue }
      let place = letters[end...]
      // The index may have a city without its suffix: 大阪 for 大阪市.
      let hasSuffix = place.count > 2 && place.last.map { HanSuffixes.ofPlaces.contains($0) } == true
      let places = [String(place)] + (hasSuffix ? [String(place.dropLast())] : [])
      found += (try places + segmented(place)).map { "\(area) \($0)" }
    }
    return found
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
  static func isEqual(_ name: String, _ other: String) -> Bool {
    if name == other { return true }
    // Han characters have three or four bytes, which begin with at least 0xE3.
    guard name.utf8.first ?? 0 >= 0xE3, other.utf8.first ?? 0 >= 0xE3 else { return false }
    return withoutSuffix(ChineseScript.converted(name, toTraditional: false))
      == withoutSuffix(ChineseScript.converted(other, toTraditional: false))
  }

  private static func withoutSuffix(_ name: String) -> Substring {
    guard name.count > 2, let last = name.last, ofAreas.contains(last) else { return name[...] }
    return name.dropLast()
  }
}
