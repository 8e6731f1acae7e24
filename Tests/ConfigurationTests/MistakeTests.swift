import Testing

@testable import Configuration

@Suite("Every mistake is reported with its position, its reason and a fix")
struct MistakeTests {
  @Test("A text that is not TOML", arguments: syntax)
  func syntaxMistakes(_ mistake: Mistake) { #expect(problems(mistake.text) == mistake.said) }

  @Test("An unknown key or table", arguments: unknown)
  func unknownKeys(_ mistake: Mistake) { #expect(problems(mistake.text) == mistake.said) }

  @Test("A value of the wrong kind", arguments: kinds)
  func wrongKinds(_ mistake: Mistake) { #expect(problems(mistake.text) == mistake.said) }

  @Test("A value that is not accepted", arguments: values)
  func wrongValues(_ mistake: Mistake) { #expect(problems(mistake.text) == mistake.said) }

  @Test("A provider that cannot work", arguments: providers)
  func wrongProviders(_ mistake: Mistake) { #expect(problems(mistake.text) == mistake.said) }

  @Test(
    "Bytes that are not TOML",
    arguments: [
      ("[daemon]\nlanguage = \"a\u{1}b\"", "t:2:14: not TOML: while parsing string: unescaped control characters"),
      (
        "[daemon]\nlanguage = \"de\nlog_queries = true",
        "t:2:15: not TOML: while parsing string: unescaped control characters other than TAB (U+0009) are explicitly prohibited; end the text with a quotation mark"
      ),
      ("[daemon]\n\u{7}", "t:2:1: not TOML: while parsing root table: expected keys, tables, whitespace or comments, saw '\\u0007'"),
      ("\u{FEFF}\u{FEFF}", "t:1:1: not TOML: while parsing root table: expected space or tab, saw '\\uFEFF'"),
      ("a" + String(repeating: ".a", count: 50_000) + " = 1", "t:1:1: not TOML: more than 128 dots in one line"),
      ("[daemon]\nlanguage = 'de\n", "t:2:15: not TOML: while parsing literal string: control characters other than TAB (U+0009)"),
      ("[[[", "t:1:3: not TOML: while parsing key: expected bare key starting character or string delimiter, saw '['"),
    ])
  func strangeBytes(_ text: String, _ said: String) {
    let problems = problems(text)
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix(said) == true, "\(problems)")
  }

  @Test("A line that is not UTF-8 is rejected with its position")
  func notUTF8() {
    let document = Configuration.Document(path: "t", text: Array("[daemon]\nlanguage = \"".utf8) + [0xFF, 0x22], isDropIn: false)
    #expect(Configuration.draft(documents: [document], locations: .system).problems.count == 1)
  }
}
