/// A problem in a path or template, with its position.
struct SyntaxProblem: Error, Hashable {
  /// In code points from the start of the text.
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

  /// Skips a code point if it is the current one.
  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    offset += 1
    return true
  }

  mutating func skipSpaces() { while current == " " { offset += 1 } }

  /// The code points from here on that a condition accepts.
  mutating func run(_ accepts: (Unicode.Scalar) -> Bool) -> String {
    let start = offset
    while let scalar = current, accepts(scalar) { offset += 1 }
    return String(String.UnicodeScalarView(scalars[start..<offset]))
  }

  mutating func expect(_ scalar: Unicode.Scalar, in what: String) throws(SyntaxProblem) {
    guard take(scalar) else {
      throw SyntaxProblem(offset, "\(what) lacks `\(scalar)`" + (current.map { " before `\($0)`" } ?? " at its end"))
    }
  }

  /// A string in single or double quotes, with `\\` before a quote or backslash.
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
  /// Letters, digits and `_` of ASCII.
  var isWordPart: Bool { self == "_" || (isASCII && properties.isAlphabetic) || isDigit }
  var isDigit: Bool { ("0"..."9").contains(self) }
  /// What a member's name may have without quotes.
  var isNamePart: Bool { isWordPart || value >= 0x80 || self == "-" }
}
