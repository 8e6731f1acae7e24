import PlacesKit

/// Encodes and decodes values in the databases as JSON.
enum StoredJSON {
  static func bytes(_ value: some Encodable) -> [UInt8]? { try? value.json() }

  static func value<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
    try? type.init(json: bytes)
  }
}
