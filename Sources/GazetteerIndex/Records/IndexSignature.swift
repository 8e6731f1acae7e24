import Glibc

/// Recognises an index file by its header, even if the rest is damaged. Builders overwrite no other file, and readers suggest a build for
/// no other file.
enum IndexSignature {
  /// Whether an index may be written there: there is an index, an empty file or nothing.
  static func mayBeReplaced(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return true }
    return status.st_mode & S_IFMT == S_IFREG && (status.st_size == 0 || isAt(path))
  }

  /// Whether the file begins with the header of an SQLite database with the gazetteer's application id (https://www.sqlite.org/fileformat.html, 1.3).
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
