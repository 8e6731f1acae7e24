import Glibc

/// Writes the tail of an index file, word after word.
struct MappedSectionWriter {
  private let file: Int32
  private var place: Int

  init(_ file: Int32, at offset: Int) {
    self.file = file
    place = offset
  }

  /// Throws `errno`.
  mutating func write(_ words: some Collection<UInt64>) throws(BuildFailure) {
    let words = words.map(\.littleEndian)
    var done = 0
    while done < words.count * 8 {
      let written = words.withUnsafeBytes { pwrite(file, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(place + done)) }
      guard written > 0 || (written < 0 && errno == EINTR) else { throw .system(written == 0 ? ENOSPC : errno) }
      done += max(0, written)
    }
    place += done
  }
}
