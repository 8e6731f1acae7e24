import Glibc
import PlacesKit

/// Removes a key from a service's response before a provider receives it. A service or a gateway may repeat the request in an error, and
/// with it the key, which would then reach replies, logs and caches.
struct KeyScrubber {
  static let replacement = Array("[key]".utf8)
  /// The minimum length of a key that is removed from responses. A shorter key may occur in ordinary text by chance, and its removal would
  /// damage the response.
  static let minKeyLength = 8

  private let key: String
  /// The forms in which the key may appear, longest first.
  private let keyForms: [[UInt8]]

  init(_ key: String?) {
    self.key = key ?? ""
    guard let key, key.utf8.count >= Self.minKeyLength else {
      keyForms = []
      return
    }
    var percentEncoded: [UInt8] = []
    PercentEncoding.append(queryPart: key, to: &percentEncoded)
    var lowercaseEncoded = percentEncoded
    for index in lowercaseEncoded.indices where index >= 1 && lowercaseEncoded[index - 1] == UInt8(ascii: "%") {
      for digit in index..<min(index + 2, lowercaseEncoded.count) where (0x41...0x46).contains(lowercaseEncoded[digit]) {
        lowercaseEncoded[digit] += 32
      }
    }
    let slashEscaped = key.replacing("/", with: #"\/"#)
    let allForms =
      [Array(key.utf8), percentEncoded, lowercaseEncoded, Array(slashEscaped.utf8), Self.xmlForm(key)] + Self.base64(Array(key.utf8))
    self.keyForms = Set(allForms).sorted { $0.count > $1.count }
  }

  /// The base64 forms of the key (RFC 4648, section 4), in both alphabets. In a longer text, the digits depend on the position of the key
  /// modulo three. Therefore each form has the digits for one position, but only those that do not depend on the text around the key.
  private static func base64(_ key: [UInt8]) -> [[UInt8]] {
    (0..<3).flatMap { precedingCount -> [[UInt8]] in
      let digits = Array(Base64.encode([UInt8](repeating: 0, count: precedingCount) + key).utf8)
      // Digits that contain bits of the text before or after the key are excluded.
      let first = precedingCount == 0 ? 0 : precedingCount + 1
      let end = (precedingCount + key.count) * 8 / 6
      guard first < end else { return [] }
      let standard = Array(digits[first..<end])
      let forURLs = standard.map { digit in
        switch digit {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: digit
        }
      }
      return [standard, forURLs]
    }
  }

  /// The key as it is written in XML or HTML.
  private static func xmlForm(_ key: String) -> [UInt8] {
    let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;"]
    return Array(key.map { entities[$0] ?? String($0) }.joined().utf8)
  }

  /// Removes the key in each of its forms from a text that a person reads. Here even a short key is removed, and also the first eight or
  /// more bytes of a key, because a service may have shortened it.
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

  /// The bytes without the key; nil if they do not contain it.
  private func scrubbed(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8]?
    for form in keyForms {
      if let replaced = Self.replace(form, in: result ?? bytes) { result = replaced }
    }
    return result
  }

  /// The bytes with each occurrence of a form replaced; nil if there is none.
  private static func replace(_ form: [UInt8], in bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8]?
    var start = 0
    while let formStart = position(of: form, in: bytes, from: start) {
      result = (result ?? []) + bytes[start..<formStart] + replacement
      start = formStart + form.count
    }
    return result.map { $0 + bytes[start...] }
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
