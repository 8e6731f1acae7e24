/// The bytes that name a reply, in room lent on the stack, so that to look one up allocates nothing. What needs more room has no key.
///
/// The pointer stays within `withRoom`, since the key can be neither copied nor kept; every write is checked against the room.
public struct ReplyKey: ~Copyable {
  static let capacity = 504
  private let room: UnsafeMutableRawBufferPointer
  public private(set) var count = 0

  private init(_ room: UnsafeMutableRawBufferPointer) { self.room = room }

  /// Calls the body with an empty key.
  public static func withRoom(_ body: (inout ReplyKey) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: capacity + 8, alignment: 8) { room in
      var key = ReplyKey(room)
      body(&key)
    }
  }

  /// False where there is no room left; then the key is worth nothing.
  mutating func append(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count <= Self.capacity - count else { return false }
    let free = UnsafeMutableRawBufferPointer(rebasing: room[count...])
    bytes.withUnsafeBytes { free.copyMemory(from: $0) }
    count += bytes.count
    return true
  }

  mutating func append(_ bytes: [UInt8]) -> Bool { append(bytes.span) }

  mutating func append(_ byte: UInt8) -> Bool {
    guard count < Self.capacity else { return false }
    room[count] = byte
    count += 1
    return true
  }

  /// The four bytes of a user's number.
  mutating func append(user: UInt32) -> Bool {
    guard count <= Self.capacity - 4 else { return false }
    room.storeBytes(of: user.littleEndian, toByteOffset: count, as: UInt32.self)
    count += 4
    return true
  }

  /// A number from 0 on, in decimal digits.
  mutating func append(number: Int) -> Bool {
    var (rest, digits) = (number / 10, 1)
    while rest > 0 {
      rest /= 10
      digits += 1
    }
    guard digits <= Self.capacity - count else { return false }
    rest = number
    for index in (count..<count + digits).reversed() {
      room[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += digits
    return true
  }

  /// Mixes the bytes with a secret seed by multiplications whose two halves are folded together (as wyhash does, Wang 2019).
  public func hash(seed: UInt64) -> UInt64 {
    var hash = seed ^ UInt64(truncatingIfNeeded: count)
    for index in 0..<wordCount {
      let product = (hash ^ word(index)).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
      hash = product.high ^ product.low &+ seed
    }
    return hash
  }

  /// The bytes by eights, to be kept.
  public var words: [UInt64] {
    var words: [UInt64] = []
    for index in 0..<wordCount { words.append(word(index)) }
    return words
  }

  public func equals(_ words: [UInt64]) -> Bool {
    guard words.count == wordCount else { return false }
    for index in 0..<wordCount where word(index) != words[index] { return false }
    return true
  }

  private var wordCount: Int { (count + 7) / 8 }

  /// Eight of the bytes; what lies behind the last one counts as zero.
  private func word(_ index: Int) -> UInt64 {
    let word = room.load(fromByteOffset: 8 * index, as: UInt64.self).littleEndian
    let missing = 8 * (index + 1) - count
    return missing > 0 ? word & (.max >> UInt64(8 * missing)) : word
  }

  /// A copy of the bytes.
  var bytes: [UInt8] { Array(room[..<count]) }
}
