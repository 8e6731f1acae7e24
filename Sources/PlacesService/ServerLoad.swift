/// How many clients and requests there are.
public struct ServerLoad: Sendable, Hashable {
  public var connections: Int
  public var inFlight: Int

  public init(connections: Int = 0, inFlight: Int = 0) {
    self.connections = connections
    self.inFlight = inFlight
  }
}
