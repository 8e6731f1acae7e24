extension Encodable {
  /// This value as a JSON text on one line, written by its `encode(to:)`, with members in that order.
  ///
  /// The text is written directly, at a fraction of the cost of Foundation's `JSONEncoder`, which builds a tree first. A container that is
  /// written to must therefore be the last one begun or one that contains it, as in all compiler-generated code. Dates, data and URLs are
  /// written as they encode themselves. Coding paths are empty.
  ///
  /// - Throws: `EncodingError.invalidValue` for a number that JSON lacks (infinite, not a number, beyond 64 bits with a sign), for a value
  ///   that encodes nothing, and for containers that are written to in another order.
  public func json() throws -> [UInt8] {
    let text = JSONText()
    try text.encode(self, at: 0)
    if let fault = text.fault { throw fault }
    text.close(to: 0)
    return text.writer.bytes
  }
}

/// A text that grows, and the containers of it that are open.
private final class JSONText {
  var writer = JSONWriter(reserving: 1_024)
  /// The first error in a function that cannot throw.
  var fault: EncodingError?
  private var open: [(number: Int, isObject: Bool)] = []
  private var began = 0
  /// The number of values written or begun.
  private(set) var values = 0

  /// Closes the containers that are deeper than this level.
  func close(to level: Int) {
    while open.count > level { writer.close(UInt8(ascii: open.removeLast().isObject ? "}" : "]")) }
  }

  /// Begins a container inside this number of others.
  func begin(isObject: Bool, at level: Int) -> ContainerPosition {
    close(to: level)
    if open.count < level { fault = fault ?? .writtenAfterClose }
    writer.open(UInt8(ascii: isObject ? "{" : "["))
    began += 1
    values += 1
    open.append((began, isObject))
    return ContainerPosition(level: open.count, number: began)
  }

  /// Makes a container the innermost one again.
  func turn(to position: ContainerPosition) throws {
    guard isOpen(position) else { throw EncodingError.writtenAfterClose }
    close(to: position.level)
  }

  /// Does the same as `turn` for functions that cannot throw: returns false if the container is closed; the error is thrown at the end.
  func turned(to position: ContainerPosition) -> Bool {
    let isOpen = isOpen(position)
    if isOpen { close(to: position.level) } else { fault = fault ?? .writtenAfterClose }
    return isOpen
  }

  private func isOpen(_ position: ContainerPosition) -> Bool {
    open.count >= position.level && open[position.level - 1].number == position.number
  }

  func encode<Value: Encodable>(_ value: Value, at level: Int) throws {
    if Value.self == JSONValue.self, let value = value as? JSONValue { return write { $0.value(value) } }
    let before = values
    try value.encode(to: JSONEncoding(text: self, level: level))
    guard values > before else {
      throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "the value encodes nothing"))
    }
  }

  func write(_ body: (inout JSONWriter) -> Void) {
    values += 1
    body(&writer)
  }

  func write(_ value: Double) throws {
    guard value.isFinite else {
      throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "JSON cannot represent this number"))
    }
    write { $0.number(value) }
  }

  func write(_ value: some BinaryInteger) throws {
    guard let integer = Int(exactly: value) else {
      throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "the number has more than 64 bits with its sign"))
    }
    write { $0.integer(integer) }
  }
}

/// Identifies a container: its depth, and its number in the order in which containers were begun.
private struct ContainerPosition {
  var level: Int
  var number: Int
}

extension EncodingError {
  fileprivate static var writtenAfterClose: EncodingError {
    .invalidValue("", .init(codingPath: [], debugDescription: "a container is written to after it was closed"))
  }
}

private struct JSONEncoding: Encoder {
  let text: JSONText
  /// Containers around the value.
  let level: Int
  /// The number of values written before this one, to check that it writes a single value or container.
  private let before: Int

  init(text: JSONText, level: Int) {
    (self.text, self.level, before) = (text, level, text.values)
  }

  private func begin() {
    if text.values != before { text.fault = text.fault ?? .writtenAfterClose }
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    begin()
    return KeyedEncodingContainer(JSONKeyedEncoder(text: text, position: text.begin(isObject: true, at: level)))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    begin()
    return JSONArrayEncoder(text: text, position: text.begin(isObject: false, at: level))
  }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension JSONEncoding: SingleValueEncodingContainer {
  func encodeNil() {
    begin()
    text.write { $0.null() }
  }
  func encode(_ value: Bool) {
    begin()
    text.write { $0.boolean(value) }
  }
  func encode(_ value: String) {
    begin()
    text.write { $0.string(value) }
  }
  func encode(_ value: Double) throws {
    begin()
    try text.write(value)
  }
  func encode(_ value: Int) {
    begin()
    text.write { $0.integer(value) }
  }
  func encode(_ value: Float) throws {
    begin()
    try text.write(Double(value.description) ?? .nan)
  }
  func encode<Value: Encodable>(_ value: Value) throws {
    begin()
    if let integer = value as? any BinaryInteger { try text.write(integer) } else { try text.encode(value, at: level) }
  }
}

private struct JSONKeyedEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let text: JSONText
  let position: ContainerPosition
  var codingPath: [any CodingKey] { [] }

  private func begin(_ key: Key) throws {
    try text.turn(to: position)
    text.writer.key(key.stringValue)
  }

  func encodeNil(forKey key: Key) throws {
    try begin(key)
    text.write { $0.null() }
  }
  func encode(_ value: Bool, forKey key: Key) throws {
    try begin(key)
    text.write { $0.boolean(value) }
  }
  func encode(_ value: String, forKey key: Key) throws {
    try begin(key)
    text.write { $0.string(value) }
  }
  func encode(_ value: Double, forKey key: Key) throws {
    try begin(key)
    try text.write(value)
  }
  func encode(_ value: Int, forKey key: Key) throws {
    try begin(key)
    text.write { $0.integer(value) }
  }
  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
    try begin(key)
    try text.encode(value, at: position.level)
  }

  /// A container for a key; it has no position if this container is already closed.
  private func nested(_ key: Key, isObject: Bool) -> ContainerPosition {
    if text.turned(to: position) { text.writer.key(key.stringValue) }
    return text.begin(isObject: isObject, at: position.level)
  }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(JSONKeyedEncoder<Nested>(text: text, position: nested(key, isObject: true)))
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    JSONArrayEncoder(text: text, position: nested(key, isObject: false))
  }
  func superEncoder() -> any Encoder { encoder(behind: "super") }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(behind: key.stringValue) }
  private func encoder(behind key: String) -> any Encoder {
    if text.turned(to: position) { text.writer.key(key) }
    return JSONEncoding(text: text, level: position.level)
  }
}

private struct JSONArrayEncoder: UnkeyedEncodingContainer {
  let text: JSONText
  let position: ContainerPosition
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }

  init(text: JSONText, position: ContainerPosition) {
    self.text = text
    self.position = position
  }

  private mutating func begin() throws {
    try text.turn(to: position)
    count += 1
  }

  mutating func encodeNil() throws {
    try begin()
    text.write { $0.null() }
  }
  mutating func encode(_ value: Bool) throws {
    try begin()
    text.write { $0.boolean(value) }
  }
  mutating func encode(_ value: String) throws {
    try begin()
    text.write { $0.string(value) }
  }
  mutating func encode(_ value: Double) throws {
    try begin()
    try text.write(value)
  }
  mutating func encode(_ value: Int) throws {
    try begin()
    text.write { $0.integer(value) }
  }
  mutating func encode<Value: Encodable>(_ value: Value) throws {
    try begin()
    try text.encode(value, at: position.level)
  }

  private mutating func nested(isObject: Bool) -> ContainerPosition {
    _ = text.turned(to: position)
    count += 1
    return text.begin(isObject: isObject, at: position.level)
  }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(JSONKeyedEncoder<Nested>(text: text, position: nested(isObject: true)))
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { JSONArrayEncoder(text: text, position: nested(isObject: false)) }
  mutating func superEncoder() -> any Encoder {
    _ = text.turned(to: position)
    count += 1
    return JSONEncoding(text: text, level: position.level)
  }
}
