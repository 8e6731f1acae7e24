import Testing

@testable import placesctl

@Suite("Keys of a terminal")
struct TerminalKeyTests {
  @Test(
    "A terminal's bytes are keys, whole and byte by byte",
    arguments: [
      ("aß慕", [.text("a"), .text("ß"), .text("慕")]), ("🗺\r", [.text("🗺"), .enter]),
      ("\u{1B}[A\u{1B}OB\u{10}\u{0E}", [.up, .down, .up, .down]),
      ("\u{7F}\u{08}\u{15}\u{17}", [.backspace, .backspace, .clear, .deleteWord]), ("\u{03}\u{04}", [.quit, .quit]),
      ("\u{1B}[1;5Ca\u{1B}[3~\t\u{1B}[5~b", [.right, .text("a"), .delete, .text("b")]),
      ("\u{1B}[D\u{1B}[H\u{1B}OF\u{01}\u{05}\u{02}\u{06}\u{1B}\u{7F}", [.left, .home, .end, .home, .end, .left, .right, .deleteWord]),
      ("\u{1B}[200~pa\r\nris\u{03}\u{1B}[A \u{1B}[201~\r", [.text("pa ris [A"), .enter]), ("\u{1B}[200~\u{1B}[201~x", [.text("x")]),
      ("\u{1B}\u{1B}[A", [.escape, .up]), ("\u{1B}a", [.escape, .text("a")]),
    ] as [(String, [TerminalKey])])
  func keys(_ bytes: String, _ expected: [TerminalKey]) {
    var whole = KeyDecoder()
    #expect(whole.take(Array(bytes.utf8)) == expected)
    #expect(whole.timeLimit == nil)
    var single = KeyDecoder()
    #expect(bytes.utf8.flatMap { single.take([$0]) } == expected)
  }

  @Test("An escape is a key of its own if nothing follows it; damaged text and endless sequences are dropped")
  func incomplete() {
    var decoder = KeyDecoder()
    #expect(decoder.take([0x1B]) == [])
    #expect(decoder.timeLimit == 0.05)
    #expect(decoder.flush() == [.escape])
    #expect(decoder.take([0xC3]) == [])
    #expect(decoder.flush() == [])
    #expect(decoder.take([0xFF, 0xC3, 0x28, 0x80, 0x61]) == [.text("("), .text("a")])
    #expect(decoder.take([0x1B, 0x5B] + Array(repeating: 0x31, count: 40)) == [])
    #expect(decoder.take([0x61]) == [.text("a")])
    // A pasted text is cut, and nothing in it is a key, however late its end arrives.
    #expect(decoder.take(Array("\u{1B}[200~".utf8) + Array(repeating: 0x78, count: 10_000) + [0x1B]) == [])
    #expect(decoder.take(Array("[201~".utf8)) == [.text(String(repeating: "x", count: 4_096))])
    // If the end of a paste is lost, the keys after a while are keys again.
    #expect(decoder.take(Array("\u{1B}[200~a\nb".utf8)) == [])
    #expect(decoder.timeLimit == 1)
    #expect(decoder.flush() == [.text("a b")])
    #expect(decoder.take([0x03]) == [.quit])
  }
}
