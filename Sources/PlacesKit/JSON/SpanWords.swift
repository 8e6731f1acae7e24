import Glibc

extension Span<UInt8> {
  /// The eight bytes from an index on as one number, whose lowest byte is the first one. Bytes after the end count as zero. Scanners use
  /// this to read eight bytes at a time.
  @inlinable @inline(__always) public func word(at index: Int) -> UInt64 {
    index >= 0 && index &+ 8 <= count ? load(at: index) : word(atEnd: index)
  }

  @usableFromInline @inline(never) func word(atEnd index: Int) -> UInt64 {
    guard index >= 0, index < count else { return 0 }
    // Loads the last eight bytes, and shifts out the bytes before the index.
    if count >= 8 { return load(at: count - 8) >> UInt64(8 * (index + 8 - count)) }
    return (index..<count).reversed().reduce(0) { $0 << 8 | UInt64(self[$1]) }
  }

  /// The same without a check of the bounds.
  /// - Parameter index: an index followed by at least seven bytes.
  @inlinable @inline(__always) func load(at index: Int) -> UInt64 {
    UInt64(littleEndian: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: index, as: UInt64.self))
  }

  /// One to 16 bytes as one number, whose lowest byte is the first one; nil for an empty or a longer range. Two texts without zero bytes
  /// are equal if and only if their numbers are equal.
  @inlinable @inline(__always) public func packed(in range: Range<Int>) -> UInt128? {
    switch range.count {
    case 1...8: UInt128(word(at: range.lowerBound) & .max >> UInt64(64 - 8 * range.count))
    case 9...16: UInt128(word(at: range.lowerBound)) | UInt128(word(at: range.lowerBound + 8) & .max >> UInt64(128 - 8 * range.count)) << 64
    default: nil
    }
  }

  /// The index of the first byte in a range that equals `byte`; nil if there is none. The range is clamped to the bounds of this span.
  public func index(of byte: UInt8, in range: Range<Int>) -> Int? {
    let range = range.clamped(to: indices)
    return withUnsafeBytes { all in
      guard let start = all.baseAddress, let found = memchr(start + range.lowerBound, Int32(byte), range.count) else { return nil }
      return UnsafeRawPointer(found) - start
    }
  }

  /// True if the array has the same bytes in the same order.
  @inlinable public func equals(_ array: [UInt8]) -> Bool {
    let other = array.span
    guard count == other.count else { return false }
    var index = 0
    while index &+ 8 <= count {
      guard load(at: index) == other.load(at: index) else { return false }
      index &+= 8
    }
    while index < count {
      guard self[index] == other[index] else { return false }
      index &+= 1
    }
    return true
  }
}

extension UInt128 {
  /// Packs a text as `Span.packed` does. The text must have at most 16 bytes.
  @inlinable @inline(__always) public init(packing text: StaticString) {
    self = 0
    for index in 0..<Swift.min(16, text.utf8CodeUnitCount) { self |= UInt128(text.utf8Start[index]) << UInt128(8 * index) }
  }
}
