import PlacesAPI

/// The program's version.
enum Version {
  static let text = Release.version
  static let protocolText = "\(ServiceInfo.ProtocolVersion.current.major).\(ServiceInfo.ProtocolVersion.current.minor)"
}
