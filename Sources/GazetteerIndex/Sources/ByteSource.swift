import Glibc

/// A source of bytes for an importer.
public protocol ByteSource: AnyObject {
  /// The name of the source in messages, such as a path or `standard input`.
  var name: String { get }
  /// The next chunk; empty at the end.
  func read() throws(GazetteerError) -> [UInt8]
  /// The number of bytes read so far, and the number of all bytes, which is nil if it is not known. For a compressed file, both numbers are
  /// of compressed bytes.
  var position: (done: Int, total: Int?) { get }
}

/// A file or an open stream, read in chunks of 256 KiB. While it waits for input, as from a pipe, it calls `isCancelled` a few times a
/// second; if that returns true, `read` throws `cancelled`.
public final class FileSource: ByteSource {
  public let name: String
  private let descriptor: Int32
  /// Whether `deinit` closes the descriptor.
  private let isOwner: Bool
  /// The chunk that `peek` returned, which the next call of `read` returns again.
  private var peekedChunk: [UInt8]?
  private var readCount = 0
  /// The size of a regular file; nil for a pipe or a device.
  private let total: Int?
  private let isCancelled: () -> Bool

  public convenience init(path: String, isCancelled: @escaping () -> Bool = { false }) throws(GazetteerError) {
    // Without O_NONBLOCK, opening a named pipe blocks until another process opens it for writing.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .source(path: path, reason: String(cString: strerror(errno))) }
    self.init(descriptor: descriptor, name: path, isOwner: true, isCancelled: isCancelled)
  }

  /// Reads from a descriptor such as standard input.
  /// - Parameter isOwner: whether this object closes the descriptor; otherwise the caller does.
  public init(descriptor: Int32, name: String, isOwner: Bool = false, isCancelled: @escaping () -> Bool = { false }) {
    self.descriptor = descriptor
    self.name = name
    self.isOwner = isOwner
    self.isCancelled = isCancelled
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    total = isFile ? Int(status.st_size) : nil
  }

  deinit { if isOwner { close(descriptor) } }

  public var position: (done: Int, total: Int?) { (readCount, total) }

  public func read() throws(GazetteerError) -> [UInt8] {
    if let chunk = peekedChunk.take() { return chunk }
    while true {
      try wait()
      var code: Int32 = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: 256 * 1024) { buffer, count in
        let result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if result < 0 { code = errno }
        count = max(0, result)
      }
      if code == EINTR || code == EAGAIN { continue }
      guard code == 0 else { throw .source(path: name, reason: String(cString: strerror(code))) }
      readCount += chunk.count
      return chunk
    }
  }

  /// The next chunk. The next call of `read` returns it again.
  func peek() throws(GazetteerError) -> [UInt8] {
    let chunk = try read()
    peekedChunk = chunk
    return chunk
  }

  /// Waits until bytes, the end or an error can be read. Throws `cancelled` if the import is cancelled while it waits.
  private func wait() throws(GazetteerError) {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      if isCancelled() { throw .cancelled }
      // Milliseconds: `isCancelled` is called four times a second.
      let ready = poll(&state, 1, 250)
      guard ready == 0 || (ready < 0 && errno == EINTR) else { return }
    }
  }

  /// The bytes of a file. Throws `source` for a file of more than `limit` bytes.
  static func contents(of path: String, limit: Int = 256 << 20) throws(GazetteerError) -> [UInt8] {
    let source = try FileSource(path: path)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(source.total ?? 0, limit))
    while true {
      let chunk = try source.read()
      if chunk.isEmpty { return bytes }
      guard bytes.count + chunk.count <= limit else { throw .source(path: path, reason: "larger than \(limit >> 20) MiB") }
      bytes += chunk
    }
  }
}
