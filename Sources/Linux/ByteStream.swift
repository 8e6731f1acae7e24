/// Sends and receives bytes on a socket, on the thread of an event loop.
///
/// `@unchecked Sendable`: mutable state is used on the loop's thread only.
public final class ByteStream: StreamHandler, @unchecked Sendable {
  /// The functions that receive the input. Both are called on the loop's thread.
  public struct Receiver: Sendable {
    /// Called with bytes that have arrived.
    public var bytes: @Sendable (Span<UInt8>) -> Void
    /// Called once when the stream has ended, by the peer, by an error or by `close`.
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
  /// Queued bytes, of which the first `sentCount` were sent.
  private var unsentBytes: [UInt8] = []
  private var sentCount = 0
  private var endsAfterSending = false
  /// True as long as the peer accepts bytes.
  private var peerAcceptsBytes = true
  /// True if `unsentBytes` will be sent at the end of the loop's round. Thus one system call sends all bytes that are queued in a round.
  private var isSendPlanned = false

  /// Creates a stream that receives nothing before `begin`.
  /// - Parameter unsentLimit: the maximum number of queued bytes. If there are more, because the peer reads too slowly, the stream ends.
  public init(
    socket: consuming FileDescriptor, loop: EventLoop, unsentLimit: Int = 8 << 20, receiver: Receiver
  ) {
    self.socket = consume socket
    self.loop = loop
    self.unsentLimit = unsentLimit
    self.receiver = receiver
  }

  // The next four functions may be called from any thread.

  /// Starts to watch the socket.
  public func begin() { loop.enqueue { self.register() } }

  /// Queues bytes, which are sent in the order of the calls. Bytes are dropped after `finishSending` or `close`, and if sending has failed.
  public func send(_ bytes: [UInt8]) { loop.enqueue { self.queue(bytes) } }

  /// Shuts down the sending side when all queued bytes are sent. Input is still received.
  public func finishSending() {
    loop.enqueue {
      self.endsAfterSending = true
      self.flush()
    }
  }

  /// Ends the stream in both directions. Sends the queued bytes first, as far as the socket accepts them without blocking.
  public func close() {
    loop.enqueue {
      self.flush()
      self.endStream()
    }
  }

  public func ready(_ events: EventLoop.Events) {
    // The call at the end of the round, which `queue` requested, has no events.
    if events.isEmpty { isSendPlanned = false }
    if events.isEmpty || events.contains(.writable) { flush() }
    if unsentBytes.count - sentCount > unsentLimit { endStream() }
  }

  public func received(_ bytes: Span<UInt8>) { receiver.bytes(bytes) }

  public func inputEnded(failed: Bool) { endStream() }

  private func register() {
    guard let number = socket?.number else { return }
    do throws(SystemError) {
      registration = try loop.add(stream: number, self)
      flush()
    } catch { endStream() }
  }

  private func queue(_ bytes: [UInt8]) {
    guard socket != nil, peerAcceptsBytes, !endsAfterSending else { return }
    unsentBytes.append(contentsOf: bytes)
    guard !isSendPlanned else { return }
    isSendPlanned = true
    loop.callAtEndOfRound(self)
  }

  /// Sends queued bytes until all are sent or the socket's send buffer is full.
  private func flush() {
    while sentCount < unsentBytes.count {
      switch socket?.send(unsentBytes.span.extracting(sentCount...)) ?? .end {
      case .bytes(let count): sentCount += count
      case .wouldBlock:
        unsentBytes.removeSent(&sentCount)
        return watchOutput(true)
      case .end, .failed: return stopSending()
      }
    }
    unsentBytes.removeAll(keepingCapacity: unsentBytes.capacity <= 1 << 16)
    sentCount = 0
    watchOutput(false)
    if endsAfterSending { socket?.finishSending() }
  }

  /// Drops the queued bytes, because the peer accepts no more. The stream still receives bytes that the peer has sent, such as an error
  /// message.
  private func stopSending() {
    peerAcceptsBytes = false
    unsentBytes = []
    sentCount = 0
    watchOutput(false)
  }

  /// Watches the socket for input and, if its send buffer is full, also for free space in that buffer.
  private func watchOutput(_ isBlocked: Bool) {
    guard let registration else { return }
    loop.change(registration, isBlocked ? [.readable, .writable] : .readable)
  }

  private func endStream() {
    guard socket != nil else { return }
    if let registration { loop.remove(registration) }
    registration = nil
    socket = nil
    unsentBytes = []
    receiver.end()
  }
}
