import Linux

/// The limits and times of a server.
public struct ServerOptions: Sendable, Hashable {
  /// The limits of one connection.
  public var limits = Limits()
  /// Connections in all.
  public var connections = 12_000
  /// Connections of one user.
  public var connectionsPerUser = 128
  /// Connections that only privileged callers may use, at most an eighth of what the process can serve.
  public var reservedConnections = 32
  /// The number of descriptors that the process may have open. A quarter of them, at most 256, is not for clients.
  public var descriptors = Int(FileDescriptor.limit)
  /// Users whose connections, requests and bytes are not limited, such as root.
  public var uncountedUsers: Set<UInt32> = [0]
  /// Requests of all connections that wait for their replies.
  public var inFlight = 8_192
  /// Requests of one user that wait for their replies.
  public var inFlightPerUser: Int { max(1, inFlight / 8) }
  /// Requests of one user that are read before the other users have their turns.
  public var turnRequests = 64
  /// Bytes of one user that are read before the other users have their turns.
  public var turnBytes = 32 << 10
  /// Seconds in which a request that has begun must be complete.
  public var unfinishedSeconds = 30.0
  /// The limit while connections are scarce.
  public var scarceUnfinishedSeconds = 5.0
  /// Bytes that are held for one user: input that is not processed, parameters of requests in flight, and replies that are not read.
  public var heldBytesPerUser = 16 << 20
  /// The limit for all users, well below the memory limit of the service.
  public var heldBytes = 48 << 20

  public init() {}
}
