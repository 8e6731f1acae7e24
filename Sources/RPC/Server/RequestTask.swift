import Linux
import PlacesKit

/// Identifies a request for as long as the server runs.
struct RequestNumber: Hashable, Sendable {
  var connection: UInt64
  /// The number of the request in its connection.
  var serial: UInt64
}

/// A request from its arrival to its reply.
final class RequestTask: Sendable {
  let number: RequestNumber
  let request: Request
  let context: RequestContext
  private let deliver: @Sendable (Reply) -> Void
  private let cancelSignal = CancelSignal()

  init(_ number: RequestNumber, _ request: Request, _ context: RequestContext, deliver: @escaping @Sendable (Reply) -> Void) {
    self.number = number
    self.request = request
    self.context = context
    self.deliver = deliver
  }

  /// Runs the handler in the calling task and sends its reply.
  func run(_ handler: some RequestHandler) async {
    deliver(await cancelSignal.during { await handler.reply(to: request, context: context) })
  }

  /// Cancels the task, or, if it has not begun, as soon as it begins. The task's cancellation handlers run in this call.
  func cancel() { cancelSignal.fire() }
}
