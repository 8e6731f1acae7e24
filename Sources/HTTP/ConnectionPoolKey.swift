import PlacesKit

/// Which connections a request may use: those that were opened under the same rules, because addresses and certificates are looked at only
/// when a connection is made.
struct ConnectionPoolKey: Hashable, Sendable {
  var instance: String
  var key: String?
  var allowsPrivateAddresses: Bool
  /// Connections to one host; nil for as many as the client's limits say.
  var connections: Int?
  /// Of a file that is there, since libcurl reads one anew only after a day; nil for the system's authorities.
  var authorities: FileIdentity?
}
