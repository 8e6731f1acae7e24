import PlacesAPI

/// What this program calls itself.
enum Version {
  static let text = "1.0.0"
  static let protocolText = "\(ServiceInfo.ProtocolVersion.current.major).\(ServiceInfo.ProtocolVersion.current.minor)"
}
