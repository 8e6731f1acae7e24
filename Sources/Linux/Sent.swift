extension [UInt8] {
  /// Lets go of the first `sent` bytes once they are more than half: never more bytes than twice what waits are kept, and never more
  /// are moved than were sent. What waits moves into memory of its own size, since an array keeps what it once took.
  public mutating func letGo(sent: inout Int) {
    guard sent > count / 2 else { return }
    self = Array(self[sent...])
    sent = 0
  }
}
