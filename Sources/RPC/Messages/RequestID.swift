import PlacesKit

/// The id of a request. Replies repeat its bytes exactly.
public struct RequestID: Sendable, Hashable {
  /// The bytes of the id: a JSON string, number or null.
  public let raw: [UInt8]
  /// The value, by which ids are compared: `"a"` and `"\u0061"` are the same id, and so are `1`, `1.0` and `1e0`.
  private let value: JSONValue

  /// Nil for bytes that are not a JSON string, number or null.
  public init?(raw: [UInt8]) {
    guard let value = try? JSONValue(parsing: raw) else { return nil }
    switch value {
    case .null, .integer, .string: self.value = value
    case .number(let number): self.value = Int64(exactly: number).map { .integer($0) } ?? value
    case .boolean, .array, .object: return nil
    }
    self.raw = raw
  }

  public init(_ number: Int64) {
    value = .integer(number)
    raw = value.bytes
  }

  private init(null: Void) {
    value = .null
    raw = value.bytes
  }

  public static let null = RequestID(null: ())

  /// The id as JSON.
  public var json: JSONValue { value }

  public static func == (a: RequestID, b: RequestID) -> Bool { a.value == b.value }
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
