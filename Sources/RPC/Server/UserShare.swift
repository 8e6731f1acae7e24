/// One user's connections, held bytes and turns. It is used on the loop's thread only.
final class UserShare {
  let user: UInt32
  /// False for users such as root.
  let isLimited: Bool
  private(set) var connections: [UInt64: Connection] = [:]
  /// The number of requests that wait for their replies.
  var inFlight = 0
  /// See `ServerOptions.heldBytesPerUser`.
  var heldBytes = 0

  /// The round of the loop in which the two numbers below remain of the budget.
  private var round = UInt64.max
  private var requestsLeft = 0
  private var bytesLeft = 0
  /// The connections that wait for a turn, beginning at `firstWaiting`.
  private var waiting: [Connection] = []
  private var firstWaiting = 0

  init(user: UInt32, isLimited: Bool) {
    self.user = user
    self.isLimited = isLimited
  }

  func add(_ connection: Connection) { connections[connection.number] = connection }

  /// Removes a connection. Returns false if it was already removed.
  func remove(_ connection: Connection) -> Bool { connections.removeValue(forKey: connection.number) != nil }

  var isUnused: Bool { connections.isEmpty && inFlight == 0 && heldBytes == 0 }

  // MARK: Turns

  /// The number of bytes that may still be read in this round of the loop; 0 if the user's turn is over.
  func budget(in round: UInt64, _ options: ServerOptions) -> Int {
    if round != self.round { (self.round, requestsLeft, bytesLeft) = (round, options.turnRequests, options.turnBytes) }
    return requestsLeft > 0 ? max(0, bytesLeft) : 0
  }

  /// Counts what was read in this round.
  func charge(_ bytes: Int, requests: Int) {
    requestsLeft -= requests
    bytesLeft -= bytes
  }

  var isWaiting: Bool { firstWaiting < waiting.count }

  func wait(_ connection: Connection) { waiting.append(connection) }

  /// Removes and returns the connection that has waited longest; nil if none waits.
  func nextWaiting() -> Connection? {
    guard isWaiting else { return nil }
    defer {
      firstWaiting += 1
      if firstWaiting > 32, firstWaiting * 2 > waiting.count {
        waiting.removeFirst(firstWaiting)
        firstWaiting = 0
      }
    }
    return waiting[firstWaiting]
  }
}
