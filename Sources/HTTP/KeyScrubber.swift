import Glibc
import PlacesKit

/// Removes a key from a service's response before a provider sees it. A service or gateway may repeat the request, and with it the key, in an
/// error; from there it would reach replies, logs and caches.
struct KeyScrubber {
  static let replacement = Array("[key]".utf8)
  /// A shorter key may occur in ordinary text by chance, and removing it would damage the response.
  static let minKeyLength = 8

  private let key: String
  /// The forms in which the key may appear, longest first.
  private let forms: [[UInt8]]

  init(_ key: String?) {
    self.key = key ?? ""
    guard let key, key.utf8.count >= Self.minKeyLength else {
      forms = []
      return
    }
    var encoded: [UInt8] = []
    PercentEncoding.append(queryPart: key, to: &encoded)
    var lowercase = encoded
    for index in lowercase.indices where index >= 1 && lowercase[index - 1] == UInt8(ascii: "%") {
      for digit in index..<min(index + 2, lowercase.count) where (0x41...0x46).contains(lowercase[digit]) { lowercase[digit] += 32 }
    }
    let escaped = key.replacing("/", with: #"\/"#)
    let forms =
      [Array(key.utf8), encoded, lowercase, Array(escaped.utf8), Self.reference(key)] + Self.base64(Array(key.utf8))
    self.forms = Set(forms).sorted { $0.count > $1.count }
  }

  /// The base64 digits that depend only on the key, for each of its three alignments in a longer text (RFC 4648, section 4), in both
  /// alphabets.
  private static func base64(_ key: [UInt8]) -> [[UInt8]] {
    (0..<3).flatMap { before -> [[UInt8]] in
      let digits = Array(Base64.encode([UInt8](repeating: 0, count: before) + key).utf8)
      // Excludes digits that contain bits of the text before or after the key.
      let first = before == 0 ? 0 : before + 1
      let last = (before + key.count) * 8 / 6
      guard first < last else { return [] }
      let own = Array(digits[first..<last])
      let forURLs = own.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
      return [own, forURLs]
    }
  }

  /// The key in XML or HTML.
  private static func reference(_ key: String) -> [UInt8] {
    let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
    return Array(key.map { entities[$0] ?? String($0) }.joined().utf8)
  }

  /// Removes the key from a text that a person reads: in each of its forms, also if it is short, and a beginning of it of at least eight bytes,
  /// after which a service may have cut it.
  func scrub(_ text: String) -> String {
    guard !key.isEmpty else { return text }
    let bytes = scrubbed(Array(text.utf8)) ?? Array(text.utf8)
    let key = Array(key.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let common = zip(key, bytes[index...]).prefix { $0 == $1 }.count
      if common >= min(Self.minKeyLength, key.count) {
        result += Self.replacement
        index += common
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  func scrub(_ response: consuming HTTPResponse) -> HTTPResponse {
    guard !forms.isEmpty else { return response }
    if let body = scrubbed(response.body) { response.body = body }
    for index in response.headers.indices {
      if let value = scrubbed(Array(response.headers[index].value.utf8)) {
        response.headers[index].value = String(decoding: value, as: UTF8.self)
      }
    }
    return response
  }

  /// Nil if the bytes do not contain the key.
  private func scrubbed(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8]?
    for form in forms {
      if let replaced = Self.replace(form, in: result ?? bytes) { result = replaced }
    }
    return result
  }

  private static func replace(_ form: [UInt8], in bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8]?
    var start = 0
    while let found = position(of: form, in: bytes, from: start) {
      result = (result ?? []) + bytes[start..<found] + replacement
      start = found + form.count
    }
    return result.map { $0 + bytes[start...] }
  }

  private static func position(of form: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    bytes.withUnsafeBytes { bytes -> Int? in
      form.withUnsafeBytes { form -> Int? in
        guard let base = bytes.baseAddress, let pattern = form.baseAddress, let first = form.first else { return nil }
        var start = start
        // memchr(3) finds the next possible beginning of the form many bytes at a time.
        while start + form.count <= bytes.count, let found = memchr(base + start, Int32(first), bytes.count - form.count + 1 - start) {
          if memcmp(found, pattern, form.count) == 0 { return UnsafeRawPointer(found) - base }
          start = UnsafeRawPointer(found) - base + 1
        }
        return nil
      }
    }
  }
}
