/// A socket as a stream of bytes in both directions on an event loop.
///
/// `@unchecked Sendable`: mutable state is used on the loop's thread only.
public final class ByteStream: StreamHandler, @unchecked Sendable {
  /// The functions that receive the input. Both are called on the loop's thread.
  public struct Receiver: Sendable {
    public var bytes: @Sendable (Span<UInt8>) -> Void
    /// The stream has ended, by the peer, by an error or by `close`; called once.
    public var end: @Sendable () -> Void

    public init(bytes: @escaping @Sendable (Span<UInt8>) -> Void, end: @escaping @Sendable () -> Void) {
      self.bytes = bytes
      self.end = end
    }
  }

  private let loop: EventLoop
  private let receiver: Receiver
  private let unsentLimit: Int
  private var socket: FileDescriptor?
  private var registration: EventLoop.Registration?
  private var unsent: [UInt8] = []
  private var sent = 0
  private var endsAfterSending = false
  /// True until the peer accepts no more bytes.
  private var takesMore = true
  /// True if `unsent` is sent at the end of the loop's round: what is queued within a round is sent by one system call.
  private var sendsLater = false

  /// Nothing is received or sent before `begin`. If the peer leaves more than `unsentLimit` bytes unread, the stream ends.
  public init(
    socket: consuming FileDescriptor, loop: EventLoop, unsentLimit: Int = 8 << 20, receiver: Receiver
  ) {
    self.socket = consume socket
    self.loop = loop
    self.unsentLimit = unsentLimit
    self.receiver = receiver
  }

  /// From any thread: starts to receive.
  public func begin() { loop.enqueue { self.register() } }

  /// From any thread: sends bytes. Successive calls send in order.
  public func send(_ bytes: [UInt8]) { loop.enqueue { self.queue(bytes) } }

  /// From any thread: shuts down the sending side when everything is sent; input is still received.
  public func finishSending() {
    loop.enqueue {
      self.endsAfterSending = true
      self.flush()
    }
  }

  /// From any thread: ends the stream in both directions, after an attempt to send what was queued before.
  public func close() {
    loop.enqueue {
      self.flush()
      self.end()
    }
  }

  public func ready(_ events: EventLoop.Events) {
    if events.isEmpty { sendsLater = false }
    if events.isEmpty || events.contains(.writable) { flush() }
    if unsent.count - sent > unsentLimit { end() }
  }

  public func received(_ bytes: Span<UInt8>) { receiver.bytes(bytes) }

  public func inputEnded(failed: Bool) { end() }

  private func register() {
    guard let number = socket?.number else { return }
    do throws(SystemError) {
      registration = try loop.add(stream: number, self)
      flush()
    } catch { end() }
  }

  private func queue(_ bytes: [UInt8]) {
    guard socket != nil, takesMore, !endsAfterSending else { return }
    unsent.append(contentsOf: bytes)
    guard !sendsLater else { return }
    sendsLater = true
    loop.callAtEndOfRound(self)
  }

  private func flush() {
    while sent < unsent.count {
      switch socket?.send(unsent.span.extracting(sent...)) ?? .end {
      case .bytes(let count): sent += count
      case .later:
        unsent.removeSent(&sent)
        return watchOutput(true)
      case .end, .failed: return stopSending()
      }
    }
    unsent.removeAll(keepingCapacity: unsent.capacity <= 1 << 16)
    sent = 0
    watchOutput(false)
    if endsAfterSending { socket?.finishSending() }
  }

  /// Called if the peer accepts no more bytes. The stream still receives the input that the peer sent before, such as an error message, up
  /// to its end.
  private func stopSending() {
    takesMore = false
    unsent = []
    sent = 0
    watchOutput(false)
  }

  private func watchOutput(_ isFull: Bool) {
    guard let registration else { return }
    loop.change(registration, isFull ? [.readable, .writable] : .readable)
  }

  private func end() {
    guard socket != nil else { return }
    if let registration { loop.remove(registration) }
    registration = nil
    socket = nil
    unsent = []
    receiver.end()
  }
}
