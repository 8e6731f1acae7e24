import Foundation  // for the environment, which says how long to prove
import PlacesKit
import PlacesTesting
import Testing

@testable import RPC

@Suite("Framing")
struct FramerTests {
  static let rounds = ProcessInfo.processInfo.environment["PLACES_PROVE"] == nil ? 1 : 50

  /// All frames of a stream that arrives in these pieces.
  static func frames(_ pieces: [ArraySlice<UInt8>], maximum: Int) -> [FrameBuffer.Frame] {
    var (buffer, frames) = (FrameBuffer(maximum: maximum), [FrameBuffer.Frame]())
    for piece in pieces {
      buffer.append(piece)
      while let frame = buffer.next() {
        frames.append(frame)
        if frame == .lost { return frames }
      }
    }
    if let last = buffer.finish() { frames.append(last) }
    return frames
  }

  private static func split(_ bytes: [UInt8], _ random: inout SeededRandom) -> [ArraySlice<UInt8>] {
    var (pieces, start) = ([ArraySlice<UInt8>](), 0)
    let longest = [1, 2, 7, 64, 1_000].randomElement(using: &random) ?? 1
    while start < bytes.count {
      let end = min(bytes.count, start + Int.random(in: 1...longest, using: &random))
      pieces.append(bytes[start..<end])
      start = end
    }
    return pieces
  }

  /// A stream of good and damaged texts.
  private static func stream(_ random: inout SeededRandom) -> [UInt8] {
    let texts = WireCase.all.filter { $0.bytes.count < 2_000 }
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      bytes += texts.randomElement(using: &random)?.bytes ?? []
      if Bool.random(using: &random) { bytes.append(0x0A) }
    }
    return bytes
  }

  @Test(
    "The id of an incomplete text is known if it is within the received bytes",
    arguments: [
      (#"{"id":5,"params":["#, "5"), (#"{"jsonrpc":"2.0","id":"a\u0062","#, #""a\u0062""#), (#"{"id":123"#, "null"),
      (#"{"id":12.5}"#, "12.5"),
      (#"{"params":[["#, "null"), (#"{"id":[1],"a":1}"#, "null"), (#"[{"id":5}]"#, "null"), ("", "null"),
    ])
  func identifiers(text: String, id: String) {
    #expect(Message.id(of: Array(text.utf8).span, ConnectionLimits()).raw == Array(id.utf8))
  }

  @Test(
    "A line that cannot begin a JSON text is rejected at its end, and framing resumes at the next line",
    arguments: [
      "{garbage", "{garbage: 1,", "{1", "{\"a\":nul", "{\"a\":truex", "{\"a\":1.", "{\"a\":01,", "{\"a\":1e", "{\"a\",", "{\"a\":,", "{,",
      "[,", "[1,,",
      "[:", "[1:", "{\"a\":1,]", "[[1}", "[[1,]", "{\"a\":{\"b\":1,}", "{\"a\":\"\\x\"", "{\"a\":\"\u{1}\"", "{\"\\u12\"", "{'a'", "[NaN",
      "[--1",
      "[\"a\":", "{\"a\":1:", "{\"a\"}}",
    ])
  func damagedLine(_ line: String) {
    var buffer = FrameBuffer()
    buffer.append(Array((line + "\n").utf8))
    let frames = Array(AnyIterator { buffer.next() })
    #expect(!frames.isEmpty)
    for case .text(let text) in frames { #expect((try? JSONValue(parsing: text)) == nil) }
    buffer.append(Array("{}".utf8))
    #expect(buffer.next() == .text(Array("{}".utf8)))
  }

  @Test(
    "A line that may begin a JSON text waits for more bytes",
    arguments: [
      "{", "[", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":-1.5E+300", "[1e999", "[\"\\ud83d\\ude00ü\"", "[[],{},[{\"a\":[]}",
      "[null,true,false",
    ])
  func unfinishedLine(_ line: String) {
    var buffer = FrameBuffer()
    buffer.append(Array((line + "\n").utf8))
    #expect(buffer.next() == nil)
  }

  @Test("The frames do not depend on how the bytes are split")
  func splits() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<300 * FramerTests.rounds {
      let bytes = FramerTests.stream(&random)
      let maximum = Bool.random(using: &random) ? 1 << 20 : 100
      let whole = FramerTests.frames([bytes[...]], maximum: maximum)
      #expect(FramerTests.frames(FramerTests.split(bytes, &random), maximum: maximum) == whole, "\(String(decoding: bytes, as: UTF8.self))")
      #expect(FramerTests.frames(bytes.indices.map { bytes[$0...$0] }, maximum: maximum) == whole)
    }
  }

  @Test("The end of a JSON text does not depend on the bytes after it")
  func ends() {
    for row in WireCase.requests + WireCase.numbers + WireCase.texts where row.replies.allSatisfy({ !$0.contains("!-32700") }) {
      guard (try? JSONValue(parsing: row.bytes))?.object != nil else { continue }
      for next in ["{}", "[]", "\n", "x", "1", "\"", " {"] {
        var buffer = FrameBuffer()
        buffer.append(row.bytes + Array(next.utf8))
        guard case .text(let text) = buffer.next() else {
          Issue.record("no text: \(row.name)")
          continue
        }
        #expect(text == row.bytes.trimmed)
      }
    }
  }

  @Test("Every text that the parser accepts is one frame, with line breaks between any tokens")
  func brokenLines() {
    var (random, passed) = (SeededRandom(seed: 5), 0)
    for _ in 0..<4_000 * FramerTests.rounds {
      let bytes = FramerTests.mutated(&random).flatMap { byte in
        Array("{}[]:,".utf8).contains(byte) && Int.random(in: 0...2, using: &random) == 0 ? [0x0A, byte, 0x0D, 0x0A] : [byte]
      }.trimmed
      guard let value = try? JSONValue(parsing: bytes), value.object != nil || value.array != nil else { continue }
      passed += 1
      #expect(FramerTests.frames([bytes[...]], maximum: 1 << 20) == [.text(bytes)], "\(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(passed > 500)
  }

  @Test("The recorded positions of a message's members are those that the parser finds")
  func members() throws {
    var (random, passed) = (SeededRandom(seed: 2), 0)
    for _ in 0..<4_000 * FramerTests.rounds {
      let bytes = FramerTests.mutated(&random).trimmed
      guard let value = try? JSONValue(parsing: bytes), let object = value.object else { continue }
      passed += 1
      let members = MessageMembers(of: bytes.span)
      #expect(members.repeatedName == nil)
      for (name, range) in [
        ("jsonrpc", members.version), ("id", members.id), ("method", members.method), ("params", members.params),
        ("result", members.result),
        ("error", members.error),
      ] {
        let member = try range.map { try JSONValue(parsing: Array(bytes[$0])) }
        #expect(member == object[name], "\(String(decoding: bytes, as: UTF8.self))")
      }
    }
    #expect(passed > 500)
  }

  @Test("A text is framed alike with and without an outline, which has the members of the request, however the text arrives")
  func outline() throws {
    var (random, described, named) = (SeededRandom(seed: 12), 0, 0)
    let request = Array(#"{"jsonrpc":"2.0","params":{"p":"ü","q" : [1,{"r":2}],"s":1.5e1},"id":7,"method":"a"}"#.utf8)
    for _ in 0..<4_000 * FramerTests.rounds {
      // Every second text has params.
      let text = Bool.random(using: &random) ? FramerTests.mutated(&random) : request
      // White space before the text, so that its indices are not those of the buffer.
      let stream = Array("  ".utf8) + text
      for cuts in [
        [], [Int.random(in: 0...stream.count, using: &random)], (0..<8).map { _ in Int.random(in: 0...stream.count, using: &random) },
      ] {
        let outline = RequestOutline()
        let events = FramerTests.events(of: stream, cutAt: cuts.sorted(), outline)
        #expect(events == FramerTests.events(of: stream, cutAt: cuts.sorted(), nil), "\(String(decoding: text, as: UTF8.self))")
        guard !outline.id.isEmpty, case .text(let range, exceeds: nil)? = events.last else { continue }
        described += 1
        let bytes = Array(stream[range])
        let members = MessageMembers(of: bytes.span)
        #expect(members.id == outline.id && members.version != nil && members.repeatedName == nil)
        #expect(members.method == outline.method.lowerBound - 1..<outline.method.upperBound + 1)
        #expect(members.params ?? 0..<0 == outline.params)
        guard let params = try? members.params.map({ try JSONValue(parsing: Array(bytes[$0])) })?.object else { continue }
        named += outline.count
        let names = params.keys.map { Array($0.utf8) }.map { $0.span.packed(in: $0.indices) }
        #expect(names == (0..<outline.count).map { outline.parameter($0).name })
        #expect(
          try params.keys.map { params[$0] }
            == (0..<outline.count).map { try JSONValue(parsing: Array(bytes[outline.parameter($0).value])) })
      }
    }
    #expect(described > 500 && named > 500)
  }

  /// The events until the first text of a stream that arrives in the parts between the cuts, and that text's range in the stream.
  private static func events(of stream: [UInt8], cutAt cuts: [Int], _ outline: RequestOutline?) -> [Framer.Event] {
    var (framer, start, events) = (Framer(maximum: 1_000), 0, [Framer.Event]())
    for end in cuts + [stream.count] {
      loop: while true {
        let event = framer.next(in: stream.span.extracting(0..<end), from: start, outline: outline)
        switch event {
        case .text, .lost: return events + [event]
        case .invalid(_, let next), .tooLong(let next): start = next
        case .more(let keeping):
          start = keeping
          break loop
        }
        events.append(event)
      }
    }
    return events
  }

  @Test(
    "A request with an unusual member, spelling or size has no outline",
    arguments: [
      #"{"jsonrpc":"2.0","id":1,"method":"a","other":1}"#, #"{"jsonrpc":"2.0","id":1,"id":1,"method":"a"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"","method":"a"}"#, #"{"jsonrpc":"2.0","id":1,"method":"a","params":[]}"#,
      #"{"jsonrpc":"2.0","id":[1],"method":"a"}"#, #"{"jsonrpc":"1.0","id":1,"method":"a"}"#, #"{"jsonrpc":"2.0","method":"a"}"#,
      #"{"jsonrpc":"2.0","id":1,"meth\u006fd":"a"}"#, #"{"jsonrpc":"2.0","id":1,"method":"a\u0062"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"a","params":{"p":\#(String(repeating: "[", count: 63))\#(String(repeating: "]", count: 63))}}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"\#(String(repeating: "a", count: 5_000))"}"#,
      #"{"jsonrpc":"2.0","id":1,"method":"a","params":{\#((0..<25).map { #""p\#($0)":1"# }.joined(separator: ","))}}"#,
    ])
  func unusual(text: String) {
    let outline = RequestOutline()
    #expect(outline.scan(Array(#"{"jsonrpc":"2.0","id":1,"method":"a"}"#.utf8).span, depth: 64) == 37)
    #expect(!outline.id.isEmpty)
    #expect(outline.scan(Array(text.utf8).span, depth: 64) == nil)
    #expect(outline.id.isEmpty)
  }

  @Test("The scanner accepts exactly what the parser accepts, and names the same fault")
  func parser() {
    var (random, accepted, refused) = (SeededRandom(seed: 4), 0, 0)
    for _ in 0..<20_000 * FramerTests.rounds {
      let bytes = FramerTests.mutated(&random).trimmed
      guard let first = bytes.first, first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { continue }
      var scanner = JSONTextScanner()
      let progress = scanner.advance(in: bytes.span, from: 0)
      var parsed: JSONError?
      do { _ = try JSONValue(parsing: bytes) } catch { parsed = error }
      switch (progress, parsed?.reason) {
      // The parser reports a duplicate key only if there is no other error.
      case (.complete(let end), .duplicateKey), (.complete(let end), .tooDeep): #expect(end <= bytes.count)
      case (.complete(let end), nil):
        accepted += 1
        #expect(end == bytes.count)
      case (.complete(let end), .trailingBytes): #expect(end < bytes.count)
      case (nil, .unexpectedEnd?), (nil, .duplicateKey), (nil, .badNumber), (nil, .tooDeep): refused += 1
      case (.invalid, .some): refused += 1
      default: Issue.record("\(String(describing: progress)), \(String(describing: parsed)): \(String(decoding: bytes, as: UTF8.self))")
      }
    }
    #expect(accepted > 500 && refused > 500)
  }

  @Test("Damaged bytes never stop the framer or the parser")
  func mutations() {
    var random = SeededRandom(seed: 3)
    for _ in 0..<2_000 * FramerTests.rounds {
      let bytes = FramerTests.mutated(&random)
      for case .text(let text) in FramerTests.frames([bytes[...]], maximum: 4_096) {
        _ = IncomingMessages(text.span, limits: ConnectionLimits())
      }
    }
  }

  /// The bytes of a row of the table with a few changes.
  private static func mutated(_ random: inout SeededRandom) -> [UInt8] {
    let rows = WireCase.requests + WireCase.ids + WireCase.envelopes + WireCase.texts
    var bytes = rows.randomElement(using: &random)?.bytes ?? []
    for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
      let index = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0...3, using: &random) {
      case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.remove(at: index)
      case 2: bytes.insert(Array("{}[]\",:\\\n01".utf8).randomElement(using: &random) ?? 0, at: index)
      default: bytes.insert(contentsOf: bytes[index...].prefix(Int.random(in: 0...20, using: &random)), at: index)
      }
    }
    return bytes
  }

  @Test("A text without an end is reported once, skipped without being stored, and ends the stream at the limit")
  func endless() {
    var (buffer, frames) = (FrameBuffer(maximum: 1_000), [FrameBuffer.Frame]())
    for _ in 0..<100 {
      buffer.append([UInt8](repeating: UInt8(ascii: "["), count: 500))
      while let frame = buffer.next() { frames.append(frame) }
      if frames.last == .lost { break }
    }
    #expect(frames == [.tooLong, .lost])
  }
}

extension [UInt8] {
  fileprivate var trimmed: [UInt8] {
    let space: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return Array(drop(while: space).reversed().drop(while: space).reversed())
  }
}
