import Linux
import PlacesKit
import Synchronization

/// A connection to a server, on which many tasks can make calls at once. It also receives the server's notifications.
public final class Client: Sendable {
  private let loop: EventLoop
  private let ownsLoop: Bool
  private let calls = PendingCalls()
  private let stream: ByteStream
  /// The server's notifications, in the order of their arrival. The sequence supports one reader. If more than 256 notifications wait, the
  /// oldest are dropped.
  public let notifications: AsyncStream<Request>

  /// Connects to a Unix socket.
  /// - Parameters:
  ///   - loop: the loop that the client uses; nil for a new one.
  ///   - onNotification: receives the notifications on the loop's thread, before the replies that arrive after them; nil to send them to
  ///     `notifications`.
  public convenience init(
    connectingTo path: String, loop: EventLoop? = nil, onNotification: (@Sendable (Request) -> Void)? = nil
  ) throws(RPCClientError) {
    do throws(SystemError) {
      try self.init(over: FileDescriptor.connect(to: path), loop: loop, onNotification: onNotification)
    } catch { throw .unreachable(error) }
  }

  /// Creates a client that uses a connected socket.
  public init(
    over socket: consuming FileDescriptor, loop: EventLoop? = nil, onNotification: (@Sendable (Request) -> Void)? = nil
  ) throws(SystemError) {
    if let loop {
      self.loop = loop
    } else {
      self.loop = try EventLoop(name: "rpc-client")
      try self.loop.start()
    }
    ownsLoop = loop == nil
    let (notifications, continuation) = AsyncStream.makeStream(of: Request.self, bufferingPolicy: .bufferingNewest(256))
    self.notifications = notifications
    let reader = ReplyReader(maximum: Client.maxReplyBytes)
    let calls = self.calls
    let onNotification = onNotification ?? { continuation.yield($0) }
    stream = ByteStream(
      socket: socket, loop: self.loop,
      receiver: .init(
        bytes: { bytes in
          let problem = reader.read(bytes) {
            calls.answer($0, .success($1))
          } text: {
            Client.receive($0, calls, onNotification)
          }
          // The call of the damaged reply is not known. It would wait until its time limit. Therefore all calls end with this error.
          if let problem {
            calls.close(.badReply(problem))
            continuation.finish()
          }
        },
        end: {
          calls.close()
          continuation.finish()
        }))
    stream.begin()
  }

  /// The maximum number of bytes of a reply: the greatest value that `reply_bytes` may have in the configuration of the daemon.
  static let maxReplyBytes = 64 << 20

  deinit { close() }

  /// Closes the connection. Calls that wait fail with `closed` or, if the server's latest message was an error without a request id, with
  /// that error.
  public func close() {
    stream.close()
    if ownsLoop { loop.stop() }
  }

  /// Calls a method and returns the bytes of its result. If the calling task is cancelled, or no reply arrives within `seconds`, asks the
  /// server to cancel the call.
  /// - Parameters:
  ///   - params: JSON bytes; nil for none.
  ///   - onStart: receives the call's id, which partial answers contain, before the call is sent.
  public func call(
    _ method: String, params: [UInt8]? = nil, seconds: Double = 60, onStart: (Int64) -> Void = { _ in }
  ) async throws(RPCClientError) -> [UInt8] {
    let id = calls.newID()
    onStart(id)
    let timeLimit = TimeLimit(loop)
    defer { timeLimit.cancel() }
    let outcome: PendingCalls.Outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        begin(id, method, params) { continuation.resume(returning: $0) }
        timeLimit.set(seconds) { [weak self] in self?.giveUp(id, .timedOut(seconds)) }
        // If the cancellation handler ran before the call began, it had no effect, so the call is cancelled here.
        if Task.isCancelled { giveUp(id, .cancelled) }
      }
    } onCancel: {
      giveUp(id, .cancelled)
    }
    return try outcome.get()
  }

  /// Calls a method without a task and without a time limit.
  /// - Parameter completion: receives the bytes of the result or the error, once. It is called on the loop's thread if a reply arrives or
  ///   the connection ends, by `cancel` if the call is cancelled, and by this function if the connection is already closed.
  /// - Returns: the call's id, which partial answers contain.
  @discardableResult public func start(
    _ method: String, params: [UInt8]? = nil, completion: @escaping @Sendable (Result<[UInt8], RPCClientError>) -> Void
  ) -> Int64 {
    let id = calls.newID()
    begin(id, method, params, completion)
    return id
  }

  /// Ends a call with `cancelled` and asks the server to cancel it.
  public func cancel(_ id: Int64) { giveUp(id, .cancelled) }

  private func begin(_ id: Int64, _ method: String, _ params: [UInt8]?, _ completion: @escaping PendingCalls.Completion) {
    guard calls.begin(id, completion) else { return }
    send(MessageEncoding.request(id: RequestID(id), method: method, params: params))
  }

  private func send(_ text: consuming [UInt8]) {
    text.append(0x0A)
    stream.send(text)
  }

  /// Sends a notification.
  public func notify(_ method: String, params: [UInt8]? = nil) {
    send(MessageEncoding.request(id: nil, method: method, params: params))
  }

  /// Ends a call on this side, and asks the server to cancel it. Does nothing if the call has already ended.
  private func giveUp(_ id: Int64, _ error: RPCClientError) {
    guard calls.end(id, .failure(error)) else { return }
    notify("$/cancelRequest", params: Array("{\"id\":\(id)}".utf8))
  }

  /// Passes a reply to its call, and a notification to `onNotification`. Ignores all other texts.
  private static func receive(_ text: [UInt8], _ calls: PendingCalls, _ onNotification: @Sendable (Request) -> Void) {
    if let response = RawResponse(text.span) {
      switch (response.id, response.outcome) {
      case (.integer(let id), let outcome): calls.answer(id, outcome)
      case (.null, .failure(let error)): calls.handleErrorWithoutID(error)
      default: break
      }
    } else if case .single(.request(let request)) = IncomingMessages(text.span, limits: ConnectionLimits()), request.id == nil {
      onNotification(request)
    }
  }
}

/// A timer of a loop that is set and cancelled from other threads. `@unchecked Sendable`: `id` is used on the loop's thread only.
private final class TimeLimit: @unchecked Sendable {
  private let loop: EventLoop
  private var id: TimerQueue.ID?

  init(_ loop: EventLoop) { self.loop = loop }

  func set(_ seconds: Double, _ work: @escaping @Sendable () -> Void) { loop.enqueue { self.id = self.loop.after(seconds, work) } }

  func cancel() { loop.enqueue { if let id = self.id { self.loop.cancel(id) } } }
}
