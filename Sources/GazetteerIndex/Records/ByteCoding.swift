/// Writes bytes and numbers. A number is an unsigned LEB128 varint: groups of seven bits, the lowest first, each in a byte whose top bit is
/// set if another group follows.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  mutating func byte(_ value: UInt8) { bytes.append(value) }

  mutating func number(_ value: UInt64) {
    var value = value
    while value >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: value) | 0x80)
      value >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: value))
  }

  /// Writes bytes as they are, without their count.
  mutating func raw(_ value: some Sequence<UInt8>) { bytes.append(contentsOf: value) }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }
}

/// Reads the output of `ByteWriter`. Each method returns nil at the end and for damaged bytes.
struct ByteReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  mutating func byte() -> UInt8? {
    guard position < bytes.endIndex else { return nil }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func number() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while let nextByte = byte() {
      guard shift < 64 else { return nil }
      value |= UInt64(nextByte & 0x7F) << shift
      if nextByte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// Reads `count` bytes.
  mutating func raw(_ count: UInt64) -> ArraySlice<UInt8>? {
    guard count <= UInt64(bytes.endIndex - position) else { return nil }
    let start = position
    position += Int(count)
    return bytes[start..<position]
  }
}
