/// Names a cached reply: the user, and the text of the parameters that decide the answer, in the order of the schema. Requests with equal keys are of one
/// user and ask the same. Two spellings of one value, such as `4` and `4.0`, make two keys: clients do not change their spelling.
public struct ReplyKey: Hashable, Sendable {
  public let user: UInt32
  /// For each parameter: a byte that no UTF-8 text contains, the parameter's number in the schema, and its value as the client wrote it.
  private(set) var bytes: [UInt8] = []
  /// The maximum length; a request with more has no key.
  static let capacity = 504

  init(user: UInt32) {
    self.user = user
    bytes.reserveCapacity(96)
  }

  /// Bytes of memory.
  public var count: Int { bytes.count }

  mutating func append(_ value: Span<UInt8>, ofParameter number: Int) {
    bytes.append(0xFF)
    bytes.append(UInt8(truncatingIfNeeded: number))
    value.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
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
