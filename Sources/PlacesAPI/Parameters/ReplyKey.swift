/// Names a cached reply: the user, and the canonical parameters that decide the answer. Two requests have equal keys if, and only if, they are of one
/// user and ask the same.
public struct ReplyKey: Hashable, Sendable {
  public let user: UInt32
  /// For each parameter that is not the default: a byte with its number from 1 on, which no JSON text contains, and its canonical value.
  private(set) var bytes: [UInt8] = []
  /// The maximum length; a request with more has no key.
  static let capacity = 504

  init(user: UInt32) {
    self.user = user
    bytes.reserveCapacity(96)
  }

  /// Bytes of memory.
  public var count: Int { bytes.count }

  mutating func append(_ bytes: Span<UInt8>) { bytes.withUnsafeBufferPointer { self.bytes.append(contentsOf: $0) } }
  mutating func append(_ bytes: [UInt8]) { self.bytes += bytes }
  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// Appends a number from 0 on in decimal digits.
  mutating func append(number: Int) {
    if number > 9 { append(number: number / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(user)
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

/// The session of a request, and the request's place in it: what a cached reply depends on besides its key.
public struct SessionTurn: Sendable {
  public var session: SessionID?
  public var seq: Int?
}

extension Autocomplete {
  /// The key of a request's reply, and its session. Nil if the request needs more than a cached reply: something about it is unusual or wrong, or it
  /// asks for a fresh answer.
  /// - Parameter params: JSON, apart from duplicate keys.
  public static func replyKey(of params: Span<UInt8>, user: UInt32) -> (key: ReplyKey, turn: SessionTurn)? {
    var key = ReplyKey(user: user)
    guard let turn = schema.scanner.scan(params, key: &key), key.bytes.count <= ReplyKey.capacity else { return nil }
    return (key, turn)
  }

  /// The key that every spelling of these parameters has; nil if it would be too long.
  public static func replyKey(of parameters: Parameters, user: UInt32) -> ReplyKey? {
    var key = ReplyKey(user: user)
    schema.append(parameters, to: &key)
    return key.bytes.count <= ReplyKey.capacity ? key : nil
  }
}
