import EmulatedAPIs
import RPC

/// A call of a method of the daemon that waits for its reply. Use it on the loop's thread only. `@unchecked Sendable`: the closures of the
/// connection that capture it run on the loop's thread.
final class PendingCall: @unchecked Sendable {
  let call: DaemonCall
  /// Receives the params of each `places.partial`.
  let partial: (([UInt8]) -> Void)?
  /// The time at which the call fails if there is no reply, in seconds of the caller's clock.
  let deadline: Double
  /// The client that sent the request, and the request's id; nil before the request is sent.
  var sentRequest: (client: Client, id: Int64)?
  /// The connection that sends the request and receives its reply; nil once the call has ended. The reference is not weak, because Swift
  /// counts the references to an object more slowly once it has weak references.
  var connection: DaemonConnection?
  /// True if the request was sent once more after its connection broke.
  var isRepeated = false
  private var completion: ((DaemonReply) -> Void)?

  init(_ call: DaemonCall, deadline: Double, partial: (([UInt8]) -> Void)?, completion: @escaping (DaemonReply) -> Void) {
    self.call = call
    self.deadline = deadline
    self.partial = partial
    self.completion = completion
  }

  /// True if the call has its reply, or was cancelled.
  var isOver: Bool { completion == nil }

  /// Passes the reply to the completion; further replies are ignored.
  func finish(_ reply: DaemonReply) {
    let completion = self.completion
    self.completion = nil
    completion?(reply)
  }

  /// Ends the call, here and in the daemon. The completion is not called.
  func cancel() {
    guard completion != nil else { return }
    completion = nil
    connection?.remove(self)
    if let sentRequest { sentRequest.client.cancel(sentRequest.id) }
  }
}
