import PlacesKit

/// Checks that a provider sends requests only to hosts that the daemon's HTTP function would allow.
struct HostCheck {
  let manifest: Manifest
  let settings: [String: JSONValue]
  let baseURL: String?

  func findings(in requests: [HTTPRequest], subject: String) -> [ConformanceFinding] {
    var findings: [ConformanceFinding] = []
    for request in requests {
      if !allows(request.host) {
        findings.append(ConformanceFinding(.error, subject, "it sends a request to a host that its manifest does not declare"))
      }
      let texts = request.headers.flatMap { [$0.name, $0.value] }
      if texts.contains(where: { $0.utf8.contains(10) || $0.utf8.contains(13) }) {
        findings.append(ConformanceFinding(.error, subject, "a header of its request contains a line break"))
      }
    }
    return Array(Set(findings)).sorted { $0.message < $1.message }
  }

  private func allows(_ host: String?) -> Bool {
    // A request without a host goes to the configured address or to the first host of the manifest.
    guard let host else { return baseURL != nil || !manifest.hosts.isEmpty }
    if manifest.hosts.contains(host.lowercased()) { return true }
    // The host may also be the origin of an address in the settings. If that origin is a template, any host may result from it.
    return manifest.settings.contains { setting in
      guard setting.kind == .url, let address = (settings[setting.name] ?? setting.defaultValue)?.string else { return false }
      return Self.origin(address) == Self.origin(host) || Self.origin(address).contains("{")
    }
  }

  /// The scheme and the authority of an address, in lower case.
  private static func origin(_ address: String) -> String {
    guard let slashes = address.firstRange(of: "://") else { return address.lowercased() }
    return (address[..<slashes.upperBound] + address[slashes.upperBound...].prefix { !"/?#".contains($0) }).lowercased()
  }
}
