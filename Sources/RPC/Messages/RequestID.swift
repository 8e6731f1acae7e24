import PlacesKit

/// The id of a request, echoed in the spelling in which it came.
public struct RequestID: Sendable, Hashable {
  /// A JSON string, number or null.
  public let raw: [UInt8]
  /// What the spelling means: `"a"` and `"\u0061"` are one id, as are `1`, `1.0` and `1e0`.
  let value: JSONValue

  /// Nil for a value that cannot be an id.
  public init?(_ value: JSONValue, raw: [UInt8]? = nil) {
    switch value {
    case .null, .integer, .string: self.value = value
    case .number(let number): self.value = Int64(exactly: number).map { .integer($0) } ?? value
    case .boolean, .array, .object: return nil
    }
    self.raw = raw ?? value.bytes
  }

  public static let null = RequestID(raw: Array("null".utf8), value: .null)

  private init(raw: [UInt8], value: JSONValue) {
    self.raw = raw
    self.value = value
  }

  /// The id as JSON.
  public var json: JSONValue { value }

  public static func == (a: RequestID, b: RequestID) -> Bool { a.value == b.value }
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
