import Glibc

/// A failed system call on a file: the operation, the path and the error number.
struct FileError: Error, Sendable, Hashable {
  var operation: String
  var path: String
  var code: Int32
  var message: String { "cannot \(operation) \(path): \(String(cString: strerror(code)))" }
}

/// The identity of a file, independent of its name. No other file has the same identity while the file exists or is open.
struct FileID: Sendable, Hashable {
  var device: UInt64
  var inode: UInt64
}

/// Operations on whole files.
enum Files {
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// The identity of the file at a path; nil if there is none.
  static func fileID(_ path: String) throws(FileError) -> FileID? {
    var status = stat()
    if stat(path, &status) == 0 { return FileID(device: UInt64(status.st_dev), inode: UInt64(status.st_ino)) }
    guard errno == ENOENT else { throw FileError(operation: "look at", path: path, code: errno) }
    return nil
  }

  /// The time at which a file's contents or attributes last changed, in seconds since 1970; nil if there is no such file.
  static func changeTime(_ path: String) -> Int? {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_ctim.tv_sec) : nil
  }

  /// Identifies this boot of the machine; empty if the kernel does not report it.
  static var bootID: String {
    let bytes = (try? read("/proc/sys/kernel/random/boot_id", limit: 4_096)) ?? nil
    return String(decoding: (bytes ?? []).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  static func remove(_ path: String) throws(FileError) {
    guard unlink(path) == 0 || errno == ENOENT else { throw FileError(operation: "remove", path: path, code: errno) }
  }

  /// Creates a directory that only its owner can access, if the directory does not exist.
  static func createDirectory(_ path: String) throws(FileError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError(operation: "create", path: path, code: errno) }
  }

  /// The contents of a file; nil if it does not exist. Throws if it is larger than `limit` bytes.
  static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw FileError(operation: "open", path: path, code: errno)
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileError(operation: "read", path: path, code: errno) }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk.prefix(count))
      guard bytes.count <= limit else { throw FileError(operation: "read", path: path, code: EFBIG) }
    }
  }

  /// Replaces a file atomically: after a crash or a power failure, the file has the complete old or new contents.
  static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    let temporary = path + ".new"
    let file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw FileError(operation: "create", path: temporary, code: errno) }
    let failure = write(bytes, to: file) ?? (fsync(file) == 0 ? nil : errno)
    close(file)
    if let failure {
      unlink(temporary)
      throw FileError(operation: "write", path: temporary, code: failure)
    }
    guard Glibc.rename(temporary, path) == 0 else { throw FileError(operation: "replace", path: path, code: errno) }
    syncParentDirectory(of: path)
  }

  /// Writes all bytes. Returns nil, or the error number.
  private static func write(_ bytes: [UInt8], to file: Int32) -> Int32? {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress?.advanced(by: offset), $0.count - offset) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      offset += count
    }
    return nil
  }

  /// Makes a rename or a removal durable. Errors are ignored, because not every file system can sync a directory.
  static func syncParentDirectory(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let file = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { return }
    fsync(file)
    close(file)
  }

  /// Renames a file. Returns false if that fails.
  static func move(_ path: String, to newPath: String) -> Bool { Glibc.rename(path, newPath) == 0 }

  /// The names in a directory, sorted; empty if it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
