import Glibc

/// Reads, writes and shortens files.
enum TextFile {
  /// The error of a system call on a file.
  struct FileError: Error {
    /// The number of the error (errno(3)).
    var number: Int32
    var reason: String { String(cString: strerror(number)) }
  }

  /// The text of a file; nil if the file does not exist.
  static func read(_ path: String) throws(FileError) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw FileError(number: errno)
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileError(number: errno) }
      if count == 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer.prefix(count)
    }
  }

  /// Shortens a file to this number of bytes.
  static func truncate(_ path: String, to length: Int) throws(FileError) {
    guard Glibc.truncate(path, length) == 0 else { throw FileError(number: errno) }
  }

  /// Writes a text at the end of a file. Creates the file if it does not exist.
  static func append(_ text: String, to path: String) throws(FileError) {
    let file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw FileError(number: errno) }
    defer { close(file) }
    try write(Array(text.utf8), to: file)
  }

  /// Writes a file. A new file has the permissions that the umask allows. An existing file keeps its permissions, and its content is
  /// replaced.
  static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    let file = open(path, O_WRONLY | O_TRUNC | O_CREAT | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw FileError(number: errno) }
    defer { close(file) }
    try write(bytes, to: file)
  }

  /// Writes all of the bytes to an open file.
  static func write(_ bytes: [UInt8], to file: Int32) throws(FileError) {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileError(number: errno) }
      bytes = bytes.dropFirst(count)
    }
  }
}
