import Glibc

/// The whole content of a file, with the owner and mode that determine whether it may be trusted.
struct FileContents {
  static let maxBytes = 1 << 20

  var bytes: [UInt8]
  var access: FileAccess

  /// Reads a regular file of at most 1 MiB.
  init(path: String) throws(UnreadableFile) {
    let (descriptor, status) = try FileContents.openRegularFile(path)
    defer { close(descriptor) }
    access = FileAccess(status)
    bytes = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count == 0 { return }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw UnreadableFile(errno) }
      bytes.append(contentsOf: buffer[..<count])
      guard bytes.count <= FileContents.maxBytes else { throw UnreadableFile("it is larger than 1 MiB") }
    }
  }

  /// The reason why this process cannot open the file, or why it is not a regular file; nil if it can be read. Its size is not checked.
  static func fault(of path: String) -> UnreadableFile? {
    do throws(UnreadableFile) {
      close(try openRegularFile(path).descriptor)
      return nil
    } catch { return error }
  }

  /// Opens a regular file for reading; the caller closes the descriptor.
  private static func openRegularFile(_ path: String) throws(UnreadableFile) -> (descriptor: Int32, status: stat) {
    // Non-blocking, so that a named pipe at this path does not block the daemon.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw UnreadableFile(errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let fault = UnreadableFile(errno)
      close(descriptor)
      throw fault
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw UnreadableFile("it is not a regular file")
    }
    return (descriptor, status)
  }

  /// The names of the folder's files that end in `.toml`, sorted; empty if the folder does not exist.
  static func tomlFiles(in folder: String) throws(UnreadableFile) -> [String] {
    guard let directory = opendir(folder) else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw UnreadableFile(errno)
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.hasSuffix(".toml"), !name.hasPrefix(".") { names.append(name) }
      guard names.count <= 256 else { throw UnreadableFile("it contains more than 256 files") }
    }
    return names.sorted()
  }
}

/// The reason why a file could not be read.
struct UnreadableFile: Error, Equatable {
  /// The system's error number (errno); 0 if the file was rejected for another reason.
  var code: Int32
  var message: String

  init(_ code: Int32) {
    self.code = code
    message = String(cString: strerror(code))
  }

  init(_ message: String) {
    code = 0
    self.message = message
  }
}
