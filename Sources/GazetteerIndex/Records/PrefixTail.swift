import Glibc
import Text

/// The prefix filter in an index file: behind the pages that are SQLite's, which the database's own header counts, so that it can be
/// mapped as it is and is the page cache's memory instead of the daemon's. Words are little-endian; their sum stands behind them and
/// in the database, where it tells a filter from that of another build.
enum PrefixTail {
  /// No machine has larger pages.
  static let alignment = 65_536

  /// 2 GiB, far more than any index needs.
  static let mostWords = 1 << 28

  static func offset(pages: Int, pageSize: Int) -> Int { (pages * pageSize + alignment - 1) / alignment * alignment }

  /// FNV-1a over whole words, made positive for SQLite's sake.
  static func sum(_ words: some Sequence<UInt64>) -> UInt64 {
    words.reduce(FNV1a.seed, FNV1a.extended) >> 1
  }

  /// Writes the words and their sum to a file; throws `errno`.
  static func write(_ words: [UInt64], to file: Int32, at offset: Int) throws(BuildFailure) {
    var place = offset
    // Piece by piece: the words of ten million places are 128 MiB, and need not be there twice.
    for start in stride(from: 0, to: words.count, by: 65_536) {
      try write(words[start..<min(start + 65_536, words.count)], to: file, at: &place)
    }
    try write([sum(words)], to: file, at: &place)
  }

  private static func write(_ words: ArraySlice<UInt64>, to file: Int32, at place: inout Int) throws(BuildFailure) {
    let bytes = words.map(\.littleEndian)
    var done = 0
    while done < bytes.count * 8 {
      let written = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(place + done)) }
      guard written > 0 || (written < 0 && errno == EINTR) else { throw .system(written == 0 ? ENOSPC : errno) }
      done += max(0, written)
    }
    place += done
  }
}

/// Words of a file, mapped for reading.
// Invariant: the memory is never written, and unmapped only when nobody has the object.
final class MappedWords: @unchecked Sendable {
  private let start: UnsafeRawPointer
  let count: Int

  /// Nil where the file does not hold them, or where another sum stands behind them.
  init?(path: String, offset: Int, count: Int, sum: UInt64) {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    let bytes = (count + 1) * 8
    // Beyond the end of a file there is no memory but a signal.
    guard count > 0, offset > 0, fstat(file, &status) == 0, Int(status.st_size) >= offset + bytes,
      let memory = mmap(nil, bytes, PROT_READ, MAP_SHARED, file, off_t(offset)), memory != MAP_FAILED
    else { return nil }
    start = UnsafeRawPointer(memory)
    self.count = count
    guard self.sum == sum else { return nil }
  }

  /// The sum that stands behind the words.
  var sum: UInt64 { self[count] }

  deinit { munmap(UnsafeMutableRawPointer(mutating: start), (count + 1) * 8) }

  subscript(index: Int) -> UInt64 { UInt64(littleEndian: start.load(fromByteOffset: index * 8, as: UInt64.self)) }
}
