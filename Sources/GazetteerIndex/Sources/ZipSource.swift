import CZlib

/// Unpacks one file of a zip archive (PKWARE APPNOTE 6.3: central directory, stored or deflated; no encryption, no ZIP64). The numbers in
/// the code are sizes of, and offsets in, the local header (4.3.7), the entries of the directory (4.3.12), and the end record (4.3.16).
final class ZipSource: ByteSource {
  let name: String
  /// The packed bytes that were not read yet.
  private var packed: ArraySlice<UInt8>
  /// The number of packed bytes.
  private let total: Int
  /// Nil for a file that is stored without compression.
  private let inflater: Inflater?
  private let entry: Entry
  /// The number of unpacked bytes so far and their CRC-32. At the end they must match those in the archive.
  private var unpacked = (size: 0, checksum: CZlib.crc32(0, nil, 0))

  var position: (done: Int, total: Int?) { (total - packed.count, total) }

  /// Opens the largest `.txt` file of the archive that is not a readme file. This is the data of a GeoNames dump.
  init(_ bytes: [UInt8], name: String) throws(GazetteerError) {
    let entries = try ZipSource.directory(bytes, name: name)
    let textFiles = entries.filter { $0.name.lowercased().hasSuffix(".txt") && !$0.name.lowercased().contains("readme") }
    guard let entry = textFiles.max(by: { $0.unpackedSize < $1.unpackedSize }) else {
      throw .source(path: name, reason: "the archive contains no .txt file")
    }
    guard let localHeader = bytes[checked: entry.offset, 30], localHeader.number(0, 4) == 0x0403_4b50 else { throw ZipSource.damaged(name) }
    let start = entry.offset + 30 + localHeader.number(26, 2) + localHeader.number(28, 2)
    guard let packed = bytes[checked: start, entry.packedSize] else { throw ZipSource.damaged(name) }
    switch entry.method {
    case 0: inflater = nil
    case 8: inflater = Inflater(.raw)
    default: throw .source(path: name, reason: "compression method \(entry.method) of \(entry.name) is not supported")
    }
    self.name = "\(name)(\(entry.name))"
    self.packed = packed
    self.entry = entry
    total = packed.count
  }

  func read() throws(GazetteerError) -> [UInt8] {
    while !packed.isEmpty {
      let chunk = Array(packed.prefix(256 * 1024))
      packed = packed.dropFirst(chunk.count)
      guard let bytes = inflater == nil ? chunk : inflater?.inflate(chunk)?.bytes else { throw ZipSource.damaged(name) }
      unpacked = (unpacked.size + bytes.count, CZlib.crc32(unpacked.checksum, bytes, UInt32(clamping: bytes.count)))
      let isComplete = (inflater?.isFinished ?? true) && unpacked.size == entry.unpackedSize && unpacked.checksum == UInt(entry.checksum)
      if packed.isEmpty, !isComplete { throw ZipSource.damaged(name) }
      if !bytes.isEmpty { return bytes }
    }
    return []
  }

  /// An entry of the central directory. `checksum` is a CRC-32; `offset` is that of the local header.
  private struct Entry {
    var name: String
    var method, checksum, packedSize, unpackedSize, offset: Int
  }

  private static func damaged(_ name: String) -> GazetteerError { .source(path: name, reason: "the zip archive is damaged") }

  /// The entries of the central directory.
  private static func directory(_ bytes: [UInt8], name: String) throws(GazetteerError) -> [Entry] {
    // The end record is the last record of the file. Only a comment of at most 65,535 bytes may follow it.
    let signature: [UInt8] = [0x50, 0x4b, 0x05, 0x06]
    var end = bytes.count - 22
    let lowest = max(0, end - 65_535)
    while end >= lowest, end >= 0, !bytes[end..<(end + 4)].elementsEqual(signature) { end -= 1 }
    guard end >= lowest, end >= 0, let record = bytes[checked: end, 22] else { throw damaged(name) }
    var offset = record.number(16, 4)
    var entries: [Entry] = []
    for _ in 0..<record.number(10, 2) {
      guard let header = bytes[checked: offset, 46], header.number(0, 4) == 0x0201_4b50,
        let nameBytes = bytes[checked: offset + 46, header.number(28, 2)]
      else { throw damaged(name) }
      entries.append(
        Entry(
          name: String(decoding: nameBytes, as: UTF8.self), method: header.number(10, 2), checksum: header.number(16, 4),
          packedSize: header.number(20, 4), unpackedSize: header.number(24, 4), offset: header.number(42, 4)))
      offset += 46 + header.number(28, 2) + header.number(30, 2) + header.number(32, 2)
    }
    return entries
  }
}

extension [UInt8] {
  /// A range of bytes; nil if it is not inside the array.
  subscript(checked offset: Int, count: Int) -> ArraySlice<UInt8>? {
    guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else { return nil }
    return self[offset..<(offset + count)]
  }
}

extension ArraySlice<UInt8> {
  /// A little-endian number of at most eight bytes at an offset within the slice; 0 if it is not inside the slice.
  func number(_ offset: Int, _ size: Int) -> Int {
    guard offset >= 0, offset + size <= count else { return 0 }
    return (0..<size).reduce(0) { $0 | Int(truncatingIfNeeded: UInt64(self[startIndex + offset + $1]) << ($1 * 8)) }
  }
}
