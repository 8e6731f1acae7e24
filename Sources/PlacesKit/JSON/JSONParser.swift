/// The reason why a text is rejected: it is not valid JSON, or it exceeds a limit.
public struct JSONError: Error, Sendable, Equatable {
  public enum Reason: String, Sendable {
    case unexpectedEnd = "the text ends too early"
    case unexpectedByte = "unexpected character"
    case badNumber = "not a JSON number"
    case badEscape = "bad escape in a string"
    case badUnicode = "not valid UTF-8, or half a surrogate pair"
    case controlCharacter = "unescaped control character in a string"
    case duplicateKey = "an object has the same key twice"
    case tooDeep = "nested too deeply"
    case tooManyValues = "too many values"
    case trailingBytes = "there is text after the end of the value"
  }
  public var reason: Reason
  /// The position of the byte at fault, counted from 0.
  public var offset: Int

  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// A sentence for people.
  public var message: String { "\(reason.rawValue) at byte \(offset)" }
}

/// The limits of a JSON text that the parser accepts.
public struct JSONLimits: Sendable {
  /// The maximum number of levels of nesting.
  public var depth: Int
  /// The maximum number of values in the whole text, including those in objects and arrays.
  public var values: Int

  public init(depth: Int = 64, values: Int = 100_000) {
    self.depth = depth
    self.values = values
  }

  /// The limits of a text that this program or its peer has encoded. In it, a value that was parsed with the usual limits may be nested a
  /// few levels deeper.
  public static let trusted = JSONLimits(depth: 128, values: .max)
}

extension JSONValue {
  /// Reads one whole JSON text (RFC 8259): UTF-8 without byte-order mark, no duplicate keys, numbers as JSON spells them.
  public init(parsing bytes: [UInt8], limits: JSONLimits = JSONLimits()) throws(JSONError) {
    self = try bytes.withUnsafeBufferPointer { (buffer) throws(JSONError) in
      try JSONValue(parsing: buffer, limits: limits)
    }
  }

  /// Parses a string.
  public init(parsing text: String, limits: JSONLimits = JSONLimits()) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }

  /// Parses bytes in place. The value does not refer to them.
  public init(parsing bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits = JSONLimits()) throws(JSONError) {
    var parser = JSONParser(bytes: bytes, limits: limits)
    self = try parser.text()
  }
}

/// A recursive parser of one JSON text.
struct JSONParser {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0
  var depth = 0
  var valueCount = 0
  let limits: JSONLimits
  /// The error for the first key that occurs twice in its object. `text()` throws it only if the rest of the text is valid.
  private var duplicateKeyError: JSONError?

  init(bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  /// Reads the whole text, which must be one value.
  mutating func text() throws(JSONError) -> JSONValue {
    let value = try self.value()
    skipSpace()
    guard position == bytes.count else { throw JSONError(.trailingBytes, at: position) }
    if let duplicateKeyError { throw duplicateKeyError }
    return value
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  private mutating func value() throws(JSONError) -> JSONValue {
    skipSpace()
    valueCount += 1
    guard valueCount <= limits.values else { throw JSONError(.tooManyValues, at: position) }
    guard let byte = current else { throw JSONError(.unexpectedEnd, at: position) }
    switch byte {
    case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in try parser.object() }
    case UInt8(ascii: "["): return try nested { parser throws(JSONError) in try parser.array() }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw JSONError(.unexpectedByte, at: position)
    }
  }

  /// Steps over an opening bracket and calls `body`, which reads the object or array one level deeper.
  private mutating func nested(_ body: (inout JSONParser) throws(JSONError) -> JSONValue) throws(JSONError) -> JSONValue {
    guard depth < limits.depth else { throw JSONError(.tooDeep, at: position) }
    depth += 1
    position += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func object() throws(JSONError) -> JSONValue {
    var object = JSONObject()
    skipSpace()
    if current == UInt8(ascii: "}") {
      position += 1
      return .object(object)
    }
    while true {
      skipSpace()
      guard let byte = current else { throw JSONError(.unexpectedEnd, at: position) }
      guard byte == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: position) }
      let start = position
      let key = try string()
      let isDuplicate = object.contains(key)
      if isDuplicate, duplicateKeyError == nil { duplicateKeyError = JSONError(.duplicateKey, at: start) }
      skipSpace()
      guard let colon = current else { throw JSONError(.unexpectedEnd, at: position) }
      guard colon == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, at: position) }
      position += 1
      let value = try value()
      if !isDuplicate { object.append(key, value) }
      if try closes(UInt8(ascii: "}")) { return .object(object) }
    }
  }

  private mutating func array() throws(JSONError) -> JSONValue {
    skipSpace()
    if current == UInt8(ascii: "]") {
      position += 1
      return .array([])
    }
    var elements: [JSONValue] = []
    while true {
      elements.append(try value())
      if try closes(UInt8(ascii: "]")) { return .array(elements) }
    }
  }

  /// Steps over the byte after a member or an element: returns true for the closing bracket, and false for a comma.
  private mutating func closes(_ bracket: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    guard let byte = current else { throw JSONError(.unexpectedEnd, at: position) }
    guard byte == bracket || byte == UInt8(ascii: ",") else { throw JSONError(.unexpectedByte, at: position) }
    position += 1
    return byte == bracket
  }

  private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    for index in 0..<word.utf8CodeUnitCount {
      guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position) }
      guard bytes[position] == word.utf8Start[index] else { throw JSONError(.unexpectedByte, at: position) }
      position += 1
    }
    return value
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = position
    var isInteger = true
    if current == UInt8(ascii: "-") { position += 1 }
    let firstDigit = position
    guard skipDigits() else { throw JSONError(.badNumber, at: start) }
    if bytes[firstDigit] == UInt8(ascii: "0"), position > firstDigit + 1 { throw JSONError(.badNumber, at: start) }
    if current == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      guard skipDigits() else { throw JSONError(.badNumber, at: start) }
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      guard skipDigits() else { throw JSONError(.badNumber, at: start) }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger, let integer = Int64(text) { return .integer(integer) }
    guard let number = Double(text), !number.isNaN else { throw JSONError(.badNumber, at: start) }
    // JSON does not limit numbers (RFC 8259, section 6). A number beyond a double's range becomes the largest double of its
    // sign. Callers that allow a range of numbers reject that.
    return .number(min(max(number, -Double.greatestFiniteMagnitude), Double.greatestFiniteMagnitude))
  }

  private mutating func skipDigits() -> Bool {
    let start = position
    while position < bytes.count, bytes[position] &- UInt8(ascii: "0") <= 9 { position += 1 }
    return position > start
  }

  private mutating func string() throws(JSONError) -> String {
    position += 1
    let start = position
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        defer { position += 1 }
        return try validated(bytes[start..<position], at: start)
      }
      if byte == UInt8(ascii: "\\") { return try escapedString(from: start) }
      if byte < 0x20 { throw JSONError(.controlCharacter, at: position) }
      position += 1
    }
    throw JSONError(.unexpectedEnd, at: position)
  }

  /// Reads the rest of a string that begins at `start` and has an escape at the current position.
  private mutating func escapedString(from start: Int) throws(JSONError) -> String {
    var decoded = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        return try decoded.withUnsafeBufferPointer { (buffer) throws(JSONError) in try validated(buffer[...], at: start) }
      case UInt8(ascii: "\\"):
        guard let escape = current else { throw JSONError(.unexpectedEnd, at: position) }
        position += 1
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(escape)
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"): decoded.append(contentsOf: Array(String(Character(try escapedScalar())).utf8))
        default: throw JSONError(.badEscape, at: position - 1)
        }
      case 0..<0x20: throw JSONError(.controlCharacter, at: position - 1)
      default: decoded.append(byte)
      }
    }
    throw JSONError(.unexpectedEnd, at: position)
  }

  /// Reads the scalar of `\uXXXX`, or of the surrogate pair `\uXXXX\uXXXX`. The current position is after the first `u`.
  private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
    let start = position
    let unit = try hexadecimal()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"), bytes[position + 1] == UInt8(ascii: "u")
    else { throw JSONError(.badUnicode, at: start) }
    position += 2
    let low = try hexadecimal()
    guard (0xDC00...0xDFFF).contains(low), let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
    else { throw JSONError(.badUnicode, at: start) }
    return scalar
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = current else { throw JSONError(.unexpectedEnd, at: position) }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else { throw JSONError(.badEscape, at: position) }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  /// The text of UTF-8 bytes, made safe by `StreamSafe`.
  /// - Parameter offset: the position that an error reports.
  private func validated(_ slice: Slice<UnsafeBufferPointer<UInt8>>, at offset: Int) throws(JSONError) -> String {
    let bytes = UnsafeBufferPointer(rebasing: slice)
    guard let text = try? UTF8Span(validating: bytes.span) else { throw JSONError(.badUnicode, at: offset) }
    return StreamSafe.text(String(copying: text))
  }
}
