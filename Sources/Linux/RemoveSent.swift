extension [UInt8] {
  /// Removes the first `sent` bytes once they are more than half. So at most twice the bytes that wait are kept, and no more bytes are moved than were
  /// sent. The rest moves into a new array of its own size, because an array never shrinks its memory.
  public mutating func removeSent(_ sent: inout Int) {
    guard sent > count / 2 else { return }
    self = Array(self[sent...])
    sent = 0
  }
}
