import Linux

extension Connection {
  /// The number of bytes of replies that the kernel has not accepted yet, because the client does not read them.
  private var unread: Int { output.count - sent }

  /// Queues a reply. If the client leaves too many bytes unread, its connection is closed.
  func send(_ reply: Reply, id: some Collection<UInt8>) {
    guard makeRoom() else { return }
    let start = output.count
    MessageEncoding.append(reply, id: id, to: &output)
    if output.count - start > host.options.limits.replyBytes {
      output.removeSubrange(start...)
      MessageEncoding.append(.error(.tooLarge(host.options.limits)), id: id, to: &output)
    }
    output.append(0x0A)
  }

  /// Queues a result that was encoded before.
  func send(_ cached: CachedResult, id: Span<UInt8>) {
    if makeRoom() { MessageEncoding.append(cached, id: id, to: &output) }
  }

  /// Queues a message, which has no line break.
  func send(_ message: [UInt8]) {
    guard makeRoom() else { return }
    output.append(contentsOf: message)
    output.append(0x0A)
  }

  /// True if the unread replies take at most a quarter of their limit. Otherwise the client's requests wait until it has read more.
  func readsReplies() -> Bool {
    let most = host.options.limits.unreadBytes / 4
    if unread > most { flush() }
    return unread <= most
  }

  /// Sends output if there is too much. Returns false if nothing can be queued; if there is still too much output, closes the connection.
  private func makeRoom() -> Bool {
    guard isOpen, !isHungUp else { return false }
    guard unread > host.options.limits.unreadBytes else { return true }
    flush()
    guard unread > host.options.limits.unreadBytes else { return isOpen }
    host.log(
      .warning, "slow-client", "closed a connection of user \(caller.user): it left \(unread) bytes of replies unread")
    close()
    return false
  }

  /// Sends as much as the kernel accepts.
  func flush() {
    while isOpen, sent < output.count {
      switch sendRest() {
      case .bytes(let count): sent += count
      case .later: return output.removeSent(&sent)
      case .end, .failed:
        isHungUp = true
        // The client may still be connected, for example if the kernel had no memory. It must not wait for the lost output.
        descriptor?.shutDown()
        output = []
        sent = 0
        return
      }
    }
    output.removeAll(keepingCapacity: true)
    sent = 0
  }

  private func sendRest() -> FileDescriptor.Transfer {
    output.withUnsafeBufferPointer { descriptor?.send($0.span.extracting(sent...)) ?? .end }
  }
}
