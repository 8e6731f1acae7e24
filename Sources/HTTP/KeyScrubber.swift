import Glibc
import PlacesKit

/// Removes a key from a service's response before a provider receives it. A service or a gateway may repeat the request in an error, and
/// with it the key, which would then reach replies, logs and caches.
struct KeyScrubber {
  static let replacement = Array("[key]".utf8)
  /// The minimum length in bytes of a key that is removed from responses. A shorter key may occur in ordinary text by chance, and its
  /// removal would damage the response.
  static let minKeyLength = 8

  private let key: String
  /// The forms in which the key may appear. Each form may also be escaped, as `scrubbed` describes.
  private let keyForms: [[UInt8]]

  init(_ key: String?) {
    self.key = key ?? ""
    guard let key, key.utf8.count >= Self.minKeyLength else {
      keyForms = []
      return
    }
    keyForms = Array(Set([Array(key.utf8), Self.xmlForm(key)] + Self.base64(Array(key.utf8))))
  }

  /// The base64 forms of the key in the standard and the URL-safe alphabet (RFC 4648, sections 4 and 5). If the key is encoded as a part of
  /// a longer text, its base64 characters depend on the number of bytes before it, modulo three. So there are forms for each of the three
  /// cases, with only the characters that the key alone determines.
  private static func base64(_ key: [UInt8]) -> [[UInt8]] {
    (0..<3).flatMap { precedingCount -> [[UInt8]] in
      let characters = Array(Base64.encode([UInt8](repeating: 0, count: precedingCount) + key).utf8)
      // Characters that contain bits of the text before or after the key are excluded. One byte before the key takes part in the first two
      // characters, and two bytes in the first three.
      let first = precedingCount == 0 ? 0 : precedingCount + 1
      let end = (precedingCount + key.count) * 8 / 6
      guard first < end else { return [] }
      let standard = Array(characters[first..<end])
      let urlSafe = standard.map { character in
        switch character {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: character
        }
      }
      return [standard, urlSafe]
    }
  }

  /// The key as it is written in XML or HTML.
  private static func xmlForm(_ key: String) -> [UInt8] {
    let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
    return Array(key.map { entities[$0] ?? String($0) }.joined().utf8)
  }

  /// Removes the key in each of its forms from a text that a person reads. This function also removes a key shorter than `minKeyLength`.
  /// Of a longer key, it removes even a part that consists of the first eight or more bytes, because a service may have shortened the key.
  func scrub(_ text: String) -> String {
    guard !key.isEmpty else { return text }
    let bytes = scrubbed(Array(text.utf8)) ?? Array(text.utf8)
    let key = Array(key.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let commonLength = zip(key, bytes[index...]).prefix { $0 == $1 }.count
      if commonLength >= min(Self.minKeyLength, key.count) {
        result += Self.replacement
        index += commonLength
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Removes the key in each of its forms from the body and the headers of a response. A key shorter than `minKeyLength` is not removed.
  func scrub(_ response: consuming HTTPResponse) -> HTTPResponse {
    guard !keyForms.isEmpty else { return response }
    if let body = scrubbed(response.body) { response.body = body }
    for index in response.headers.indices {
      if let value = scrubbed(Array(response.headers[index].value.utf8)) {
        response.headers[index].value = String(decoding: value, as: UTF8.self)
      }
    }
    return response
  }

  /// The bytes with each occurrence of the key replaced by `replacement`; nil if there is none. The function searches for the key in the
  /// text as it is, in the text after JSON's escapes are decoded, and in that text after the escapes of URLs are decoded. A range that is
  /// found in a decoded text is converted back, one decoding after the other, to a range of `bytes`.
  private func scrubbed(_ bytes: [UInt8]) -> [UInt8]? {
    var ranges = keyForms.flatMap { Self.ranges(of: $0, in: bytes) }
    var text = bytes
    var decodings: [(encodedText: [UInt8], escape: Escape)] = []
    for escape in Self.escapes where text.contains(escape.introducer) {
      decodings.append((text, escape))
      text = escape.decoded(text)
      var decodedRanges = keyForms.flatMap { Self.ranges(of: $0, in: text) }
      for decoding in decodings.reversed() {
        decodedRanges = decoding.escape.encodedRanges(of: Self.merged(decodedRanges), in: decoding.encodedText)
      }
      ranges += decodedRanges
    }
    guard !ranges.isEmpty else { return nil }
    var result: [UInt8] = []
    var end = 0
    for range in Self.merged(ranges) {
      result += bytes[end..<range.lowerBound] + Self.replacement
      end = range.upperBound
    }
    return result + bytes[end...]
  }

  /// The ranges in ascending order. Ranges that overlap are joined.
  private static func merged(_ ranges: [Range<Int>]) -> [Range<Int>] {
    ranges.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { mergedRanges, range in
      if let last = mergedRanges.last, range.lowerBound < last.upperBound {
        mergedRanges[mergedRanges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        mergedRanges.append(range)
      }
    }
  }

  /// A syntax for escaped characters.
  private struct Escape {
    /// The byte with which every escape begins.
    let introducer: UInt8
    /// The escape at a position: the byte that it stands for, and its length; nil if there is none.
    let decode: @Sendable (_ bytes: [UInt8], _ index: Int) -> (byte: UInt8, length: Int)?

    /// The decoded byte at a position of the text, and the number of bytes from which it was decoded.
    private func byte(of text: [UInt8], at index: Int) -> (byte: UInt8, length: Int) {
      (text[index] == introducer ? decode(text, index) : nil) ?? (text[index], 1)
    }

    func decoded(_ text: [UInt8]) -> [UInt8] {
      var result: [UInt8] = []
      result.reserveCapacity(text.count)
      var index = 0
      while index < text.count {
        let (byte, length) = byte(of: text, at: index)
        result.append(byte)
        index += length
      }
      return result
    }

    /// Converts ranges of the decoded text to the ranges of `text` from which they were decoded. A second pass over the text finds them,
    /// because a table of all positions would take several times the memory of the text, even if no key is in it.
    /// - Parameter ranges: in ascending order, without overlaps.
    func encodedRanges(of ranges: [Range<Int>], in text: [UInt8]) -> [Range<Int>] {
      var (index, decodedCount) = (0, 0)
      func advance(to decodedIndex: Int) -> Int {
        while decodedCount < decodedIndex, index < text.count {
          index += byte(of: text, at: index).length
          decodedCount += 1
        }
        return index
      }
      return ranges.map { advance(to: $0.lowerBound)..<advance(to: $0.upperBound) }
    }
  }

  /// Any character of the key may have been escaped first in a URL and then in JSON, so JSON is decoded first.
  private static let escapes = [
    Escape(introducer: UInt8(ascii: "\\"), decode: jsonEscape), Escape(introducer: UInt8(ascii: "%"), decode: percentEscape),
  ]

  /// `%XX` (RFC 3986, section 2.1).
  @Sendable private static func percentEscape(_ bytes: [UInt8], _ index: Int) -> (byte: UInt8, length: Int)? {
    hexadecimal(bytes, index + 1).map { ($0, 3) }
  }

  /// `\/`, `\"`, `\\` and `\u00XX` (RFC 8259, section 7). A key has no control characters, which have other escapes.
  @Sendable private static func jsonEscape(_ bytes: [UInt8], _ index: Int) -> (byte: UInt8, length: Int)? {
    guard index + 1 < bytes.count else { return nil }
    switch bytes[index + 1] {
    case UInt8(ascii: "/"), UInt8(ascii: "\""), UInt8(ascii: "\\"): return (bytes[index + 1], 2)
    case UInt8(ascii: "u"):
      guard hexadecimal(bytes, index + 2) == 0 else { return nil }
      return hexadecimal(bytes, index + 4).map { ($0, 6) }
    default: return nil
    }
  }

  /// The byte that two hexadecimal digits at a position stand for; nil if there are no such digits.
  private static func hexadecimal(_ bytes: [UInt8], _ index: Int) -> UInt8? {
    guard index + 1 < bytes.count, let high = digit(bytes[index]), let low = digit(bytes[index + 1]) else { return nil }
    return high << 4 | low
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// The ranges of the bytes that equal a form of the key, in ascending order.
  private static func ranges(of form: [UInt8], in bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    while let start = position(of: form, in: bytes, from: ranges.last?.upperBound ?? 0) { ranges.append(start..<start + form.count) }
    return ranges
  }

  private static func position(of form: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBytes { bytes -> Int? in
      form.withUnsafeBytes { form -> Int? in
        guard let base = bytes.baseAddress, let pattern = form.baseAddress, let first = form.first else { return nil }
        var start = start
        // memchr(3) finds the next possible beginning of the form many bytes at a time.
        while start + form.count <= bytes.count, let candidate = memchr(base + start, Int32(first), bytes.count - form.count + 1 - start) {
          if memcmp(candidate, pattern, form.count) == 0 { return UnsafeRawPointer(candidate) - base }
          start = UnsafeRawPointer(candidate) - base + 1
        }
        return nil
      }
    }
  }
}
