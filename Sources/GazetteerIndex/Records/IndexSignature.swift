import Glibc

/// What tells an index from somebody's other file, however damaged it is behind its beginning: builders write over nothing else, and
/// readers give advice that builders follow.
enum IndexSignature {
  /// Whether an index may be put there: in the place of one, of an empty file, which holds nothing, or where nothing is.
  static func mayBeReplaced(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return true }
    return status.st_mode & S_IFMT == S_IFREG && (status.st_size == 0 || isAt(path))
  }

  /// Whether the file begins as a database of SQLite whose application is the gazetteer (https://www.sqlite.org/fileformat.html, 1.3).
  private static func isAt(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var header = [UInt8](repeating: 0, count: 72)
    guard pread(file, &header, 72, 0) == 72 else { return false }
    let application = header[68...].reduce(0) { $0 << 8 | Int($1) }
    return header.starts(with: "SQLite format 3\0".utf8) && application == IndexSchema.applicationID
  }
}
