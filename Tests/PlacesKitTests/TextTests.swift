import Testing

@testable import Text

@Suite struct FoldingTests {
  @Test(
    "Folding removes differences of case, marks, width and script",
    arguments: [
      ("München", "munchen"), ("MUNCHEN", "munchen"), ("Мюнхен", "munhen"), ("慕尼黑", "munihei"), ("ΒΟΛΟΣ", "bolos"),
      ("São Paulo", "sao paulo"), ("St. Louis", "st louis"), ("Straße", "strasse"), ("Łódź", "lodz"), ("Ærø", "aero"),
      ("İstanbul", "istanbul"), ("Diyarbakır", "diyarbakir"), ("Ｔｏｋｙｏ", "tokyo"), ("ﬁne", "fine"), ("L'Aquila", "l aquila"),
      ("٢٤", "24"), ("", ""), ("—", ""), ("3191/17", "3191/17"), ("47-380 A", "47-380 a"), ("Rio-de-Janeiro", "rio de janeiro"),
      ("a\u{308}", "a"), ("1. FC", "1 fc"),
    ])
  func folds(text: String, expected: String) {
    #expect(Folding.fold(text) == expected)
  }

  @Test("The key of a name has no separators between its words")
  func key() {
    #expect(Folding.key("Saint-Denis d'Oléron") == "saintdenisdoleron")
  }

  @Test("Folding a folded text does not change it", arguments: ["Zürich", "Санкт-Петербург", "Đà Nẵng", "ภูเก็ต", "إسطنبول", "東京都", "서울"])
  func isIdempotent(text: String) {
    let folded = Folding.fold(text)
    #expect(!folded.isEmpty)
    #expect(Folding.fold(folded) == folded)
  }

  @Test(
    "Composed and decomposed spellings have the same folding",
    arguments: [("é", "e\u{301}"), ("ガ", "カ\u{3099}"), ("각", "\u{1100}\u{1161}\u{11A8}")])
  func normalises(composed: String, decomposed: String) {
    #expect(Folding.fold(composed) == Folding.fold(decomposed))
  }

  /// ASCII characters, and the letters of each alphabet, that fold letter by letter.
  private static let plain = characters([0x2D...0x2D, 0x2F...0x39, 0x41...0x5A, 0x61...0x7A])
  private static let alphabets = [
    [0xC0...0x24F, 0x1E00...0x1EFF], [0x400...0x52F], [0x5D0...0x5EA], [0x620...0x6FF], [0x10A0...0x10FF],
  ].map(characters)

  /// The letters of Hebrew.
  private static let smallestAlphabet = 27

  private static func characters(_ ranges: [ClosedRange<UInt32>]) -> [String] {
    ranges.flatMap { $0.compactMap { Unicode.Scalar($0).map { String($0) } } }
  }

  /// The number of words that fold letter by letter, and those that ICU's rules fold differently.
  private static func compared(_ words: some Sequence<String>) -> (count: Int, different: [String]) {
    var (count, different) = (0, [String]())
    for word in words {
      var text = word
      text.withUTF8 { bytes in
        // ICU's rules are not used for ASCII.
        guard bytes.contains(where: { $0 >= 0x80 }), let quick = Folding.foldQuickly(bytes) else { return }
        count += 1
        if quick != Folding.foldByRules(bytes) { different.append(word) }
      }
    }
    return (count, different)
  }

  @Test("Folding two letters of an alphabet one by one gives what ICU's rules give for the pair", arguments: alphabets)
  func pairsFold(alphabet: [String]) {
    let single = Self.compared(alphabet)
    #expect(single.different == [] && single.count >= Self.smallestAlphabet)
    let letters = alphabet + Self.plain
    let pairs = Self.compared(letters.lazy.flatMap { first in letters.lazy.map { first + $0 } })
    #expect(pairs.different == [] && pairs.count > Self.smallestAlphabet * Self.plain.count)
  }

  @Test("Folding a word of these letters letter by letter gives what ICU's rules give for the word")
  func wordsFold() {
    var random = SystemRandomNumberGenerator()
    let all = Self.plain + Self.alphabets.joined()
    for letters in [all] + Self.alphabets {
      let words = (0..<5_000).lazy.map { _ in
        (0..<Int.random(in: 1...8, using: &random)).compactMap { _ in letters.randomElement(using: &random) }.joined()
      }
      let found = Self.compared(words)
      #expect(found.different == [] && found.count > 100)
    }
  }

  @Test(
    "Words with letters whose folding depends on their neighbours are left to ICU's rules",
    arguments: ["e\u{301}", "Đa\u{300}", "Ελλάδα", "Իու", "ə", "ǀgan", "a\u{2019}b", "й\u{306}", "ض\u{64E}", "東京", "ไทย"])
  func rules(word: String) {
    var word = word
    #expect(word.withUTF8 { Folding.foldQuickly($0) } == nil)
  }

  @Test(
    "All spellings of a text are composed to the same bytes",
    arguments: [
      ("Zu\u{308}rich", "Zürich"), ("e\u{323}\u{302}", "ệ"), ("\u{1100}\u{1161}", "가"), ("\u{0958}", "\u{0915}\u{093C}"),
      ("Ürümqi", "Ürümqi"), ("", ""),
    ])
  func composed(_ typed: String, _ expected: String) {
    #expect(Array(typed.composed.utf8) == Array(expected.utf8))
    #expect(String(repeating: typed, count: 5000).composed.utf8.count == expected.utf8.count * 5000)
  }

  @Test("A word of many thousand letters is cut, not rejected")
  func longWord() {
    let folded = Folding.fold(String(repeating: "ü", count: 20_000))
    #expect(folded.utf8.count >= 100)
    #expect(folded.allSatisfy { $0 == "u" })
  }
}

@Suite struct TokenTests {
  @Test("Words have their range in code points, their script, and whether they are numbers")
  func words() {
    let words = Token.words(of: "Ulica 3/5, Москва")
    #expect(words.map(\.folded) == ["ulica", "3/5", "moskva"])
    #expect(words.map(\.range) == [0..<5, 6..<9, 11..<17])
    #expect(words.map(\.script) == [.latin, .common, .cyrillic])
    #expect(words.map(\.isNumber) == [false, true, false])
  }

  @Test("All words are found, also if there are more than sixteen")
  func manyWords() {
    #expect(Token.words(of: (1...40).map(String.init).joined(separator: " ")).count == 40)
  }
}

@Suite struct HighlightingTests {
  @Test(
    "Matches are code points of the shown text, also if folding changes lengths",
    arguments: [
      ("berl", "Berlin", [0..<4]), ("strass", "Straße", [0..<5]), ("stras", "Straße", [0..<5]), ("stra", "Straße", [0..<4]),
      ("sanfran", "San Francisco", [0..<3, 4..<8]), ("fran san", "San Francisco", [0..<3, 4..<8]), ("fran", "San Francisco", [4..<8]),
      ("ma", "Ma\u{308}rz", [0..<3]), ("mos", "Москва", [0..<3]), ("xyz", "Berlin", []), ("", "Berlin", []),
      ("new york", "New New York", [4..<7, 8..<12]), ("gallen st", "St. Gallen", [0..<2, 4..<10]), ("aer", "Ærø", [0..<2]),
      ("慕尼", "慕尼黑", [0..<2]), ("york new", "Newark New York", [7..<10, 11..<15]),
      ("york new new", "Newark New York", [0..<3, 7..<10, 11..<15]), ("កម្ពុជា ភ", "ភ្នំពេញ កម្ពុជា", [0..<2, 8..<15]),
    ] as [(String, String, [Range<Int>])])
  func matches(query: String, text: String, expected: [Range<Int>]) {
    #expect(Highlighting.matches(of: query, in: text) == expected)
  }
}

@Suite struct FoldedTextTests {
  @Test(
    "The unmatched words are those that begin no word of the text; none, if the text begins with the whole query",
    arguments: [
      (["berlin", "ger"], "Berlin", ["ger"]), (["san", "fran"], "San Francisco", []), (["sanf", "rancisco"], "San Francisco", []),
      (["sanfran", "us"], "San Francisco", ["sanfran", "us"]), (["fran", "san"], "San Francisco", []), (["mos", "ru"], "Москва", ["ru"]),
      (["កម្ពុជា", "ភ"], "ភ្នំពេញ កម្ពុជា", []),
      (["a", "b"], "", ["a", "b"]), ([], "Berlin", []),
    ] as [([String], String, [String])])
  func unmatched(query: [String], text: String, expected: [String]) {
    #expect(FoldedText(text).unmatched(query) == expected)
  }

  @Test("A word of the text that folds to nothing is skipped; one of the query matches anything")
  func emptyWords() {
    let text = FoldedText("Ber \u{0E4E}\u{0E4E} lin")
    #expect(text.matches(ofWords: ["berlin"]).count == 2)
    #expect(text.matches(ofWords: ["", "x"]).count == 1)
  }
}

@Suite struct LanguageTests {
  @Test("The language of a region, the region of a language, and names of regions are those of CLDR")
  func languages() {
    #expect(Languages.language(of: "DE") == "de")
    #expect(Languages.language(of: "JP") == "ja")
    #expect(Languages.region(of: "zh-Hant") == "TW")
    #expect(Languages.name(ofRegion: "DE", in: "fr") == "Allemagne")
    #expect(Languages.language(of: "a region that is none") == nil)
  }
}
