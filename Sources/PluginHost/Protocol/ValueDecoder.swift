import PlacesKit

/// Decodes PlacesKit types from a parsed JSON value, without converting it to text again. A missing member has the value that
/// `WireDefaults` gives for its name. Thus a provider in another language need only write members that have other values.
struct ValueDecoder: Decoder {
  let value: JSONValue
  var codingPath: [any CodingKey] = []
  /// Records members that the decoded type does not have; nil if they are ignored.
  var unknownMembers: UnknownMembers.Recorder?
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func decode<T: Decodable>(
    _ type: T.Type, from value: JSONValue, unknownMembers: UnknownMembers.Recorder? = nil
  ) throws(DecodingFault) -> T {
    do {
      return try ValueDecoder(value: value, unknownMembers: unknownMembers).decode(type)
    } catch let error as DecodingError {
      throw DecodingFault(error)
    } catch {
      throw DecodingFault(message: "it cannot be decoded")
    }
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    // A member whose type is JSONValue needs no decoding.
    if let value = value as? T { return value }
    return try T(from: self)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = value else { throw mismatch("an object") }
    unknownMembers?.record(object.keys, at: codingPath, unlessIn: type)
    return KeyedDecodingContainer(JSONKeyedDecoder(object: object, codingPath: codingPath, unknownMembers: unknownMembers))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw mismatch("an array") }
    return JSONArrayDecoder(elements: elements, codingPath: codingPath, unknownMembers: unknownMembers)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }

  fileprivate func mismatch(_ expected: String) -> DecodingError {
    .typeMismatch(JSONValue.self, .init(codingPath: codingPath, debugDescription: "must be \(expected), not \(value.kind)"))
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { value.isNull }
  func decode(_ type: Bool.Type) throws -> Bool {
    guard let boolean = value.boolean else { throw mismatch("true or false") }
    return boolean
  }
  func decode(_ type: String.Type) throws -> String {
    guard let string = value.string else { throw mismatch("a string") }
    return string
  }
  func decode(_ type: Double.Type) throws -> Double {
    guard let number = value.double else { throw mismatch("a number") }
    return number
  }
  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode<T: FixedWidthInteger & Decodable>(_ type: T.Type) throws -> T {
    guard let number = value.integer.flatMap(T.init(exactly:)) else { throw mismatch("a whole number in range") }
    return number
  }
}

/// The members of an object.
private struct JSONKeyedDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  let codingPath: [any CodingKey]
  let unknownMembers: UnknownMembers.Recorder?

  var allKeys: [Key] { object.keys.compactMap(Key.init(stringValue:)) }
  func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).value.isNull }

  private func decoder(_ key: Key) throws -> ValueDecoder {
    guard let value = object[key.stringValue] ?? WireDefaults.members[key.stringValue] else {
      throw DecodingError.keyNotFound(key, .init(codingPath: codingPath + [key], debugDescription: "is missing"))
    }
    return ValueDecoder(value: value, codingPath: codingPath + [key], unknownMembers: unknownMembers)
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
  func superDecoder() throws -> any Decoder { ValueDecoder(value: .object(object), codingPath: codingPath, unknownMembers: unknownMembers) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

/// The elements of an array.
private struct JSONArrayDecoder: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let codingPath: [any CodingKey]
  let unknownMembers: UnknownMembers.Recorder?
  var currentIndex = 0

  init(elements: [JSONValue], codingPath: [any CodingKey], unknownMembers: UnknownMembers.Recorder?) {
    self.elements = elements
    self.codingPath = codingPath
    self.unknownMembers = unknownMembers
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  private struct Index: CodingKey {
    var intValue: Int?
    var stringValue: String { "\(intValue ?? 0)" }
    init(intValue: Int) { self.intValue = intValue }
    init?(stringValue: String) { nil }
  }

  private mutating func next() throws -> ValueDecoder {
    let path = codingPath + [Index(intValue: currentIndex)]
    guard elements.indices.contains(currentIndex) else {
      throw DecodingError.valueNotFound(JSONValue.self, .init(codingPath: path, debugDescription: "is missing"))
    }
    defer { currentIndex += 1 }
    return ValueDecoder(value: elements[currentIndex], codingPath: path, unknownMembers: unknownMembers)
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

/// A JSON value that does not have the required form. The message contains the path of the value and the expected form, never the value
/// itself.
struct DecodingFault: Error {
  var message: String
  init(message: String) { self.message = message }

  init(_ error: DecodingError) {
    let context =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context), .dataCorrupted(let context): context
      @unknown default: DecodingError.Context(codingPath: [], debugDescription: "cannot be decoded")
      }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    message = (path.isEmpty ? "it" : path) + " " + Self.harmless(context.debugDescription)
  }

  /// The description if this project wrote it. A description by the standard library may quote the value that did not fit, so a general
  /// description replaces it. For an unknown parameter of a capability, the replacement lists the names of all parameters.
  private static func harmless(_ text: String) -> String {
    if text == "Could not convert key to type Parameter" {
      return "is none of \(Capability.Parameter.allCases.map(\.rawValue).joined(separator: ", "))"
    }
    return text.hasPrefix("must be") || text == "is missing" || text.hasPrefix("coordinate") ? text : "has a value that is not allowed"
  }
}
