import SQLite
import Text

extension Finding {
  /// Areas and a place in them as Chinese and Japanese write them, the largest first and without blanks: `東京都新宿区`, `中国北京`. Nil where
  /// the text is none of that.
  func unspaced(_ query: String, _ limit: Int) throws(SQLiteError) -> Found? {
    let letters = Array(query)
    guard (3...24).contains(letters.count), letters.allSatisfy({ $0.unicodeScalars.allSatisfy(Finding.isHan) }) else { return nil }
    for text in try parts(letters[...]) {
      let reading = Reading(text, language: language, isFinished: true)
      var matcher = matcher(reading, limit)
      try matcher.match(reading.folded)
      if !matcher.top.rows.isEmpty { return Found(rows: matcher.top.rows) }
    }
    // The area, where nobody knows the district in it; but 日本橋 is not Japan.
    guard let last = letters.last, Finding.kinds.contains(last) else { return nil }
    for end in letters.indices.dropFirst(2).reversed() where Finding.areaKinds.contains(letters[end - 1]) {
      let reading = Reading(String(letters[..<end]), language: language, isFinished: true)
      var matcher = matcher(reading, limit)
      try matcher.match(reading.folded)
      if !matcher.top.rows.isEmpty { return Found(rows: matcher.top.rows, isGuess: true) }
    }
    return nil
  }

  /// Ways to write the text with blanks behind the areas at its beginning, the longest area first.
  private func parts(_ letters: ArraySlice<Character>) throws(SQLiteError) -> [String] {
    var found: [String] = []
    for end in letters.indices.dropFirst().reversed() {
      let area = String(letters[..<end])
      guard area.count > 1, try file.places(.area, Folding.key(area)) != nil else { continue }
      let rest = letters[end...]
      // The index has a city as 大阪 or 大阪市.
      let whole = [String(rest)] + (rest.count > 2 && rest.last.map { Finding.kinds.contains($0) } == true ? [String(rest.dropLast())] : [])
      found += (try whole + parts(rest)).map { "\(area) \($0)" }
    }
    return found
  }

  /// What ends the name of a city, a district or a county.
  private static let kinds: Set<Character> = ["市", "区", "區", "县", "縣", "県", "町", "村", "郡"]

  /// What ends the name of an area that has districts.
  private static let areaKinds: Set<Character> = ["都", "道", "府", "県", "縣", "省", "市", "州"]

  /// Chinese characters, and the kana among them (ヶ of 市ヶ谷, ノ of 山ノ内町).
  private static func isHan(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isIdeographic || (0x3041...0x30FF).contains(scalar.value)
  }
}
