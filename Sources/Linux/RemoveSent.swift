extension [UInt8] {
  /// Removes the first `sentCount` bytes, and sets `sentCount` to 0, if they are more than half of the array. Thus the array is never
  /// larger than twice its unsent bytes, and fewer bytes are moved than were sent. The unsent bytes move to a new array, because an array
  /// never releases capacity.
  public mutating func removeSent(_ sentCount: inout Int) {
    guard sentCount > count / 2 else { return }
    self = Array(self[sentCount...])
    sentCount = 0
  }
}
