import Synchronization

/// How many bytes connections hold over all loops, so that many connections together cannot have all the memory there is.
final class HeldBytes: Sendable {
  private let room: Mutex<SharedRoom>

  init(_ options: ServerOptions) {
    room = Mutex(SharedRoom(limit: options.heldBytes, perUser: options.heldBytesPerUser, uncounted: options.uncountedUsers))
  }

  var total: Int { room.withLock { $0.total } }

  /// One of the user's connections holds so many bytes more, or fewer. False where it now holds more and that is too much.
  func change(_ user: UInt32, by bytes: Int) -> Bool {
    room.withLock { room in
      room.change(user, by: bytes)
      return bytes <= 0 || room.shortage(of: user, for: 0) == nil
    }
  }
}
