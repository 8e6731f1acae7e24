/// How a server treats its clients.
public struct ServerOptions: Sendable, Hashable {
  /// What one connection may ask.
  public var limits = Limits()
  /// Connections in all.
  public var connections = 12_000
  /// Connections of one user.
  public var connectionsPerUser = 128
  /// Users whose connections and requests are not counted, such as root.
  public var uncountedUsers: Set<UInt32> = [0]
  /// Requests of all connections that wait for their replies.
  public var inFlight = 8_192
  /// The share of them that one user may have: half of what the handler works on at once, so that nobody's requests shut out another's.
  public var inFlightPerUser: Int { max(1, inFlight / 8) }
  /// Requests of one connection that are taken up before the others have their turn.
  public var framesPerTurn = 64
  /// Seconds that a client may take to finish a request that it began.
  public var unfinishedSeconds = 30.0
  /// Bytes that all connections of one user may hold here: of requests that are not finished or not taken up, and of replies that are not read.
  public var heldBytesPerUser = 32 << 20
  /// The same of all users, well below the memory that the service may have.
  public var heldBytes = 128 << 20
  /// Event loops, each with a thread.
  public var loops = 1

  public init() {}
}
