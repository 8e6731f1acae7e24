import FoundationEssentials
import PlacesKit

/// The encoding of values in the databases: JSON.
enum StoredJSON {
  static func bytes(_ value: some Encodable) -> [UInt8]? { try? value.json() }

  static func value<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(bytes))
  }
}
