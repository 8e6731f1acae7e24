extension String {
  /// The text with each tab, page break and line break (also U+0085, U+2028 and U+2029) replaced by a space.
  var onOneLine: String {
    // 0xC2 and 0xE2 are the first bytes of U+0085, U+2028 and U+2029 in UTF-8.
    guard utf8.contains(where: { 0x09...0x0D ~= $0 || $0 == 0xC2 || $0 == 0xE2 }) else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.map { $0.isBreak ? " " : $0 }))
  }

  /// The text without white space (as Unicode defines it) at its beginning and its end.
  var trimmed: String {
    guard let first = unicodeScalars.firstIndex(where: { !$0.properties.isWhitespace }),
      let last = unicodeScalars.lastIndex(where: { !$0.properties.isWhitespace })
    else { return "" }
    return String(unicodeScalars[first...last])
  }
}

extension Unicode.Scalar {
  fileprivate var isBreak: Bool { 0x09...0x0D ~= value || value == 0x85 || value == 0x2028 || value == 0x2029 }
}
