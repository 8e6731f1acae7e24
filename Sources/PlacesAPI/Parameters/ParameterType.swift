import PlacesKit

/// The type of a parameter: how its values are decoded, encoded and described.
public struct ParameterType<Value: Sendable>: Sendable {
  /// Completes the sentence "`limit` must be …".
  var allowed: String
  /// JSON Schema (2020-12) of the values.
  var schema: JSONObject
  /// Returns nil for a value that is not allowed. No value is clamped, shortened or dropped to make it allowed.
  var read: @Sendable (JSONValue) -> Value?
  var write: @Sendable (Value) -> JSONValue
  /// The values that are allowed, if they are whole numbers.
  var range: ClosedRange<Int>?
  /// Advice on a value that is not allowed, which completes the error's sentence; nil if there is none.
  var advice: @Sendable (JSONValue) -> String? = { _ in nil }
}

extension ParameterType where Value == Bool {
  static let boolean = ParameterType(
    allowed: "true or false", schema: ["type": "boolean"], read: \.boolean, write: { .boolean($0) })
}

extension ParameterType where Value == Int {
  /// A whole number in a range.
  static func integer(_ range: ClosedRange<Int>) -> ParameterType {
    ParameterType(
      allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)",
      schema: ["type": "integer", "minimum": .integer(Int64(range.lowerBound)), "maximum": .integer(Int64(range.upperBound))],
      read: { $0.integer.flatMap { range.contains($0) ? $0 : nil } }, write: { .integer(Int64($0)) }, range: range)
  }
}

extension ParameterType where Value == Double {
  /// A number in a range. Error messages name the unit.
  static func number(_ range: ClosedRange<Double>, unit: String = "") -> ParameterType {
    let bounds = (JSONValue.canonical(range.lowerBound), JSONValue.canonical(range.upperBound))
    return ParameterType(
      allowed: "a number from \(bounds.0.text) to \(bounds.1.text)" + (unit.isEmpty ? "" : " \(unit)"),
      schema: ["type": "number", "minimum": bounds.0, "maximum": bounds.1],
      read: { $0.double.flatMap { range.contains($0) ? $0 : nil } }, write: { .canonical($0) })
  }
}

extension ParameterType where Value == String {
  /// A text without control characters.
  /// - Parameter length: the allowed numbers of code points.
  static func text(_ length: ClosedRange<Int>) -> ParameterType {
    ParameterType(
      allowed: "a string of \(length.lowerBound) to \(length.upperBound) characters without control characters",
      schema: ["type": "string", "minLength": .integer(Int64(length.lowerBound)), "maxLength": .integer(Int64(length.upperBound))],
      read: { $0.string.flatMap { length.contains($0.unicodeScalars.count) && !$0.hasControlCharacters ? $0 : nil } },
      write: { .string($0) })
  }
}

extension ParameterType where Value: RawRepresentable<String> & CaseIterable & Hashable {
  /// One of the words of an enumeration.
  static var word: ParameterType {
    let words = Value.allCases.map(\.rawValue)
    return ParameterType(
      allowed: "one of " + words.map { "`\($0)`" }.joined(separator: ", "),
      schema: ["type": "string", "enum": .array(words.map { .string($0) })],
      read: { $0.string.flatMap { Value(rawValue: $0) } }, write: { .string($0.rawValue) })
  }

  /// One or more words of an enumeration, in any order.
  static var words: ParameterType<Set<Value>> {
    ParameterType<Set<Value>>(
      allowed: "a list of one or more of " + Value.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", "),
      schema: ["type": "array", "items": .object(word.schema), "minItems": 1],
      read: { value in
        guard let elements = value.array, !elements.isEmpty else { return nil }
        let values = elements.compactMap { $0.string.flatMap { Value(rawValue: $0) } }
        return values.count == elements.count ? Set(values) : nil
      },
      write: { values in .array(Value.allCases.filter(values.contains).map { .string($0.rawValue) }) })
  }
}

extension ParameterType {
  /// A list of values whose order and repetition do not matter: the decoded list is sorted, without duplicates.
  /// - Parameters:
  ///   - plural: the values' name in error messages.
  ///   - count: the allowed lengths of the list.
  static func list<Element: Comparable & Hashable>(
    of kind: ParameterType<Element>, _ plural: String, count: ClosedRange<Int>
  ) -> ParameterType where Value == [Element] {
    ParameterType(
      allowed: "a list of \(count.lowerBound) to \(count.upperBound) \(plural)",
      schema: [
        "type": "array", "items": .object(kind.schema), "minItems": .integer(Int64(count.lowerBound)),
        "maxItems": .integer(Int64(count.upperBound)),
      ],
      read: { value in
        guard let elements = value.array, count.contains(elements.count) else { return nil }
        let values = elements.compactMap(kind.read)
        return values.count == elements.count ? Set(values).sorted() : nil
      },
      write: { .array($0.map(kind.write)) })
  }
}

extension ParameterType {
  /// A list of at most `maxCount` values in order of preference. Only the first occurrence of a value counts.
  static func ranking<Element: Hashable>(of kind: ParameterType<Element>, _ plural: String, maxCount: Int) -> ParameterType
  where Value == [Element] {
    ParameterType(
      allowed: "a list of 0 to \(maxCount) \(plural)",
      schema: ["type": "array", "items": .object(kind.schema), "maxItems": .integer(Int64(maxCount))],
      read: { value in
        guard let elements = value.array, elements.count <= maxCount else { return nil }
        let values = elements.compactMap(kind.read)
        var seenValues: Set<Element> = []
        return values.count == elements.count ? values.filter { seenValues.insert($0).inserted } : nil
      },
      write: { .array($0.map(kind.write)) })
  }
}

extension JSONValue {
  /// A number in its canonical spelling: a whole number has no fraction, so that `10`, `10.0` and `1e1` are the same value.
  static func canonical(_ number: Double) -> JSONValue {
    Int64(exactly: number).map { $0.magnitude < 1 << 53 ? .integer($0) : .number(number) } ?? .number(number)
  }
}

extension String {
  /// True if the text contains a control character (C0, DEL or C1) other than the tab.
  var hasControlCharacters: Bool {
    var text = self
    return text.withUTF8 { String.hasControlCharacters($0) }
  }

  /// True if UTF-8 text contains a control character (C0, DEL or C1) other than the tab.
  static func hasControlCharacters(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for byte in bytes {
      // In UTF-8, a C1 control character (U+0080…U+009F) is the byte 0xC2 followed by its code.
      if byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F || previous == 0xC2 && byte < 0xA0 { return true }
      previous = byte
    }
    return false
  }
}
