import Glibc

/// Identifies a cached reply by the user and the text of the parameters that determine the answer, in the order of the schema. Requests
/// with equal keys come from one user and have the same answer. Two spellings of one value, such as `4` and `4.0`, make two keys. This
/// costs little, because a client always spells a value in the same way.
public struct ReplyKey: Hashable, Sendable {
  /// The maximum length in bytes. A request whose key would be longer has no key.
  static let capacity = 504

  public private(set) var user: UInt32 = 0
  /// The length in bytes.
  public private(set) var count = 0
  /// For each parameter: the byte 0xFF, which no UTF-8 text contains; the parameter's number in the schema; and its value as the client
  /// wrote it. Bytes from `count` on are unused.
  private var storage: [UInt8]

  /// An empty key with memory for any key.
  public init() { storage = [UInt8](repeating: 0, count: ReplyKey.capacity) }

  var bytes: ArraySlice<UInt8> { storage[..<count] }

  /// The same key without spare memory.
  var compact: ReplyKey {
    var key = self
    key.storage = Array(bytes)
    return key
  }

  /// Removes all parameters and sets the user, so that the memory is used for another key.
  mutating func begin(user: UInt32) { (self.user, count) = (user, 0) }

  /// Adds a parameter. Returns false, and adds nothing, if the key would be too long.
  mutating func append(_ value: Span<UInt8>, ofParameter number: Int) -> Bool {
    guard count + 2 + value.count <= storage.count else { return false }
    storage.withUnsafeMutableBytes { storage in
      storage[count] = 0xFF
      storage[count + 1] = UInt8(truncatingIfNeeded: number)
      value.withUnsafeBytes { UnsafeMutableRawBufferPointer(rebasing: storage[(count + 2)...]).copyMemory(from: $0) }
    }
    count += 2 + value.count
    return true
  }

  public static func == (a: ReplyKey, b: ReplyKey) -> Bool {
    guard a.user == b.user, a.count == b.count else { return false }
    return a.storage.withUnsafeBytes { one in
      b.storage.withUnsafeBytes { other -> Bool in
        guard let one = one.baseAddress, let other = other.baseAddress else { return a.count == 0 }
        return memcmp(one, other, a.count) == 0
      }
    }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(user)
    storage.withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }
}

/// The session of a request, and the request's sequence number in the session; each is nil if the request does not have it. They are not
/// part of the reply's key, but the daemon needs them before it sends a cached reply.
public struct SessionTurn: Sendable {
  public var session: SessionID?
  public var seq: Int?
}
