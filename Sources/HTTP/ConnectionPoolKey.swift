import PlacesKit

/// Identifies the pool of connections that a request may use. All connections of a pool are opened under the same rules, because addresses
/// and certificates are checked only when a connection is opened.
struct ConnectionPoolKey: Hashable, Sendable {
  /// The id of the provider instance.
  var instance: String
  /// The service's key; nil if the request carries none.
  var key: String?
  var allowsPrivateAddresses: Bool
  /// The maximum number of connections to one host; nil for the client's default.
  var maxConnectionsPerHost: Int?
  /// The version of the CA file, because libcurl reads the file again only after a day; nil for the system's authorities.
  var authorities: FileIdentity?
}
