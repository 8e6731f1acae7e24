import PlacesKit

/// The id of a request: a whole number or a short string, so that the cost of a lookup is bounded.
enum MessageID: Hashable, Sendable {
  case number(Int)
  case text(String)

  /// The maximum length of a string, in bytes of UTF-8.
  static let maxTextLength = 128

  init(_ value: JSONValue) throws(ProtocolFault) {
    if let number = value.integer {
      self = .number(number)
    } else if let text = value.string, text.utf8.count <= Self.maxTextLength {
      self = .text(text)
    } else {
      throw ProtocolFault("it wrote an id that is neither a whole number nor a string of at most \(Self.maxTextLength) bytes")
    }
  }

  var json: JSONValue {
    switch self {
    case .number(let number): .integer(Int64(number))
    case .text(let text): .string(text)
    }
  }
}
