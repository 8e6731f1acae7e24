import CToml
import JSON

/// A TOML value and its position.
package struct TOMLValue: Sendable, Hashable {
  package enum Content: Sendable, Hashable {
    case string(String)
    case integer(Int64)
    /// A floating-point number; nil for an infinity or a NaN.
    case float(Double?)
    case boolean(Bool)
    case date
    case array([TOMLValue])
    case table([Member])
  }

  /// A key and its value, in the order of the file.
  package struct Member: Sendable, Hashable {
    package var key: String
    package var origin: Origin
    package var value: TOMLValue
  }

  package var content: Content
  package var origin: Origin

  /// The kind of value with its article, for messages.
  package var kind: String {
    switch content {
    case .string: "a string"
    case .integer: "an integer"
    case .float(let number): number == nil ? "infinite or not a number" : "a number"
    case .boolean: "true or false"
    case .date: "a date or time"
    case .array(let values): values.isEmpty ? "an empty list" : "a list of \(values.count)"
    case .table: "a table"
    }
  }
}

extension TOMLValue {
  /// What to write instead, for the most frequent mistakes; nil for other errors.
  /// - Parameter reason: the message of toml++.
  private static func suggestion(for reason: String) -> String? {
    if reason.hasSuffix("could not determine value type") { return "write true or false, a number, or a text in quotation marks" }
    return reason.contains("parsing string: unescaped control") ? "end the text with a quotation mark on the same line" : nil
  }

  /// Parses the text of a file; the error names the first position that is not TOML 1.0.
  package init(parsing text: [UInt8], file: String) throws(ConfigurationProblem) {
    let result = text.withUnsafeBytes { ctoml_parse($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count) }
    defer { ctoml_free(result) }
    guard let pointer = result.text else { throw ConfigurationProblem(.file(file), "there is not enough memory to read it") }
    let bytes = UnsafeRawBufferPointer(start: pointer, count: result.length)
    if result.failed {
      let origin = result.line == 0 ? Origin.file(file) : .file(file, line: result.line, column: result.column)
      let reason = TOMLValue.trimmed(String(decoding: bytes, as: UTF8.self))
      throw ConfigurationProblem(origin, "not TOML: " + reason, suggestion: TOMLValue.suggestion(for: reason))
    }
    // No valid text reaches these limits. The C interface writes at most nine JSON values for a TOML value with its key, a TOML value has
    // at least two bytes, and 64 nested tables become 192 levels of JSON.
    let limits = JSONLimits(depth: 300, values: 10 * (text.count + 10))
    guard let tree = try? JSONValue(parsing: Array(bytes), limits: limits), let value = TOMLValue(tree, file: file) else {
      throw ConfigurationProblem(.file(file), "its values cannot be read")
    }
    self = value
  }

  /// toml++'s message without its fixed prefix.
  private static func trimmed(_ message: String) -> String {
    var message = message[...]
    if message.hasPrefix("Error ") { message = message.dropFirst(6) }
    let macro = " (TOML_MAX_NESTED_VALUES)"
    if message.hasSuffix(macro) { message = message.dropLast(macro.count) }
    return String(message)
  }

  /// Converts the JSON that the C interface writes for a value: `[line, column, kind, payload]`. Nil for any other JSON.
  private init?(_ node: JSONValue, file: String) {
    guard let line = node[0]?.integer, let column = node[1]?.integer, let kind = node[2]?.string, let payload = node[3] else { return nil }
    origin = .file(file, line: line, column: column)
    switch (kind, payload) {
    case ("string", .string(let string)): content = .string(string)
    case ("integer", .integer(let integer)): content = .integer(integer)
    case ("float", _): content = .float(payload.double)
    case ("boolean", .boolean(let boolean)): content = .boolean(boolean)
    case ("date", _): content = .date
    case ("array", .array(let nodes)):
      let values = nodes.compactMap { TOMLValue($0, file: file) }
      guard values.count == nodes.count else { return nil }
      content = .array(values)
    case ("table", .array(let nodes)):
      let members = nodes.compactMap { Member($0, file: file) }
      guard members.count == nodes.count else { return nil }
      content = .table(members.sorted { $0.origin < $1.origin })
    default: return nil
    }
  }
}

extension TOMLValue.Member {
  /// Converts the JSON that the C interface writes for a member: `[key, line, column, value]`. Nil for any other JSON.
  fileprivate init?(_ node: JSONValue, file: String) {
    guard let key = node[0]?.string, let line = node[1]?.integer, let column = node[2]?.integer, let valueNode = node[3],
      let value = TOMLValue(valueNode, file: file)
    else { return nil }
    self.init(key: key, origin: .file(file, line: line, column: column), value: value)
  }
}

extension TOMLValue {
  /// The value as JSON; nil for dates and for numbers that are not finite, which JSON cannot represent.
  package var json: JSONValue? {
    switch content {
    case .string(let string): return .string(string)
    case .integer(let integer): return .integer(integer)
    case .float(let number): return number.map { .number($0) }
    case .boolean(let boolean): return .boolean(boolean)
    case .date: return nil
    case .array(let values):
      let elements = values.compactMap(\.json)
      return elements.count == values.count ? .array(elements) : nil
    case .table(let members):
      let pairs = members.compactMap { member in member.value.json.map { (key: member.key, value: $0) } }
      return pairs.count == members.count ? .object(JSONObject(pairs)) : nil
    }
  }
}
