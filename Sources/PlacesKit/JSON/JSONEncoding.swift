extension Encodable {
  /// This value as a JSON text on one line. Its `encode(to:)` determines the members and their order.
  ///
  /// The text is written directly, at a fraction of the cost of Foundation's `JSONEncoder`, which builds a tree first. Therefore
  /// `encode(to:)` may write only to the container that it began last, or to a container around that one; compiler-generated code always
  /// does so. Dates, data and URLs are written as their own `encode(to:)` writes them. Coding paths are empty.
  ///
  /// - Throws: `EncodingError.invalidValue` for a number that is infinite, not a number, or an integer outside the range of `Int`; for a
  ///   value that encodes nothing; and if `encode(to:)` writes to a container that is already closed.
  public func json() throws -> [UInt8] {
    let text = JSONText()
    try text.encode(self, at: 0)
    if let error = text.deferredError { throw error }
    text.close(to: 0)
    return text.writer.bytes
  }
}

/// The text written so far, and its containers that are still open.
private final class JSONText {
  var writer = JSONWriter(reserving: 1_024)
  /// The first error of a function that cannot throw. `json()` throws it at the end.
  var deferredError: EncodingError?
  /// The containers that are not closed yet, outermost first.
  private var openContainers: [(number: Int, isObject: Bool)] = []
  /// The number of containers that were begun.
  private var containerCount = 0
  /// The number of values written or begun.
  private(set) var valueCount = 0

  /// Closes the innermost containers until at most `level` containers are open.
  func close(to level: Int) {
    while openContainers.count > level { writer.close(UInt8(ascii: openContainers.removeLast().isObject ? "}" : "]")) }
  }

  /// Begins a container inside the outermost `level` containers, and first closes the containers that are deeper.
  func begin(isObject: Bool, at level: Int) -> ContainerPosition {
    close(to: level)
    if openContainers.count < level { deferredError = deferredError ?? .writtenAfterClose }
    writer.open(UInt8(ascii: isObject ? "{" : "["))
    containerCount += 1
    valueCount += 1
    openContainers.append((containerCount, isObject))
    return ContainerPosition(level: openContainers.count, number: containerCount)
  }

  /// Closes all containers inside the container at `position`, so that the next value is written into that one. Throws if that container
  /// is already closed.
  func closeContainers(inside position: ContainerPosition) throws {
    guard isOpen(position) else { throw EncodingError.writtenAfterClose }
    close(to: position.level)
  }

  /// Does the same for functions that cannot throw: if the container is already closed, it sets `deferredError` and returns false.
  func closeContainersIfOpen(inside position: ContainerPosition) -> Bool {
    let isOpen = isOpen(position)
    if isOpen { close(to: position.level) } else { deferredError = deferredError ?? .writtenAfterClose }
    return isOpen
  }

  private func isOpen(_ position: ContainerPosition) -> Bool {
    openContainers.count >= position.level && openContainers[position.level - 1].number == position.number
  }

  /// Encodes a value inside `level` open containers.
  func encode<Value: Encodable>(_ value: Value, at level: Int) throws {
    if Value.self == JSONValue.self, let value = value as? JSONValue { return write { $0.value(value) } }
    let valuesBefore = valueCount
    try value.encode(to: JSONEncoding(text: self, level: level))
    guard valueCount > valuesBefore else {
      throw EncodingError.invalidValue(value, .init(codingPath: [], debugDescription: "the value encodes nothing"))
    }
  }

  func write(_ body: (inout JSONWriter) -> Void) {
    valueCount += 1
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

/// Identifies a container: its depth (1 for the outermost), and its number in the order in which containers were begun.
private struct ContainerPosition {
  var level: Int
  var number: Int
}

extension EncodingError {
  fileprivate static var writtenAfterClose: EncodingError {
    .invalidValue("", .init(codingPath: [], debugDescription: "a container is written to after it was closed"))
  }
}

/// The encoder of one value.
private struct JSONEncoding: Encoder {
  let text: JSONText
  /// The number of containers around the value.
  let level: Int
  /// The number of values that were written before this one.
  private let valuesBefore: Int

  init(text: JSONText, level: Int) {
    (self.text, self.level, valuesBefore) = (text, level, text.valueCount)
  }

  /// Sets `deferredError` if this encoder has already written a value or a container: it may write only one.
  private func begin() {
    if text.valueCount != valuesBefore { text.deferredError = text.deferredError ?? .writtenAfterClose }
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
    // The double with the same decimal digits: 0.1 is written as `0.1` and not as `0.10000000149011612`.
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
    try text.closeContainers(inside: position)
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

  /// Begins a container as the value of `key`. If this container is already closed, no key is written, and `json()` throws at the end.
  private func nested(_ key: Key, isObject: Bool) -> ContainerPosition {
    if text.closeContainersIfOpen(inside: position) { text.writer.key(key.stringValue) }
    return text.begin(isObject: isObject, at: position.level)
  }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(JSONKeyedEncoder<Nested>(text: text, position: nested(key, isObject: true)))
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    JSONArrayEncoder(text: text, position: nested(key, isObject: false))
  }
  func superEncoder() -> any Encoder { encoder(forKey: "super") }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(forKey: key.stringValue) }
  private func encoder(forKey key: String) -> any Encoder {
    if text.closeContainersIfOpen(inside: position) { text.writer.key(key) }
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
    try text.closeContainers(inside: position)
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
    _ = text.closeContainersIfOpen(inside: position)
    count += 1
    return text.begin(isObject: isObject, at: position.level)
  }
  mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(JSONKeyedEncoder<Nested>(text: text, position: nested(isObject: true)))
  }
  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { JSONArrayEncoder(text: text, position: nested(isObject: false)) }
  mutating func superEncoder() -> any Encoder {
    _ = text.closeContainersIfOpen(inside: position)
    count += 1
    return JSONEncoding(text: text, level: position.level)
  }
}
