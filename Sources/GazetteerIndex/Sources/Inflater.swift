import CZlib

/// Inflates a stream of bytes (RFC 1950, 1951, 1952) in chunks.
final class Inflater {
  /// The raw values are zlib's `windowBits` for the largest window, 15: plus 32 to recognise a header, negative if there is none.
  enum Format: Int32 {
    /// zlib or gzip, recognised by the header.
    case wrapped = 47
    /// Deflate alone, as in zip files.
    case raw = -15
  }

  private var stream = z_stream()
  /// Whether the end of the packed data was reached; for gzip, the end of one member.
  private(set) var isFinished = false
  /// The maximum number of bytes that one call of zlib inflates.
  private static let outputSize = 256 * 1024

  init?(_ format: Format) {
    guard czlib_inflate_init(&stream, format.rawValue) == Z_OK else { return nil }
  }

  deinit { inflateEnd(&stream) }

  /// Inflates a chunk of input. Returns the inflated bytes and, if the stream ends in this chunk, the input after its end. Nil for damaged
  /// input.
  func inflate(_ input: [UInt8]) -> (bytes: [UInt8], unused: ArraySlice<UInt8>)? {
    var input = input
    var bytes: [UInt8] = []
    var unusedCount = input.count
    var isSound = true
    input.withUnsafeMutableBufferPointer { buffer in
      stream.next_in = buffer.baseAddress
      stream.avail_in = UInt32(clamping: buffer.count)
      repeat {
        let chunk = [UInt8](unsafeUninitializedCapacity: Inflater.outputSize) { output, count in
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(clamping: output.count)
          let code = CZlib.inflate(&stream, Z_NO_FLUSH)
          count = output.count - Int(stream.avail_out)
          isFinished = code == Z_STREAM_END
          isSound = code == Z_OK || code == Z_STREAM_END || (code == Z_BUF_ERROR && stream.avail_in == 0)
        }
        bytes += chunk
      } while isSound && !isFinished && (stream.avail_in > 0 || stream.avail_out == 0)
      unusedCount = Int(stream.avail_in)
      stream.next_in = nil
      stream.avail_in = 0
    }
    return isSound ? (bytes, input[(input.count - unusedCount)...]) : nil
  }

  /// Begins again with the next gzip member.
  func restart() {
    inflateReset(&stream)
    isFinished = false
  }
}

/// Unpacks the bytes of a gzip file, which may have several members.
final class GzipSource: ByteSource {
  private let packed: any ByteSource
  private let inflater: Inflater
  /// Input that was read but not inflated yet.
  private var pending: [UInt8] = []
  private var isAtEnd = false

  var name: String { packed.name }
  var position: (done: Int, total: Int?) { packed.position }

  init(_ packed: any ByteSource) throws(GazetteerError) {
    guard let inflater = Inflater(.wrapped) else {
      throw .source(path: packed.name, reason: "cannot unpack the gzip data: not enough memory")
    }
    self.packed = packed
    self.inflater = inflater
  }

  func read() throws(GazetteerError) -> [UInt8] {
    while !isAtEnd {
      if pending.isEmpty {
        pending = try packed.read()
        if pending.isEmpty {
          isAtEnd = true
          guard inflater.isFinished else { throw .source(path: name, reason: "the gzip data ends too early") }
          break
        }
      }
      if inflater.isFinished { inflater.restart() }
      guard let (bytes, unused) = inflater.inflate(pending) else { throw .source(path: name, reason: "the gzip data is damaged") }
      pending = Array(unused)
      if !bytes.isEmpty { return bytes }
    }
    return []
  }
}
