import Linux

extension Connection {
  /// Bytes that the client has not read yet, as far as the kernel did not take them.
  private var unread: Int { output.count - sent }

  /// Queues a reply; a client that leaves too much unread is let go.
  func send(_ reply: Reply, id: some Collection<UInt8>) {
    guard makeRoom() else { return }
    let start = output.count
    Encoding.append(reply, id: id, to: &output)
    if output.count - start > host.options.limits.replyBytes {
      output.removeSubrange(start...)
      Encoding.append(.error(.tooLarge(host.options.limits)), id: id, to: &output)
    }
    output.append(0x0A)
  }

  /// Queues a result that was encoded before.
  func send(known result: [UInt8], id: Span<UInt8>) {
    guard makeRoom() else { return }
    output.append(contentsOf: Encoding.head)
    id.withUnsafeBufferPointer { output.append(contentsOf: $0) }
    output.append(contentsOf: Encoding.resultKey)
    output.append(contentsOf: result)
    output.append(UInt8(ascii: "}"))
    output.append(0x0A)
  }

  /// Queues a message that is whole already, without its line break.
  func send(_ message: [UInt8]) {
    guard makeRoom() else { return }
    output.append(contentsOf: message)
    output.append(0x0A)
  }

  private func makeRoom() -> Bool {
    guard isOpen, !hungUp else { return false }
    guard unread > host.options.limits.unreadBytes else { return true }
    flush()
    guard unread > host.options.limits.unreadBytes else { return isOpen }
    host.log(
      .warning, "slow-client", "closed a connection of user \(caller.user): it left \(unread) bytes of replies unread")
    close()
    return false
  }

  /// Sends what the kernel takes.
  func flush() {
    while isOpen, sent < output.count {
      switch descriptor?.send(output.span.extracting(sent...)) ?? .end {
      case .bytes(let count): sent += count
      case .later: return
      case .end, .failed:
        hungUp = true
        output = []
        sent = 0
        return
      }
    }
    output.removeAll(keepingCapacity: true)
    sent = 0
  }
}
