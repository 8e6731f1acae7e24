import Linux

extension Connection {
  /// The number of bytes of replies that the kernel has not accepted yet, because the client does not read them.
  private var unreadBytes: Int { output.count - sentBytes }

  /// Queues a reply. If the client leaves too many bytes unread, its connection is closed.
  func queueReply(_ reply: Reply, id: some Collection<UInt8>) {
    guard makeRoom() else { return }
    let start = output.count
    MessageEncoding.append(reply, id: id, to: &output)
    if output.count - start > serverLoop.options.limits.replyBytes {
      output.removeSubrange(start...)
      MessageEncoding.append(.error(.tooLarge(serverLoop.options.limits)), id: id, to: &output)
    }
    output.append(0x0A)
  }

  /// Queues a result that was encoded before.
  func queueResult(_ cached: CachedResult, id: Span<UInt8>) {
    if makeRoom() { MessageEncoding.append(cached, id: id, to: &output) }
  }

  /// Queues a message and a line break after it.
  func queueMessage(_ message: [UInt8]) {
    guard makeRoom() else { return }
    output.append(contentsOf: message)
    output.append(0x0A)
  }

  /// Sends output if more than a quarter of the limit for unread bytes is queued. Returns false if the client still leaves more than that
  /// unread; its requests then wait until it has read. The other three quarters are for the replies to requests in flight.
  func reduceUnreadBytes() -> Bool {
    let maxUnreadBytes = serverLoop.options.limits.unreadBytes / 4
    if unreadBytes > maxUnreadBytes { sendOutput() }
    return unreadBytes <= maxUnreadBytes
  }

  /// Makes room for another reply: if more bytes are unread than allowed, sends output. If there are still too many, closes the connection.
  /// Returns false if no reply can be queued.
  private func makeRoom() -> Bool {
    guard isOpen, !isHungUp else { return false }
    guard unreadBytes > serverLoop.options.limits.unreadBytes else { return true }
    sendOutput()
    guard unreadBytes > serverLoop.options.limits.unreadBytes else { return isOpen }
    serverLoop.log(
      .warning, "slow-client", "closed a connection of user \(caller.user): it left \(unreadBytes) bytes of replies unread")
    close()
    return false
  }

  /// Sends as much as the kernel accepts.
  func sendOutput() {
    var hasSent = false
    while isOpen, sentBytes < output.count {
      switch sendUnsentBytes() {
      case .bytes(let count):
        sentBytes += count
        hasSent = true
      case .wouldBlock:
        if hasSent || unreadSince == nil { unreadSince = serverLoop.now }
        return output.removeSent(&sentBytes)
      case .end, .failed:
        isHungUp = true
        // The client may still be connected, for example if the kernel had no memory. It must not wait for the lost output.
        descriptor?.shutDown()
        output = []
        sentBytes = 0
        unreadSince = nil
        return
      }
    }
    output.removeAll(keepingCapacity: true)
    sentBytes = 0
    unreadSince = nil
  }

  private func sendUnsentBytes() -> FileDescriptor.IOResult {
    output.withUnsafeBufferPointer { descriptor?.send($0.span.extracting(sentBytes...)) ?? .end }
  }
}
