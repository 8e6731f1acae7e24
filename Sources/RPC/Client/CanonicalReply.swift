import PlacesKit

/// A reply with a result on one line, exactly as `MessageEncoding` writes it. The beginning and the end of the line show where the result
/// is, so the result need not be scanned. Whether the result is JSON is checked later, when the caller decodes it.
struct CanonicalReply {
  let id: Int64
  /// The range of the result in the bytes.
  let resultRange: Range<Int>
  /// The index after the line break.
  let endIndex: Int

  /// Nil if no reply in this form begins at the index, or if the line has not arrived completely.
  init?(in bytes: Span<UInt8>, from start: Int) {
    let head: StaticString = "{\"jsonrpc\":\"2.0\",\"id\":"
    let key: StaticString = ",\"result\":"
    guard bytes.matches(head, at: start), let end = bytes.index(of: 0x0A, in: start..<bytes.count) else { return nil }
    let digitsStart = start + head.utf8CodeUnitCount
    var (index, id) = (digitsStart, Int64(0))
    // A number of 18 digits always fits into an Int64.
    while index < end, index - digitsStart < 18, bytes[index] &- UInt8(ascii: "0") < 10 {
      id = id * 10 + Int64(bytes[index] - UInt8(ascii: "0"))
      index += 1
    }
    guard index > digitsStart, bytes.matches(key, at: index) else { return nil }
    let resultStart = index + key.utf8CodeUnitCount
    guard resultStart < end - 1, bytes[end - 1] == UInt8(ascii: "}") else { return nil }
    (self.id, resultRange, endIndex) = (id, resultStart..<end - 1, end + 1)
  }
}

/// Splits the bytes that a server sends into canonical replies (`CanonicalReply`) and other JSON texts, such as errors, notifications and
/// replies that arrive in pieces.
///
/// `@unchecked Sendable`: the client's byte stream passes the received bytes on the loop's thread only.
final class ReplyReader: @unchecked Sendable {
  private var frames: FrameBuffer
  private let maximum: Int

  /// - Parameter maximum: the maximum number of bytes of a text.
  init(maximum: Int) {
    self.maximum = maximum
    frames = FrameBuffer(maximum: maximum)
  }

  /// Reads the next bytes.
  /// - Parameters:
  ///   - reply: receives the id and the result of each canonical reply.
  ///   - text: receives each other JSON text.
  /// - Returns: a description of a problem with the bytes; nil if there is none. A text that is too long takes precedence.
  func read(_ bytes: Span<UInt8>, reply: (_ id: Int64, _ result: [UInt8]) -> Void, text: ([UInt8]) -> Void) -> String? {
    var (start, problem) = (0, String?.none)
    while start < bytes.count {
      if frames.isEmpty, let plain = CanonicalReply(in: bytes, from: start) {
        reply(plain.id, bytes.array(in: plain.resultRange))
        start = plain.endIndex
        continue
      }
      // Only one line is appended. Thus the replies after a reply that has arrived in pieces are read as canonical replies again.
      let end = bytes.index(of: 0x0A, in: start..<bytes.count).map { $0 + 1 } ?? bytes.count
      frames.append(bytes.array(in: start..<end))
      start = end
      while let frame = frames.next() {
        switch frame {
        case .text(let bytes): text(bytes)
        case .tooLong: problem = "a reply is longer than \(maximum >> 20) MiB"
        default: problem = problem ?? "the reply is not JSON"
        }
      }
    }
    return problem
  }
}
