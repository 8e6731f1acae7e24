import JSON
import Text

/// A kind of value: how such a value is read from a file, shown as JSON and described in the manual.
struct ValueKind<Value: Sendable>: Sendable {
  /// The accepted values, in words that complete a sentence with "must be".
  var expected: String
  /// The keys of the value if it is a table, otherwise empty.
  var children: [KeyDescription] = []
  /// Returns the value; if it is invalid, reports a problem and returns nil.
  var read: @Sendable (TOMLValue, inout SectionReader) -> Value?
  /// Returns the value as JSON, in the form that the file uses.
  var show: @Sendable (Value) -> JSONValue
}

extension ValueKind<Bool> {
  static let boolean = ValueKind(expected: "true or false") { value, reader in
    if case .boolean(let boolean) = value.content { return boolean }
    reader.refuse(value, expected: "true or false")
    return nil
  } show: {
    .boolean($0)
  }
}

extension ValueKind<Int> {
  static func integer(_ range: ClosedRange<Int>) -> ValueKind {
    let expected = "an integer from \(range.lowerBound) to \(range.upperBound)"
    return ValueKind(expected: expected) { value, reader in
      guard case .integer(let integer) = value.content else {
        reader.refuse(value, expected: expected)
        return nil
      }
      if let integer = Int(exactly: integer), range.contains(integer) { return integer }
      reader.refuse(value, String(integer), expected: expected)
      return nil
    } show: {
      .integer(Int64($0))
    }
  }

  /// An amount of money. Files state it in units of the currency, such as 12.50; the value is in millionths of the unit.
  static let money = {
    let expected = "an amount from 0 to 1000000000, such as 12.50"
    return ValueKind(expected: expected) { value, reader in
      guard let number = value.number else {
        reader.refuse(value, expected: expected)
        return nil
      }
      if (0...1e9).contains(number) { return Int((number * 1e6).rounded()) }
      reader.refuse(value, "\(number)", expected: expected)
      return nil
    } show: {
      .number(Double($0) / 1e6)
    }
  }()
}

extension ValueKind<Double> {
  static func number(_ range: ClosedRange<Double>, unit: String = "") -> ValueKind {
    let expected = "a number from \(JSONValue.number(range.lowerBound).text) to \(JSONValue.number(range.upperBound).text)\(unit)"
    return ValueKind(expected: expected) { value, reader in
      guard let number = value.number else {
        reader.refuse(value, expected: expected)
        return nil
      }
      if range.contains(number) { return number }
      reader.refuse(value, "\(number)", expected: expected)
      return nil
    } show: {
      .number($0)
    }
  }
}

extension TOMLValue {
  /// The value as a number; nil if it is not a finite number.
  var number: Double? {
    switch content {
    case .integer(let integer): Double(integer)
    case .float(let number): number
    default: nil
    }
  }
}

extension ValueKind where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
  /// One of the raw values of an enumeration.
  static var choice: ValueKind {
    let words = Value.allCases.map(\.rawValue)
    let expected = "one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
    return ValueKind(expected: expected) { value, reader in
      guard case .string(let string) = value.content else {
        reader.refuse(value, expected: expected)
        return nil
      }
      if let choice = Value(rawValue: string) { return choice }
      let suggestion = nearest(to: string, among: words).map { "did you mean \"\($0)\"?" }
      reader.refuse(value, quoted(string), expected: expected, suggestion: suggestion)
      return nil
    } show: {
      .string($0.rawValue)
    }
  }
}

extension ValueKind {
  /// A table with its own keys; missing keys have the values of `defaults`.
  static func table(_ keys: [KeyDefinition<Value>], defaults: Value) -> ValueKind {
    let children = keys.flatMap { $0.description(in: "", defaults: defaults) }
    return ValueKind(expected: "a table", children: children) { value, reader in
      guard case .table(let members) = value.content else {
        reader.refuse(value, expected: "a table")
        return nil
      }
      var section = defaults
      reader.read(members, keys: keys, into: &section)
      return section
    } show: { section in
      let members = keys.map { (key: $0.name, value: $0.show(section)) }
      return .object(JSONObject(members.filter { !$0.value.isNull }))
    }
  }
}
