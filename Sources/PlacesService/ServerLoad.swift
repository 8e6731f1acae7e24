/// The number of connections, and of requests that wait for their replies.
public struct ServerLoad: Sendable, Hashable {
  public var connections: Int
  public var inFlight: Int

  public init(connections: Int = 0, inFlight: Int = 0) {
    self.connections = connections
    self.inFlight = inFlight
  }
}
