import PlacesKit

/// The reply to a request: an encoded result, or an error.
public enum Reply: Sendable, Equatable {
  /// One JSON value on one line.
  case result([UInt8])
  case error(RPCError)

  /// The encoded result for a value.
  public static func value(_ value: JSONValue) -> Reply { .result(value.bytes) }
}

/// An encoded result that the server can send as the reply to several requests.
public final class CachedResult: Sendable {
  /// The bytes of a reply after the id, including the line break.
  let tail: [UInt8]

  /// - Parameter result: one JSON value on one line.
  public init(_ result: [UInt8]) { tail = MessageEncoding.resultKey + result + Array("}\n".utf8) }

  /// The number of bytes of the reply after the id, including the line break.
  public var count: Int { tail.count }

  /// The result without the other members of the reply.
  public var result: [UInt8] { Array(tail.dropFirst(MessageEncoding.resultKey.count).dropLast(2)) }
}

/// Encodes messages, without the line break that ends a message unless a function states otherwise.
public enum MessageEncoding {
  /// Appends the reply to a request with this id (JSON bytes).
  public static func append(_ reply: Reply, id: some Collection<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: head)
    bytes.append(contentsOf: id)
    switch reply {
    case .result(let result):
      bytes.append(contentsOf: resultKey)
      bytes.append(contentsOf: result)
      bytes.append(UInt8(ascii: "}"))
    case .error(let error):
      bytes.append(contentsOf: errorKey)
      append(error, to: &bytes)
      bytes.append(UInt8(ascii: "}"))
    }
  }

  /// Appends the reply to a request with this id (JSON bytes), and its line break.
  static func append(_ cached: CachedResult, id: Span<UInt8>, to bytes: inout [UInt8]) {
    // The capacity for all three parts is reserved at once.
    bytes.append(addingCapacity: head.count + id.count + cached.tail.count) { room in
      room.withUnsafeMutableBufferPointer { (room, count) in
        guard let start = UnsafeMutableRawPointer(room.baseAddress) else { return }
        head.withUnsafeBytes { start.place($0, &count) }
        id.withUnsafeBytes { start.place($0, &count) }
        cached.tail.withUnsafeBytes { start.place($0, &count) }
      }
    }
  }

  /// A request, or a notification if the id is nil; params are JSON bytes.
  public static func request(id: RequestID?, method: String, params: [UInt8]?) -> [UInt8] {
    var writer = JSONWriter(reserving: 96 + (params?.count ?? 0))
    writer.object { writer in
      writer.member("jsonrpc", "2.0")
      if let id {
        writer.key("id")
        writer.raw(id.raw)
      }
      writer.member("method", method)
      if let params {
        writer.key("params")
        writer.raw(params)
      }
    }
    return writer.bytes
  }

  private static func append(_ error: RPCError, to bytes: inout [UInt8]) {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("code", error.code)
      writer.member("message", error.message)
      if let data = error.data { writer.member("data", data) }
    }
    bytes.append(contentsOf: writer.bytes)
  }

  static let head = Array("{\"jsonrpc\":\"2.0\",\"id\":".utf8)
  static let resultKey = Array(",\"result\":".utf8)
  private static let errorKey = Array(",\"error\":".utf8)
}

extension UnsafeMutableRawPointer {
  /// Copies bytes to the offset `count`, and adds their number to it. The destination must have room for them.
  @inline(__always) fileprivate func place(_ bytes: UnsafeRawBufferPointer, _ count: inout Int) {
    if let source = bytes.baseAddress { (self + count).copyMemory(from: source, byteCount: bytes.count) }
    count &+= bytes.count
  }
}
