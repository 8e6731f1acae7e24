import Linux

/// The limits and times of a server.
public struct ServerOptions: Sendable, Hashable {
  /// The limits of one connection.
  public var limits = ConnectionLimits()
  /// The maximum number of connections.
  public var connections = 12_000
  /// The maximum number of connections of one user.
  public var connectionsPerUser = 128
  /// The number of connections that only privileged callers may use. At most an eighth of all possible connections are reserved.
  public var reservedConnections = 32
  /// The number of descriptors that the process may have open. A quarter of them, at most 256, is not used for clients.
  public var descriptors = Int(FileDescriptor.limit)
  /// Users whose connections, requests and bytes are not limited, such as root.
  public var unlimitedUsers: Set<UInt32> = [0]
  /// The maximum number of requests that wait for their replies, and of notifications that are being handled, on all connections together.
  public var inFlight = 8_192
  /// The maximum for one user: an eighth, so that one user cannot use up the maximum for all.
  public var inFlightPerUser: Int { max(1, inFlight / 8) }
  /// The maximum number of requests of one user that are read in one turn (`ServerLoop.turn`).
  public var turnRequests = 64
  /// The maximum number of bytes of one user that are read in one turn.
  public var turnBytes = 32 << 10
  /// The maximum number of bytes of large messages, of all users together, that end in one turn. A message longer than `turnBytes` is
  /// large: it is parsed as a whole when its end arrives. If a message exceeds this maximum, the excess is deducted from the next turns.
  public var turnLargeMessageBytes = 256 << 10
  /// The minimum length of a turn in seconds while several users are active.
  public var turnSeconds = 0.001
  /// The seconds in which a request that has begun must be complete.
  public var receiveTimeoutSeconds = 30.0
  /// The seconds in which a request that has begun must be complete, and in which a client must read a part of the queued output, while
  /// connections are scarce.
  public var scarceReceiveTimeoutSeconds = 5.0
  /// The maximum number of bytes that are held for one user: input that was not processed, parameters of requests in flight, and replies
  /// that were not read.
  public var heldBytesPerUser = 16 << 20
  /// The maximum number of bytes that are held for all users. It is well below the memory limit of the service (MemoryMax=).
  public var heldBytes = 48 << 20
  /// A user for whom no more bytes than this are held is not affected by `heldBytes`, so that other users cannot lock that user out.
  public var reservedHeldBytes = 64 << 10

  public init() {}

  /// Only descriptors below this number are used for clients. POSIX gives a new descriptor the lowest free number, so the numbers above
  /// remain for other uses.
  var clientDescriptors: Int { descriptors - min(256, descriptors / 4) }
  /// The number of connections that are reserved for privileged callers.
  var privilegedConnections: Int { min(reservedConnections, min(connections, clientDescriptors) / 8) }

  /// The minimum of `descriptors` with which every user can connect while the process has this many other descriptors open.
  public func requiredDescriptors(beside openDescriptors: Int) -> Int {
    var options = self
    options.descriptors = openDescriptors
    while openDescriptors >= options.clientDescriptors - options.privilegedConnections { options.descriptors += 1 }
    return options.descriptors
  }
}
