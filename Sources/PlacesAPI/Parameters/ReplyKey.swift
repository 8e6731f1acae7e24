import Glibc

/// Names a cached reply: the user, and the text of the parameters that decide the answer, in the order of the schema. Requests with equal keys
/// are of one user and ask the same. Two spellings of one value, such as `4` and `4.0`, make two keys: clients do not change their spelling.
public struct ReplyKey: Hashable, Sendable {
  /// The maximum length; a request with more has no key.
  static let capacity = 504

  public private(set) var user: UInt32 = 0
  /// The length in bytes.
  public private(set) var count = 0
  /// For each parameter: a byte that no UTF-8 text contains, the parameter's number in the schema, and its value as the client wrote it. Bytes
  /// after `count` do not count.
  private var room: [UInt8]

  /// An empty key with memory for any key.
  public init() { room = [UInt8](repeating: 0, count: ReplyKey.capacity) }

  var bytes: ArraySlice<UInt8> { room[..<count] }

  /// The same key without spare memory.
  var compact: ReplyKey {
    var key = self
    key.room = Array(bytes)
    return key
  }

  mutating func begin(user: UInt32) { (self.user, count) = (user, 0) }

  /// Adds a parameter. Returns false, and adds nothing, if the key would be too long.
  mutating func append(_ value: Span<UInt8>, ofParameter number: Int) -> Bool {
    guard count + 2 + value.count <= room.count else { return false }
    room.withUnsafeMutableBytes { room in
      room[count] = 0xFF
      room[count + 1] = UInt8(truncatingIfNeeded: number)
      value.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: room[(count + 2)...]).copyMemory(from: $0) }
    }
    count += 2 + value.count
    return true
  }

  public static func == (a: ReplyKey, b: ReplyKey) -> Bool {
    guard a.user == b.user, a.count == b.count else { return false }
    return a.room.withUnsafeBytes { one in
      b.room.withUnsafeBytes { other -> Bool in
        guard let one = one.baseAddress, let other = other.baseAddress else { return a.count == 0 }
        return memcmp(one, other, a.count) == 0
      }
    }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(user)
    room.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }
}

/// The session of a request, and the request's place in it: what a cached reply depends on besides its key.
public struct SessionTurn: Sendable {
  public var session: SessionID?
  public var seq: Int?
}
