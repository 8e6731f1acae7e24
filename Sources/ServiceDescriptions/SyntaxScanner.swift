/// A problem in a path or template, with its position.
struct SyntaxProblem: Error, Hashable {
  /// The position of the problem, in code points from the start of the text.
  var offset: Int
  var message: String
  var suggestion: String?

  init(_ offset: Int, _ message: String, suggestion: String? = nil) {
    self.offset = offset
    self.message = message
    self.suggestion = suggestion
  }
}

/// Reads the code points of a path or template one after the other.
struct SyntaxScanner {
  private let scalars: [Unicode.Scalar]
  private(set) var offset = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  var current: Unicode.Scalar? { offset < scalars.count ? scalars[offset] : nil }
  var next: Unicode.Scalar? { offset + 1 < scalars.count ? scalars[offset + 1] : nil }
  var isAtEnd: Bool { offset >= scalars.count }

  mutating func advance() { offset += 1 }

  /// Skips the current code point if it is the given one. Returns true if it was.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    offset += 1
    return true
  }

  mutating func skipSpaces() { while current == " " { offset += 1 } }

  /// Reads the code points from the current one on that satisfy a condition.
  mutating func takeWhile(_ accepts: (Unicode.Scalar) -> Bool) -> String {
    let start = offset
    while let scalar = current, accepts(scalar) { offset += 1 }
    return String(String.UnicodeScalarView(scalars[start..<offset]))
  }

  /// Skips the current code point, which must be the given one.
  /// - Parameter construct: the construct that lacks the code point, as the message names it.
  mutating func expect(_ scalar: Unicode.Scalar, in construct: String) throws(SyntaxProblem) {
    guard take(scalar) else {
      throw SyntaxProblem(offset, "\(construct) lacks `\(scalar)`" + (current.map { " before `\($0)`" } ?? " at its end"))
    }
  }

  /// Reads a string in single or double quotes. A backslash makes the code point after it a part of the string.
  mutating func quotedText() throws(SyntaxProblem) -> String {
    let start = offset
    guard let quote = current, quote == "\"" || quote == "'" else { throw SyntaxProblem(offset, "a string in quotes is expected") }
    advance()
    var text = String.UnicodeScalarView()
    while let scalar = current {
      advance()
      if scalar == quote { return String(text) }
      if scalar == "\\", let escaped = current {
        advance()
        text.append(escaped)
      } else {
        text.append(scalar)
      }
    }
    throw SyntaxProblem(start, "the string that begins here has no end")
  }
}

extension Unicode.Scalar {
  /// Whether it is an ASCII letter or digit, or `_`.
  var isWordPart: Bool { self == "_" || (isASCII && properties.isAlphabetic) || isDigit }
  var isDigit: Bool { ("0"..."9").contains(self) }
  /// Whether the name of a member may contain it without quotes.
  var isNamePart: Bool { isWordPart || value >= 0x80 || self == "-" }
}
