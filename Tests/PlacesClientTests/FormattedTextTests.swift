import PlacesKit
import Testing

@testable import PlacesClient

@Suite("Matches as ranges of their text")
struct FormattedTextTests {
  @Test("Code points become indices and UTF-16 code units, also after characters of several code units")
  func ranges() {
    // An emoji has two UTF-16 code units, and the last letter of the first word has two code points.
    let text = FormattedText("🗺 Cafe\u{301} Zürich", matches: [TextRange(start: 2, end: 7), TextRange(start: 8, end: 10)])
    #expect(text.matchRanges.map { String(text.text[$0]) } == ["Cafe\u{301}", "Zü"])
    #expect(text.utf16MatchRanges == [3..<8, 9..<11])
    let units = Array(text.text.utf16)
    #expect(text.utf16MatchRanges.map { String(decoding: units[$0], as: UTF16.self) } == ["Cafe\u{301}", "Zü"])
  }

  @Test(
    "A match that does not lie in the text is left out",
    arguments: [(-1, 2), (0, 0), (2, 1), (3, 9), (7, 8), (.max - 1, .max), (.min, .max)])
  func outside(start: Int, end: Int) {
    let text = FormattedText("Berlin", matches: [TextRange(start: 0, end: 6), TextRange(start: start, end: end)])
    #expect(text.matchRanges == [text.text.startIndex..<text.text.endIndex])
    #expect(text.utf16MatchRanges == [0..<6])
  }
}
