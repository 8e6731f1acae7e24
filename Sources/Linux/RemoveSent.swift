extension [UInt8] {
  /// Removes the first `sent` bytes if they are more than half of the array. Thus the array is never larger than twice its unsent bytes,
  /// and fewer bytes are moved than were sent. The unsent bytes move to a new array, because an array never releases capacity.
  public mutating func removeSent(_ sent: inout Int) {
    guard sent > count / 2 else { return }
    self = Array(self[sent...])
    sent = 0
  }
}
