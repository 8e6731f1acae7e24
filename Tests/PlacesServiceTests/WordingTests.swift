import Glibc
import PlacesAPI
import PlacesTesting
import Testing

@testable import PlacesService

/// What a wording leaves out, found byte by byte.
private struct Plain: Equatable {
  /// The text with a zero byte in the place of each value that is left out.
  var rest: [UInt8] = []
  var id: [UInt8] = []
  var session: SessionID?
  var seq: Int?

  init?(_ text: [UInt8]) {
    guard let end = text.firstIndex(of: 0x0A), (24..<1_008).contains(end) else { return nil }
    var index = 0
    while index < end {
      let names = [#""id":"#, #""session":"#, #""seq":"#]
      guard let name = names.first(where: { text[index..<end].starts(with: $0.utf8) }), index + 7 <= end else {
        rest.append(text[index])
        index += 1
        continue
      }
      rest += Array(name.utf8)
      index += name.utf8.count
      if text[index] == UInt8(ascii: " ") {
        rest.append(text[index])
        index += 1
      }
      let value = Self.value(in: text[index..<end])
      guard !value.isEmpty, note(value, of: name) else { return nil }
      rest.append(0)
      index += value.count
    }
    guard !id.isEmpty else { return nil }
  }

  /// A plain string or a whole number.
  private static func value(in text: ArraySlice<UInt8>) -> [UInt8] {
    if text.first == UInt8(ascii: "\"") {
      let inside = text.dropFirst().prefix { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      return inside.endIndex < text.endIndex && text[inside.endIndex] == UInt8(ascii: "\"") ? Array(text[..<(inside.endIndex + 1)]) : []
    }
    let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let next = digits.endIndex < text.endIndex ? text[digits.endIndex] : 0
    guard digits.count < 16, digits.first != UInt8(ascii: "0") || digits.count == 1, !".eE".utf8.contains(next) else { return [] }
    return Array(digits)
  }

  private mutating func note(_ value: [UInt8], of name: String) -> Bool {
    let (isNew, text) = (
      name == #""id":"# ? id.isEmpty : name == #""seq":"# ? seq == nil : session == nil, String(decoding: value, as: UTF8.self)
    )
    switch name {
    case #""id":"#: id = value
    case #""seq":"#: seq = Int(text)
    default: session = value.first == UInt8(ascii: "\"") ? SessionID(String(text.dropFirst().dropLast())) : nil
    }
    return isNew && (name == #""id":"# || (name == #""seq":"# ? seq != nil : session != nil))
  }
}

/// Calls the body with bytes before which and behind which there is no memory, as far as pages allow.
private func fenced(_ text: [UInt8], atEnd: Bool, _ body: (Span<UInt8>) -> Void) throws {
  let page = Int(getpagesize())
  let memory = try #require(mmap(nil, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
  defer { munmap(memory, 3 * page) }
  try #require(mprotect(memory + page, page, PROT_READ | PROT_WRITE) == 0)
  let room = UnsafeMutableRawBufferPointer(start: memory + page + (atEnd ? page - text.count : 0), count: text.count)
  room.copyBytes(from: text)
  body(room.bindMemory(to: UInt8.self).span)
}

@Suite("How requests are worded") struct WordingTests {
  private static let session = "00000000-0000-4000-8000-00000000000a"
  private static let pieces = [
    #""id":"#, #""id": "#, #""session":"#, #""seq":"#, #""seq": "#, "1", "0", "12345678", "9999999999999999", #""x""#, #""a b""#,
    #""\u0062""#, "\"\(session)\"",
    "\"\(session)", #""query":"berl""#, #""size":3"#, #""ids":"#, #""i"#, #""s"#, #"""#, "{", "}", ",", " ", "é", "e5", ".5", "\n", "\u{0}",
    #""is":"sis","#,
  ]

  private static func text(_ random: inout SeededRandom) -> [UInt8] {
    (0..<Int.random(in: 3..<14, using: &random)).flatMap { _ in Array((pieces.randomElement(using: &random) ?? "").utf8) } + [0x0A]
  }

  @Test("What is left out is found in any text, and nothing beside the text is looked at")
  func found() throws {
    var (random, worded) = (SeededRandom(seed: 3), 0)
    for number in 0..<20_000 {
      let text = Self.text(&random)
      let plain = Plain(text)
      worded += plain == nil ? 0 : 1
      try fenced(text, atEnd: number % 2 == 0) { bytes in
        let wording = Wording(of: bytes, from: 0)
        #expect((wording == nil) == (plain == nil), "\(String(decoding: text, as: UTF8.self))")
        guard let wording, let plain else { return }
        #expect(Array(text[wording.id]) == plain.id && wording.session == plain.session && wording.seq == plain.seq)
        #expect(text[wording.end] == 0x0A && !text[..<wording.end].contains(0x0A))
      }
    }
    #expect(worded > 1_000)
  }

  @Test("Two texts are worded alike exactly where they are the same without what is left out, wherever they lie")
  func alike() {
    var (random, alike) = (SeededRandom(seed: 4), 0)
    for number in 0..<3_000 {
      let (id, seq) = (Int.random(in: 0..<100_000, using: &random), Int.random(in: 0..<100_000, using: &random))
      var texts = [(1, 2), (id, seq)].map { id, seq in
        Array(#"{"jsonrpc":"2.0","id":\#(id),"params":{"seq":\#(seq),"query":"berlin \#(number)"},"method":"places.autocomplete"}"#.utf8)
      }
      for _ in 0..<Int.random(in: 0..<3, using: &random) {
        let (index, letter) = (Int.random(in: 0..<texts[1].count, using: &random), Array("1\"5 \u{0}".utf8).randomElement(using: &random))
        texts[1][index] = letter ?? 0
      }
      let (first, second) = (texts[0] + [0x0A], [0x0A, 0x0A] + texts[1] + [0x0A, UInt8(ascii: "{")])
      var wordings = Wordings()
      guard let one = Wording(of: first.span, from: 0) else { return #expect(Bool(false)) }
      for _ in 0..<2 { wordings.note(one, user: 7, at: Wordings.Place(index: 5, number: 6)) }
      guard let other = Wording(of: second.span, from: 2) else { continue }
      let isAlike = Plain(first)?.rest == Plain(Array(second.dropFirst(2)))?.rest
      alike += isAlike ? 1 : 0
      #expect((wordings.place(of: other, user: 7)?.index == 5) == isAlike, "\(String(decoding: second, as: UTF8.self))")
      #expect((one.hash == other.hash) == isAlike)
      #expect(wordings.place(of: other, user: 8) == nil, "another user")
    }
    #expect(alike > 500)
  }

  @Test("Texts that differ in one bit anywhere differ in both numbers, with the line break wherever it may be")
  func mixed() throws {
    var (random, all) = (SeededRandom(seed: 6), [(UInt64, UInt64)]())
    for size in 0..<120 {
      let query = (0..<size).map { _ in UInt8.random(in: 0x61...0x7A, using: &random) }
      let text = Array(#"{"id":1,"seq":2,"query":""#.utf8) + query + Array(#"","x":1}"#.utf8) + [0x0A]
      for bit in 25 * 8 - 1..<(25 + size) * 8 {
        var text = text
        if bit >= 25 * 8 { text[bit / 8] ^= 1 << UInt8(bit % 8) }
        guard let wording = Wording(of: text.span, from: 0), wording.end == text.count - 1 else { continue }
        all.append((wording.hash.first, wording.hash.second))
      }
    }
    #expect(all.count > 50_000 && Set(all.map(\.0)).count == all.count && Set(all.map(\.1)).count == all.count)
  }

  @Test("Many wordings are each found, until their number empties them; a user's are forgotten without the others'")
  func many() {
    var wordings = Wordings()
    func texts(_ numbers: Range<Int>) -> [[UInt8]] { numbers.map { Array(#"{"id":1,"params":{"query":"\#($0)"}}"#.utf8) + [0x0A] } }
    func note(_ texts: [[UInt8]], user: UInt32) {
      for (index, text) in texts.enumerated() {
        guard let wording = Wording(of: text.span, from: 0) else { continue }
        for _ in 0..<2 { wordings.note(wording, user: user, at: Wordings.Place(index: index, number: UInt64(index) + 1)) }
      }
    }
    func found(_ texts: [[UInt8]], user: UInt32, from first: Int = 0) -> Int {
      texts.enumerated().count { index, text in
        Wording(of: text.span, from: 0).map { wordings.place(of: $0, user: user)?.index == first + index } == true
      }
    }
    let (mine, others) = (texts(0..<1_000), texts(2_000..<3_500))
    note(mine, user: 1)
    note(others, user: 2)
    #expect(found(mine, user: 1) == 1_000 && found(others, user: 2) == 1_500)
    wordings.forget(user: 1)
    #expect(found(mine, user: 1) == 0 && found(others, user: 2) == 1_500)
    note(texts(10_000..<13_000), user: 3)
    #expect(found(others, user: 2) == 0 && found(texts(12_900..<13_000), user: 3, from: 2_900) == 100)
    note(mine, user: 1)
    #expect(found(mine, user: 1) == 1_000)
  }
}
