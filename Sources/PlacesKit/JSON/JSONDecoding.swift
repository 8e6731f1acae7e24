extension Decodable {
  /// Decodes a JSON text that this program or its peer has encoded.
  /// - Throws: `JSONError` if the bytes are not JSON, and `DecodingError` if the value does not have the form of this type.
  public init(json: [UInt8]) throws {
    try self.init(json: JSONValue(parsing: json, limits: .trusted))
  }

  /// Decodes a JSON value without converting it to text again.
  public init(json value: JSONValue) throws { self = try JSONDecoding(value).decode(Self.self) }
}

/// The decoder of one value. Its errors contain the path of the value and the expected form, never the value itself; those of
/// `init(from:)` functions of the standard library may quote it.
public struct JSONDecoding: Decoder {
  /// Receives the keys of each decoded object, the object's path, and the keys of the type that is decoded from it.
  public typealias ReportKeys = (_ names: [String], _ path: [any CodingKey], _ keys: any CodingKey.Type) -> Void

  let value: JSONValue
  public var codingPath: [any CodingKey] = []
  /// The values of missing members, by name.
  var defaults: [String: JSONValue]
  var reportKeys: ReportKeys?
  public var userInfo: [CodingUserInfoKey: Any] { [:] }

  public init(_ value: JSONValue, defaults: [String: JSONValue] = [:], reportKeys: ReportKeys? = nil) {
    self.value = value
    self.defaults = defaults
    self.reportKeys = reportKeys
  }

  /// The decoder of a part of this value.
  fileprivate func part(_ part: JSONValue, at path: [any CodingKey]) -> JSONDecoding {
    var decoding = JSONDecoding(part, defaults: defaults, reportKeys: reportKeys)
    decoding.codingPath = path
    return decoding
  }

  public func decode<T: Decodable>(_ type: T.Type) throws -> T {
    // A member whose type is JSONValue needs no decoding.
    if T.self == JSONValue.self, let value = value as? T { return value }
    return try T(from: self)
  }

  public func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = value else { throw mismatch("an object") }
    reportKeys?(object.keys, codingPath, type)
    return KeyedDecodingContainer(JSONKeyedDecoder(object: object, decoding: self))
  }

  public func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch("an array") }
    return JSONArrayDecoder(elements: elements, decoding: self)
  }

  public func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  fileprivate func mismatch(_ expected: String) -> DecodingError {
    .typeMismatch(JSONValue.self, .init(codingPath: codingPath, debugDescription: "must be \(expected), not \(value.kind)"))
  }
}

extension JSONDecoding: SingleValueDecodingContainer {
  public func decodeNil() -> Bool { value.isNull }
  public func decode(_ type: Bool.Type) throws -> Bool {
    guard let boolean = value.boolean else { throw mismatch("true or false") }
    return boolean
  }
  public func decode(_ type: String.Type) throws -> String {
    guard let string = value.string else { throw mismatch("a string") }
    return string
  }
  public func decode(_ type: Double.Type) throws -> Double {
    guard let number = value.double else { throw mismatch("a number") }
    return number
  }
  public func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  public func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
    guard let number = value.integer.flatMap(T.init(exactly:)) else { throw mismatch("a whole number in range") }
    return number
  }
}

/// The members of an object.
private struct JSONKeyedDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  let decoding: JSONDecoding

  var codingPath: [any CodingKey] { decoding.codingPath }
  var allKeys: [Key] { object.keys.compactMap(Key.init(stringValue:)) }
  func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value.isNull }

  private func decoder(_ key: Key) throws -> JSONDecoding {
    guard let value = object[key.stringValue] ?? decoding.defaults[key.stringValue] else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath + [key], debugDescription: "is missing"))
    }
    return decoding.part(value, at: codingPath + [key])
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder(key).decode(type) }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try decoder(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String { try decoder(key).decode(type) }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double { try decoder(key).decode(type) }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try decoder(key).decode(type) }
  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type, forKey key: Key) throws -> T { try decoder(key).decode(type) }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try decoder(key).unkeyedContainer() }
  func superDecoder() throws -> any Decoder {
    guard let value = object["super"] else {
      throw DecodingError.valueNotFound(JSONValue.self, .init(codingPath: codingPath, debugDescription: "is missing"))
    }
    return decoding.part(value, at: codingPath)
  }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

/// The elements of an array.
private struct JSONArrayDecoder: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let decoding: JSONDecoding
  var currentIndex = 0

  init(elements: [JSONValue], decoding: JSONDecoding) {
    self.elements = elements
    self.decoding = decoding
  }

  var codingPath: [any CodingKey] { decoding.codingPath }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private struct Index: CodingKey {
    var intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }
    init(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { nil }
  }

  private mutating func next() throws -> JSONDecoding {
    let path = codingPath + [Index(intValue: currentIndex)]
    guard elements.indices.contains(currentIndex) else {
      throw DecodingError.valueNotFound(JSONValue.self, .init(codingPath: path, debugDescription: "is missing"))
    }
    defer { currentIndex += 1 }
    return decoding.part(elements[currentIndex], at: path)
  }

  mutating func decodeNil() throws -> Bool {
    guard elements.indices.contains(currentIndex), elements[currentIndex].isNull else { return false }
    currentIndex += 1
    return true
  }
  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T { try next().decode(type) }
  mutating func decode(_ type: Bool.Type) throws -> Bool { try next().decode(type) }
  mutating func decode(_ type: String.Type) throws -> String { try next().decode(type) }
  mutating func decode(_ type: Double.Type) throws -> Double { try next().decode(type) }
  mutating func decode(_ type: Float.Type) throws -> Float { try next().decode(type) }
  mutating func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T { try next().decode(type) }
  mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try next().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try next().unkeyedContainer() }
  mutating func superDecoder() throws -> any Decoder { try next() }
}

extension DecodingError {
  /// The path of the value, and why it cannot be decoded. A reason from the standard library may quote the value.
  public var pathAndReason: (path: String, reason: String) {
    let context =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context), .dataCorrupted(let context): context
      @unknown default: Context(codingPath: [], debugDescription: "cannot be decoded")
      }
    return (context.codingPath.map(\.stringValue).joined(separator: "."), context.debugDescription)
  }
}
