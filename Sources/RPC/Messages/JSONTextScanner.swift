import PlacesKit

/// Checks a JSON text (RFC 8259) while its bytes arrive, and finds its end. The text must begin with a bracket. The scanner builds no
/// values and stores no bytes: its time is linear, and its memory is one bit for each level of nesting. It accepts what
/// `JSONValue(parsing:)` accepts. In addition it accepts duplicate keys and texts of any size, which the decoder and `Framer` check.
///
/// `transitions` is the table of a finite automaton for the tokens. `scanStructuralByte` handles brackets, commas and quotes, whose meaning
/// depends on the open brackets.
struct JSONTextScanner: Sendable {
  /// The result of a scan that has found the end of the text or an error.
  enum Progress: Equatable {
    /// The text ends before this index.
    case complete(Int)
    /// The text is not JSON. The byte at the index is the first invalid one.
    case invalid(JSONError.Reason, at: Int)
  }

  /// The states of the automaton. The name says what must come next, or which part of a token came last. The order matters, because
  /// `isInString` and `reason` compare raw values: states between tokens and in words are first, then those in numbers and in strings.
  private enum State: UInt8, CaseIterable {
    case value, valueOrEnd, key, keyOrEnd, colon, separator
    case t, tr, tru, f, fa, fal, fals, n, nu, nul
    case minus, zero, digits, point, fraction, exponent, exponentSign, exponentDigits
    case string, escape
    // In `\uXXXX`: the number of missing digits. If the first digit is a D, the second one shows whether it is a surrogate.
    case unit4, unit3, unit3AfterD, unit2, unit1
    // In a high surrogate: the number of missing digits, then the number of missing characters of the low surrogate that must follow. Its
    // last two digits are `unit2` and `unit1`.
    case high2, high1, low6, low5, low4, low3
    // In a UTF-8 sequence: the number of missing bytes. After some lead bytes, the range of the next byte is smaller (Unicode 15, table
    // 3-7).
    case tail1, tail2, tail3, tail2AfterE0, tail2AfterED, tail3AfterF0, tail3AfterF4

    var isInString: Bool { rawValue >= State.string.rawValue }
    var endsNumber: Bool { self == .zero || self == .digits || self == .fraction || self == .exponentDigits }

    /// The error if a byte has no transition from this state.
    var reason: JSONError.Reason {
      switch self {
      case .escape, .unit4, .unit3, .unit2, .unit1, .high2, .high1: .badEscape
      case _ where isInString: .badUnicode
      case _ where rawValue >= State.minus.rawValue: .badNumber
      default: .unexpectedByte
      }
    }
  }

  private var state = State.value
  /// True if the current string is a key.
  private var isKey = false
  /// The number of open brackets.
  private var depth = 0
  /// The kinds of the innermost open brackets, at most 64: one bit for each, 1 for an object and 0 for an array. The lowest bit is the
  /// innermost bracket's.
  private var innerLevels: UInt64 = 0
  /// The bits of the brackets outside those of `innerLevels`, 64 in each number.
  private var outerLevels: [UInt64] = []

  /// The greatest depth so far.
  private(set) var maxDepth = 0
  /// The number of values so far, including members and elements.
  private(set) var valueCount = 0
  /// True if the text contains a line break.
  private(set) var hasLineBreaks = false
  /// True if only a comma or a closing bracket can follow.
  var expectsSeparator: Bool { state == .separator }

  /// The next state for each state and byte; 255 if there is no transition.
  private static let transitions: [UInt8] = {
    var table = [UInt8](repeating: .max, count: State.allCases.count << 8)
    func add(_ state: State, _ bytes: some Sequence<UInt8>, _ next: State) {
      for byte in bytes { table[Int(state.rawValue) << 8 | Int(byte)] = next.rawValue }
    }
    for state in [State.value, .valueOrEnd, .key, .keyOrEnd, .colon, .separator] { add(state, " \t\r\n".utf8, state) }
    let (digits, hexadecimal) = ("0123456789", "0123456789ABCDEFabcdef")
    let textTransitions: [(State, String, State)] = [
      (.value, "t", .t), (.t, "r", .tr), (.tr, "u", .tru), (.tru, "e", .separator), (.value, "f", .f), (.f, "a", .fa), (.fa, "l", .fal),
      (.fal, "s", .fals), (.fals, "e", .separator), (.value, "n", .n), (.n, "u", .nu), (.nu, "l", .nul), (.nul, "l", .separator),
      (.value, "-", .minus), (.value, "0", .zero), (.value, "123456789", .digits), (.minus, "0", .zero), (.minus, "123456789", .digits),
      (.zero, ".", .point), (.digits, digits, .digits), (.digits, ".", .point), (.point, digits, .fraction), (.fraction, digits, .fraction),
      (.zero, "eE", .exponent), (.digits, "eE", .exponent), (.fraction, "eE", .exponent), (.exponent, "+-", .exponentSign),
      (.exponent, digits, .exponentDigits), (.exponentSign, digits, .exponentDigits), (.exponentDigits, digits, .exponentDigits),
      (.colon, ":", .value), (.string, "\u{7F}", .string), (.string, "\\", .escape), (.escape, "\"\\/bfnrt", .string),
      (.escape, "u", .unit4), (.unit4, hexadecimal, .unit3), (.unit4, "Dd", .unit3AfterD), (.unit3, hexadecimal, .unit2),
      (.unit3AfterD, "01234567", .unit2), (.unit3AfterD, "89ABab", .high2), (.unit2, hexadecimal, .unit1), (.unit1, hexadecimal, .string),
      (.high2, hexadecimal, .high1), (.high1, hexadecimal, .low6), (.low6, "\\", .low5), (.low5, "u", .low4), (.low4, "Dd", .low3),
      (.low3, "CDEFcdef", .unit2),
    ]
    for (state, bytes, next) in textTransitions { add(state, bytes.utf8, next) }
    let utf8Transitions: [(State, ClosedRange<UInt8>, State)] = [
      (.string, 0xC2...0xDF, .tail1), (.string, 0xE1...0xEF, .tail2), (.string, 0xE0...0xE0, .tail2AfterE0),
      (.string, 0xED...0xED, .tail2AfterED), (.string, 0xF1...0xF3, .tail3), (.string, 0xF0...0xF0, .tail3AfterF0),
      (.string, 0xF4...0xF4, .tail3AfterF4), (.tail1, 0x80...0xBF, .string), (.tail2, 0x80...0xBF, .tail1), (.tail3, 0x80...0xBF, .tail2),
      (.tail2AfterE0, 0xA0...0xBF, .tail1), (.tail2AfterED, 0x80...0x9F, .tail1), (.tail3AfterF0, 0x90...0xBF, .tail2),
      (.tail3AfterF4, 0x80...0x8F, .tail2),
    ]
    for (state, bytes, next) in utf8Transitions { add(state, bytes, next) }
    // The first element of an array begins like any other value.
    for byte in 0x21..<256 { table[Int(State.valueOrEnd.rawValue) << 8 | byte] = table[Int(State.value.rawValue) << 8 | byte] }
    return table
  }()

  /// Scans the bytes from `start` on. Returns nil if the text continues after them.
  mutating func advance(in bytes: Span<UInt8>, from start: Int) -> Progress? {
    var index = start
    let transitions = Self.transitions
    while index < bytes.count {
      if state == .string {
        index = JSONScanner.skipPlain(in: bytes, from: index)
        guard index < bytes.count else { return nil }
      }
      let byte = bytes[index]
      if let next = State(rawValue: transitions[Int(state.rawValue) << 8 | Int(byte)]) {
        if next == state, byte == 0x0A { hasLineBreaks = true }
        if state == .value || state == .valueOrEnd, next != state { valueCount += 1 }
        state = next
      } else if state.endsNumber, !(byte &- UInt8(ascii: "0") < 10) {
        // A number ends before the first byte that cannot belong to it. That byte is scanned again.
        state = .separator
        continue
      } else if let reason = scanStructuralByte(byte) {
        return .invalid(reason, at: index)
      }
      index += 1
      if depth == 0 { return .complete(index) }
    }
    return nil
  }

  /// True if the innermost open bracket is that of an object.
  private var isInObject: Bool { innerLevels & 1 == 1 }

  /// Scans a byte that has no transition. Returns nil, or the error if the byte is invalid.
  private mutating func scanStructuralByte(_ byte: UInt8) -> JSONError.Reason? {
    switch (byte, state) {
    case (UInt8(ascii: "\""), .string): state = isKey ? .colon : .separator
    case (UInt8(ascii: "\""), .key), (UInt8(ascii: "\""), .keyOrEnd): (state, isKey) = (.string, true)
    case (UInt8(ascii: "\""), .value), (UInt8(ascii: "\""), .valueOrEnd):
      valueCount += 1
      (state, isKey) = (.string, false)
    case (UInt8(ascii: ","), .separator): state = isInObject ? .key : .value
    case (UInt8(ascii: "{"), .value), (UInt8(ascii: "{"), .valueOrEnd): openBracket(ofObject: true)
    case (UInt8(ascii: "["), .value), (UInt8(ascii: "["), .valueOrEnd): openBracket(ofObject: false)
    case (UInt8(ascii: "}"), .keyOrEnd), (UInt8(ascii: "]"), .valueOrEnd): closeBracket()
    case (UInt8(ascii: "}"), .separator) where isInObject, (UInt8(ascii: "]"), .separator) where !isInObject: closeBracket()
    case (0..<0x20, .string): return .controlCharacter
    default: return state.reason
    }
    return nil
  }

  private mutating func openBracket(ofObject isObject: Bool) {
    valueCount += 1
    if depth > 0, depth.isMultiple(of: 64) { outerLevels.append(innerLevels) }
    depth += 1
    maxDepth = max(maxDepth, depth)
    innerLevels = innerLevels << 1 | (isObject ? 1 : 0)
    state = isObject ? .keyOrEnd : .valueOrEnd
  }

  private mutating func closeBracket() {
    depth -= 1
    innerLevels >>= 1
    if depth > 0, depth.isMultiple(of: 64), let bits = outerLevels.popLast() { innerLevels = bits }
    state = .separator
  }

  /// Finds the index at which framing resumes after an invalid byte: the index after the bracket that closes the text, or after a line
  /// break within a string. JSON does not allow such a line break, so the string was probably cut off there. Reads only brackets, quotes
  /// and escapes. Nil if the bytes contain no such index yet.
  mutating func skip(in bytes: Span<UInt8>, from start: Int) -> Int? {
    for index in start..<bytes.count {
      // Below, `byte | 0x20` changes `[` to `{`, and `]` to `}`.
      let byte = bytes[index]
      if state.isInString {
        if byte == 0x0A { return index + 1 }
        if state == .escape {
          state = .string
        } else if byte == UInt8(ascii: "\\") {
          state = .escape
        } else if byte == UInt8(ascii: "\"") {
          state = .separator
        }
      } else if byte == UInt8(ascii: "\"") {
        state = .string
      } else if byte | 0x20 == UInt8(ascii: "{") {
        depth += 1
      } else if byte | 0x20 == UInt8(ascii: "}") {
        depth -= 1
        if depth <= 0 { return index + 1 }
      }
    }
    return nil
  }
}
