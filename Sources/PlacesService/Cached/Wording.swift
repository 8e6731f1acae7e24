import PlacesAPI
import PlacesKit
import RPC

/// How a request is worded, apart from what differs each time: its id, its session, and its number there. Two requests that are worded
/// alike ask the same, so that what was found out with care about one of them need not be found out about the other.
///
/// The wording is the text up to its line break without the values that are left out, and is looked at where it lies. What is left out is
/// well-formed JSON of the kind that belongs there, behind what looks like the name of a member: quotes that are not escaped, and a
/// colon. So of two texts of one wording either both are the same request but for these values, or neither is one.
///
/// A wording is known by two numbers of 64 bits, mixed of the text and secret seeds. That two texts of one user have both the same does not
/// happen by chance; and who brought it about, without knowing the seeds, would give himself another answer of his own. To keep the texts
/// and compare them would cost more than all that is done here, since they do not fit into the processor's nearer caches.
///
/// Nearly all requests come by here, so that the bytes are read by eights and sixteens from where they lie. Whatever is read lies between
/// the text's beginning and its line break: a text is at least `least` bytes long, and nothing is looked for in its last bytes, where no
/// member has room.
struct Wording {
  private(set) var session: SessionID?
  private(set) var seq: Int?
  private(set) var hash: Hash
  let start: Int
  /// Where the text ends: at its line break.
  let end: Int
  private var idGap = Gap()

  /// From where to where in the text a value stands; a wording is handed on, so that it is small.
  private struct Gap {
    var from: UInt16 = 0
    var upTo: UInt16 = 0
  }

  /// Where the id stands: a string or a number.
  var id: Range<Int> { start &+ Int(idGap.from)..<start &+ Int(idGap.upTo) }

  private static let least = 24
  /// Longer texts have no wording.
  static let most = 1_008

  /// The wording of the text that begins at `start`. Nil for a text that is short or long, has no line break, or is unusual.
  init?(of bytes: Span<UInt8>, from start: Int, seed: Hash = Hash(first: 1, second: 2)) {
    guard let end = bytes.index(of: UInt8(ascii: "\n"), in: start..<min(bytes.count, start + Self.most)), end - start >= Self.least
    else { return nil }
    self.start = start
    self.end = end
    hash = seed
    let isUsual = bytes.withUnsafeBytes { bytes in
      guard let text = bytes.baseAddress else { return false }
      return read(text, seed)
    }
    guard isUsual, idGap.upTo > 0 else { return nil }
  }

  /// Finds what is left out, and mixes the rest. False for a text that is unusual.
  private mutating func read(_ text: UnsafeRawPointer, _ seed: Hash) -> Bool {
    var (index, from) = (start, start)
    while let place = Self.mark(in: text, from: index, to: end) {
      index = place &+ 1
      guard let name = MemberName(text, at: place) else { continue }
      guard let value = take(name, in: text) else { return false }
      hash.mix(text, from..<value.lowerBound, before: end, seed)
      (from, index) = (value.upperBound, value.upperBound)
    }
    hash.mix(text, from..<end, before: end, seed)
    return true
  }

  /// Whether a text is within the limits of a request.
  func fits(_ limits: Limits) -> Bool { end - start <= limits.requestBytes && id.count <= limits.idBytes }

  /// Whether what was left out is what the request holds.
  func says(_ envelope: Envelope, _ asker: Asker) -> Bool {
    id == envelope.id && end == envelope.end && session == asker.session && seq == asker.seq
  }

  /// The value behind a name, taken note of. Nil for one that the wording cannot do without: it is there twice, or of another kind.
  @inline(__always) private mutating func take(_ name: MemberName, in text: UnsafeRawPointer) -> Range<Int>? {
    let begin = text.byte(at: name.end) == UInt8(ascii: " ") ? name.end &+ 1 : name.end
    var stop = begin
    switch name.member {
    case .id:
      guard idGap.upTo == 0 else { return nil }
      if text.byte(at: begin) == UInt8(ascii: "\"") {
        // The line break ends the search, since it is no part of a string.
        repeat { stop &+= 1 } while text.byte(at: stop).isPlain
        guard text.byte(at: stop) == UInt8(ascii: "\"") else { return nil }
        stop &+= 1
      } else {
        guard text.number(at: begin, &stop) != nil else { return nil }
      }
      idGap = gap(begin, stop)
    case .session:
      stop = begin &+ 38
      guard session == nil, stop < end, text.byte(at: begin) == UInt8(ascii: "\""), text.byte(at: stop &- 1) == UInt8(ascii: "\"")
      else { return nil }
      let digits = UnsafeRawBufferPointer(start: text + begin + 1, count: 36)
      session = SessionID(utf8: digits.bindMemory(to: UInt8.self).span)
      guard session != nil else { return nil }
    case .seq:
      guard seq == nil, let number = text.number(at: begin, &stop) else { return nil }
      seq = number
    }
    return begin..<stop
  }

  /// No text is so long that its indices would not fit.
  @inline(__always) private func gap(_ from: Int, _ upTo: Int) -> Gap {
    Gap(from: UInt16(truncatingIfNeeded: from &- start), upTo: UInt16(truncatingIfNeeded: upTo &- start))
  }

  /// The first place from an index on where a name may begin, with room behind it. Not inlined, so that the loop has the registers.
  @inline(never) private static func mark(in text: UnsafeRawPointer, from start: Int, to end: Int) -> Int? {
    let last = end &- 16
    var index = start
    while index <= last {
      let marks = marks(in: text, at: index)
      if marks[0] | marks[1] != 0 { return first(of: marks, from: index, to: end) }
      index &+= 16
    }
    // The last sixteen bytes, some of which were looked at before.
    let seen = index &- last
    guard seen < 16 else { return nil }
    var marks = marks(in: text, at: last)
    if seen < 8 {
      marks[0] &= ~0 &<< UInt64(8 &* seen)
    } else {
      marks[0] = 0
      marks[1] &= ~0 &<< UInt64(8 &* (seen &- 8))
    }
    return first(of: marks, from: last, to: end)
  }

  /// Where the first mark stands, if there is one and room for a member.
  @inline(__always) private static func first(of marks: SIMD2<UInt64>, from index: Int, to end: Int) -> Int? {
    let bits = marks[0] != 0 ? marks[0].trailingZeroBitCount : 64 &+ marks[1].trailingZeroBitCount
    let place = index &+ bits / 8
    return place &+ 7 <= end ? place : nil
  }

  /// Marks each of sixteen bytes that is a quote before an `i`, an `s`, or one of the six bytes that differ from them in the same three bits.
  @inline(__always) private static func marks(in text: UnsafeRawPointer, at index: Int) -> SIMD2<UInt64> {
    let here = text.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
    let next = text.loadUnaligned(fromByteOffset: index &+ 1, as: SIMD16<UInt8>.self)
    let (quote, bits, name) = (SIMD16<UInt8>(repeating: 0x22), SIMD16<UInt8>(repeating: 0xE5), SIMD16<UInt8>(repeating: 0x61))
    return unsafeBitCast((here .== quote) .& (next & bits .== name), to: SIMD2<UInt64>.self)
  }
}

/// A member whose value a wording leaves out.
private struct MemberName {
  enum Member { case id, session, seq }
  var member: Member
  /// Behind the colon.
  var end: Int

  /// The names with their quotes and the colon, as far as eight bytes reach.
  static let id: UInt64 = 0x3A_2264_6922
  static let seq: UInt64 = 0x3A22_7165_7322
  static let session: UInt64 = 0x6E6F_6973_7365_7322
  static let end: UInt64 = 0x3A22

  /// The name that begins with the quote at this index, behind which there are seven bytes at least.
  @inline(__always) init?(_ text: UnsafeRawPointer, at index: Int) {
    let word = text.eight(at: index)
    if word & 0xFF_FFFF_FFFF == Self.id {
      (member, end) = (.id, index &+ 5)
    } else if word & 0xFFFF_FFFF_FFFF == Self.seq {
      (member, end) = (.seq, index &+ 6)
    } else if word == Self.session, text.byte(at: index &+ 8) == UInt8(ascii: "\""), text.byte(at: index &+ 9) == UInt8(ascii: ":") {
      (member, end) = (.session, index &+ 10)
    } else {
      return nil
    }
  }
}

extension Wording {
  /// Two numbers that are mixed of the same bytes in different ways; also the secret seeds from which that begins.
  struct Hash: Hashable {
    var first: UInt64
    var second: UInt64

    /// Seeds that nobody knows.
    static func random() -> Hash { Hash(first: .random(in: 0 ... .max), second: .random(in: 0 ... .max)) }
  }
}

extension Wording.Hash {
  /// Mixes a piece of a text in, by multiplications whose two halves are folded together (as wyhash does, Wang 2019).
  /// - Parameter end: where the text ends; at least 24 bytes behind its beginning, with a line break behind it.
  @inline(__always) fileprivate mutating func mix(_ text: UnsafeRawPointer, _ piece: Range<Int>, before end: Int, _ seed: Self) {
    let size = piece.count
    first ^= UInt64(truncatingIfNeeded: size)
    second &+= UInt64(truncatingIfNeeded: size)
    var index = piece.lowerBound
    while index &+ 16 <= piece.upperBound {
      mix(text.eight(at: index), text.eight(at: index &+ 8), seed)
      index &+= 16
    }
    if size >= 16 {
      // Some of the last sixteen bytes for the second time, rather than each of the rest for itself.
      if index < piece.upperBound { mix(text.eight(at: piece.upperBound &- 16), text.eight(at: piece.upperBound &- 8), seed) }
    } else if size >= 8 {
      mix(text.eight(at: index), text.eight(at: piece.upperBound &- 8), seed)
    } else if size > 0 {
      let unused = UInt64(64 &- 8 &* size)
      mix(index &+ 8 <= end ? text.eight(at: index) &<< unused : text.eight(at: piece.upperBound &- 8) & (~0 &<< unused), 0, seed)
    }
  }

  @inline(__always) private mutating func mix(_ one: UInt64, _ other: UInt64, _ seed: Self) {
    first = Self.fold(first ^ one, other ^ 0x9E37_79B9_7F4A_7C15) &+ seed.first
    second = Self.fold(second ^ other, one ^ 0xC2B2_AE3D_27D4_EB4F) &+ seed.second
  }

  @inline(__always) private static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let product = one.multipliedFullWidth(by: other)
    return product.high ^ product.low
  }
}

extension UnsafeRawPointer {
  @inline(__always) fileprivate func byte(at index: Int) -> UInt8 { load(fromByteOffset: index, as: UInt8.self) }

  /// Eight bytes as one number, the first one lowest.
  @inline(__always) fileprivate func eight(at index: Int) -> UInt64 {
    UInt64(littleEndian: loadUnaligned(fromByteOffset: index, as: UInt64.self))
  }

  /// The whole number at an index, in at most 15 digits; moves `stop` behind it. Nil where another kind of number stands there, or none.
  @inline(__always) fileprivate func number(at index: Int, _ stop: inout Int) -> Int? {
    var (number, digit) = (0, byte(at: index) &- UInt8(ascii: "0"))
    stop = index
    while digit < 10 {
      number = 10 &* number &+ Int(digit)
      stop &+= 1
      guard stop &- index < 16 else { return nil }
      digit = byte(at: stop) &- UInt8(ascii: "0")
    }
    let behind = byte(at: stop)
    guard stop > index, byte(at: index) != UInt8(ascii: "0") || stop == index &+ 1, behind != UInt8(ascii: "."),
      behind | 0x20 != UInt8(ascii: "e")
    else { return nil }
    return number
  }
}

extension UInt8 {
  /// Whether a string may hold this byte, and it is neither its end nor anything that has to be looked at more closely.
  @inline(__always) fileprivate var isPlain: Bool { self &- 0x20 < 0x5F && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\") }
}
