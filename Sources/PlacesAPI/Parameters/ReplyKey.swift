/// The bytes that name a reply, in room lent on the stack, so that to look one up allocates nothing. What needs more room has no key.
///
/// The pointer stays within `withRoom`, since the key can be neither copied nor kept; every write is checked against the room.
public struct ReplyKey: ~Copyable {
  public static let capacity = 504
  private let room: UnsafeMutableRawBufferPointer
  public private(set) var count = 0

  private init(_ room: UnsafeMutableRawBufferPointer) {
    self.room = room
    extend(by: 0)
  }

  /// Calls the body with an empty key.
  public static func withRoom(_ body: (inout ReplyKey) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: capacity + 8, alignment: 8) { room in
      var key = ReplyKey(room)
      body(&key)
    }
  }

  /// False where there is no room left; then the key is worth nothing.
  public mutating func append(_ bytes: Span<UInt8>) -> Bool {
    guard hasRoom(for: bytes.count) else { return false }
    let free = UnsafeMutableRawBufferPointer(rebasing: room[count...])
    bytes.withUnsafeBytes { free.copyMemory(from: $0) }
    extend(by: bytes.count)
    return true
  }

  mutating func append(_ bytes: [UInt8]) -> Bool { append(bytes.span) }

  public mutating func append(_ byte: UInt8) -> Bool {
    guard hasRoom(for: 1) else { return false }
    room[count] = byte
    extend(by: 1)
    return true
  }

  /// The four bytes of a user's number.
  public mutating func append(user: UInt32) -> Bool {
    guard hasRoom(for: 4) else { return false }
    room.storeBytes(of: user.littleEndian, toByteOffset: count, as: UInt32.self)
    extend(by: 4)
    return true
  }

  /// A number from 0 on, in decimal digits.
  mutating func append(number: Int) -> Bool {
    var (rest, digits) = (number / 10, 1)
    while rest > 0 {
      rest /= 10
      digits += 1
    }
    guard hasRoom(for: digits) else { return false }
    rest = number
    for index in (count..<count + digits).reversed() {
      room[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    extend(by: digits)
    return true
  }

  private func hasRoom(for bytes: Int) -> Bool { bytes <= Self.capacity - count }

  /// Takes up bytes that were written, and puts eight zeros behind them, so that the key can be read by eights.
  private mutating func extend(by bytes: Int) {
    count += bytes
    room.storeBytes(of: 0, toByteOffset: count, as: UInt64.self)
  }

  /// Mixes the bytes with a secret seed by multiplications whose two halves are folded together (as wyhash does, Wang 2019).
  public func hash(seed: UInt64) -> UInt64 {
    var hash = seed ^ UInt64(truncatingIfNeeded: count)
    var index = 0
    while index < wordCount {
      let next = index &+ 1 < wordCount ? word(index &+ 1) : 0
      let product = (hash ^ word(index)).multipliedFullWidth(by: next ^ 0x9E37_79B9_7F4A_7C15)
      hash = product.high ^ product.low &+ seed
      index &+= 2
    }
    return hash
  }

  /// The bytes by eights, to be kept; what is missing from the last eight counts as zero.
  public var words: [UInt64] {
    Array(unsafeUninitializedCapacity: wordCount) { words, count in
      for index in 0..<wordCount { words.initializeElement(at: index, to: word(index)) }
      count = wordCount
    }
  }

  public func equals(_ words: [UInt64]) -> Bool {
    guard words.count == wordCount else { return false }
    for index in 0..<wordCount where word(index) != words[index] { return false }
    return true
  }

  private var wordCount: Int { (count &+ 7) / 8 }

  private func word(_ index: Int) -> UInt64 { room.load(fromByteOffset: 8 &* index, as: UInt64.self).littleEndian }

  /// A copy of the bytes.
  var bytes: [UInt8] { Array(room[..<count]) }
}
