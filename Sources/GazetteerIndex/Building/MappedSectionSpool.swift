import Glibc
import SQLite

/// The contents of a new index's mapped section, in the layout of `MappedSection`.
struct MappedSectionSpool {
  let columns: IntegerSpool
  /// The words of the filter of prefixes and terms.
  let prefixes: [UInt64]
  /// The blocks of the dictionary of terms.
  let terms: BlobTableSpool

  func size(places: Int) -> MappedSection.Size {
    MappedSection.Size(places: places, prefixes: prefixes.count, blocks: terms.count, blockWords: terms.wordCount)
  }

  /// The checksum of all words.
  func sum() throws -> Int {
    var sum = columns.sum
    for word in prefixes { sum.add(word) }
    try terms.each { words in for word in words { sum.add(word) } }
    return Int(sum.value)
  }

  /// Writes the section.
  /// - Parameters:
  ///   - offset: where the section begins in the file, in bytes.
  ///   - sum: the checksum of all words, which is written after them.
  func write(to file: Int32, at offset: Int, sum: Int) throws {
    var writer = WordWriter(file: file, position: offset)
    try columns.each { words in try writer.write(words) }
    // The filter is written in chunks, because `write` copies its words, and the filter of ten million places takes 128 MiB.
    for start in stride(from: 0, to: prefixes.count, by: 65_536) {
      try writer.write(prefixes[start..<min(start + 65_536, prefixes.count)])
    }
    try terms.each { words in try writer.write(words) }
    try writer.write([UInt64(sum)])
  }
}

/// Writes words to a file, little-endian, one after another.
private struct WordWriter {
  let file: Int32
  /// The offset of the next word, in bytes.
  var position: Int

  /// Throws `BuildFailure.system`.
  mutating func write(_ words: some Collection<UInt64>) throws {
    let words = words.map(\.littleEndian)
    var done = 0
    while done < words.count * 8 {
      let written = words.withUnsafeBytes { pwrite(file, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(position + done)) }
      guard written > 0 || (written < 0 && errno == EINTR) else { throw BuildFailure.system(written == 0 ? ENOSPC : errno) }
      done += max(0, written)
    }
    position += done
  }
}
