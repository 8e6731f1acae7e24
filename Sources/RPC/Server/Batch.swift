/// The replies to one batch, which are sent together when all are complete. A batch is used on the loop's thread only.
final class Batch {
  /// The opening bracket and the replies so far.
  private(set) var bytes: [UInt8] = [UInt8(ascii: "[")]
  /// The number of missing replies. Until `close`, it includes one more, so that the batch is not complete while its requests are read.
  private var missingReplies: Int

  /// Creates a batch whose requests are still being read.
  init() { missingReplies = 1 }

  /// Counts one more missing reply.
  func expectReply() { missingReplies += 1 }

  /// Adds a reply that was missing. A reply that makes the batch too large is replaced with an error.
  func add(_ reply: Reply, id: some Collection<UInt8>, limits: ConnectionLimits) {
    if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
    let start = bytes.count
    MessageEncoding.append(reply, id: id, to: &bytes)
    if bytes.count > limits.replyBytes {
      bytes.removeSubrange(start...)
      MessageEncoding.append(.error(.tooLarge(limits)), id: id, to: &bytes)
    }
    missingReplies -= 1
  }

  /// Records that all requests of the batch were read.
  func close() { missingReplies -= 1 }

  var isComplete: Bool { missingReplies == 0 }
  var isEmpty: Bool { bytes.count == 1 }

  /// The whole reply without the line break.
  var text: [UInt8] { bytes + [UInt8(ascii: "]")] }
}

extension RPCError {
  static func tooLarge(_ limits: ConnectionLimits) -> RPCError {
    .internalError("The reply is larger than \(limits.replyBytes) bytes, which is the limit of `reply_bytes`; request less at once.")
  }
}
