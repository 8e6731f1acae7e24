/// One user's connections, held bytes and turns. It is used on the loop's thread only.
final class UserState {
  let user: UInt32
  /// False for users without limits, such as root.
  let isLimited: Bool
  private(set) var connections: [UInt64: Connection] = [:]
  /// The number of requests and notifications whose tasks have not ended.
  var inFlight = 0
  /// See `ServerOptions.heldBytesPerUser`.
  var heldBytes = 0

  /// The turn for which `remainingRequests` applies.
  private var turn = UInt64.max
  private var remainingRequests = 0
  private var byteBudget = TurnBudget()
  /// The connections that wait for a turn, in the order of these turns.
  private var waitingConnections: [Connection] = []

  init(user: UInt32, isLimited: Bool) {
    self.user = user
    self.isLimited = isLimited
  }

  func add(_ connection: Connection) { connections[connection.number] = connection }

  /// Removes a connection. Returns false if it was already removed.
  func remove(_ connection: Connection) -> Bool {
    waitingConnections.removeAll { $0 === connection }
    return connections.removeValue(forKey: connection.number) != nil
  }

  var isUnused: Bool { connections.isEmpty && inFlight == 0 && heldBytes == 0 }

  // MARK: Turns

  /// The number of bytes that may still be read in this turn; 0 if the user's bytes or requests are used up.
  func remainingBytes(inTurn turn: UInt64, _ options: ServerOptions) -> Int {
    if turn != self.turn { (self.turn, remainingRequests) = (turn, options.turnRequests) }
    let remainingBytes = byteBudget.remaining(inTurn: turn, perTurn: options.turnBytes)
    return remainingRequests > 0 ? remainingBytes : 0
  }

  /// Counts requests and bytes that were read in this turn.
  func charge(_ count: Int, requests: Int) {
    remainingRequests -= requests
    byteBudget.charge(count)
  }

  /// True while this user is in the server's queue of waiting users.
  var isQueued = false

  var hasWaitingConnections: Bool { !waitingConnections.isEmpty }

  func queueForTurn(_ connection: Connection) { waitingConnections.append(connection) }

  /// Removes and returns the connections that wait for a turn.
  func takeWaitingConnections() -> [Connection] { exchange(&waitingConnections, with: []) }

  /// Puts connections that did not get a turn back at the front of the queue.
  func returnWaitingConnections(_ connections: ArraySlice<Connection>) { waitingConnections.insert(contentsOf: connections, at: 0) }
}
