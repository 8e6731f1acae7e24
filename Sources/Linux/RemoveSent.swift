extension [UInt8] {
  /// Removes the first `sentCount` bytes if they are more than half of the array, and then sets `sentCount` to 0. Thus the array is never
  /// larger than twice its unsent bytes, and fewer bytes are moved than were sent. The unsent bytes are copied to a new array, because
  /// removing bytes from an array frees no memory.
  public mutating func removeSent(_ sentCount: inout Int) {
    guard sentCount > count / 2 else { return }
    self = Array(self[sentCount...])
    sentCount = 0
  }
}
