import Glibc

/// Where an importer's bytes come from.
public protocol ByteSource: AnyObject {
  /// What to call it in messages, such as a path or `standard input`.
  var name: String { get }
  /// The next piece; empty at the end.
  func read() throws(GazetteerError) -> [UInt8]
  /// Bytes read so far and in all, where that is known, as they lie on the disk.
  var position: (done: Int, total: Int?) { get }
}

/// A file or an open stream, read in pieces of 256 KiB.
public final class FileSource: ByteSource {
  public let name: String
  private let descriptor: Int32
  private let owned: Bool
  private var done = 0
  private let total: Int?

  public init(path: String) throws(GazetteerError) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .source(path: path, reason: String(cString: strerror(errno))) }
    owned = true
    name = path
    total = FileSource.size(descriptor)
  }

  /// Reads from a descriptor that stays the caller's, such as standard input.
  public init(descriptor: Int32, name: String) {
    self.descriptor = descriptor
    owned = false
    self.name = name
    total = FileSource.size(descriptor)
  }

  deinit { if owned { close(descriptor) } }

  private static func size(_ descriptor: Int32) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  public var position: (done: Int, total: Int?) { (done, total) }

  public func read() throws(GazetteerError) -> [UInt8] {
    var code: Int32 = 0
    let piece = [UInt8](unsafeUninitializedCapacity: 256 * 1024) { buffer, count in
      var got: Int
      repeat { got = Glibc.read(descriptor, buffer.baseAddress, buffer.count) } while got < 0 && errno == EINTR
      if got < 0 { code = errno }
      count = max(0, got)
    }
    guard code == 0 else { throw .source(path: name, reason: String(cString: strerror(code))) }
    done += piece.count
    return piece
  }

  /// The whole file; refuses one of more than `limit` bytes.
  static func contents(of path: String, limit: Int = 256 << 20) throws(GazetteerError) -> [UInt8] {
    let source = try FileSource(path: path)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(source.total ?? 0, limit))
    while true {
      let piece = try source.read()
      if piece.isEmpty { return bytes }
      guard bytes.count + piece.count <= limit else { throw .source(path: path, reason: "larger than \(limit >> 20) MiB") }
      bytes += piece
    }
  }
}

/// Bytes that are already here.
public final class MemorySource: ByteSource {
  public let name: String
  private var bytes: [UInt8]
  private let total: Int

  public init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
    total = bytes.count
  }

  public var position: (done: Int, total: Int?) { (total - bytes.count, total) }

  public func read() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }
}
