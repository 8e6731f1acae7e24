import PlacesKit

/// Names a cached reply: the user, and the text of the parameters that decide the answer, in the order of the schema. Requests with equal keys
/// are of one user and ask the same. Two spellings of one value, such as `4` and `4.0`, make two keys: clients do not change their spelling.
public struct ReplyKey: Hashable, Sendable {
  /// The maximum number of words; a request with more has no key.
  static let capacity = 64
  /// Of this process, so that nobody can choose requests whose keys have equal hashes.
  private static let secret = UInt64.random(in: 1 ... .max)

  public private(set) var user: UInt32 = 0
  /// For each parameter: its number in the schema and the length of its value, and then the value as the client wrote it, with zeros after its
  /// end. Words after `length` do not count.
  private var room: [UInt64]
  private var length = 0
  /// A hash of the secret, the user and the words, made while the words arrive.
  private var digest: UInt64 = 0

  /// An empty key with memory for any key.
  public init() { room = [UInt64](repeating: 0, count: ReplyKey.capacity) }

  var words: ArraySlice<UInt64> { room[..<length] }

  /// Bytes of memory.
  public var count: Int { 8 * length }

  /// The same key without spare memory.
  var compact: ReplyKey {
    var key = self
    key.room = Array(words)
    return key
  }

  mutating func begin(user: UInt32) { (self.user, length, digest) = (user, 0, ReplyKey.secret ^ UInt64(user)) }

  /// Adds a parameter, whose value is a range of a text. Returns false, and adds nothing, if the key would be too long.
  mutating func append(_ value: Range<Int>, of text: Span<UInt8>, parameter number: Int) -> Bool {
    let (start, end) = (length, length + 1 + (value.count + 7) / 8)
    guard !value.isEmpty, end <= room.count else { return false }
    var hash = digest
    var room = self.room.mutableSpan
    room[start] = UInt64(truncatingIfNeeded: number) << 32 | UInt64(truncatingIfNeeded: value.count)
    for index in start + 1..<end { room[index] = text.word(at: value.lowerBound + 8 * (index - start - 1)) }
    room[end - 1] &= .max >> UInt64(truncatingIfNeeded: -8 * value.count & 63)
    for index in start..<end {
      // The multiplication of wyhash (Wang Yi 2019), whose high and low halves are folded.
      let product = (hash ^ room[index]).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      hash = product.high ^ product.low
    }
    (length, digest) = (end, hash)
    return true
  }

  public static func == (a: ReplyKey, b: ReplyKey) -> Bool {
    guard a.user == b.user, a.digest == b.digest, a.length == b.length else { return false }
    let (one, other) = (a.room.span, b.room.span)
    for index in 0..<a.length where one[index] != other[index] { return false }
    return true
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// The session of a request, and the request's place in it: what a cached reply depends on besides its key.
public struct SessionTurn: Sendable {
  public var session: SessionID?
  public var seq: Int?
}
