import PlacesKit

/// The network access of one provider instance: the hosts that it may call, the key and the User-Agent. Made from its manifest and its
/// configuration, never by the provider.
public struct HTTPAccess: Sendable {
  /// The instance's id in the configuration.
  public var id: String
  /// Hosts of the manifest, in lower case; requested over https on port 443 only.
  public var hosts: [String]
  /// Replaces every host of the manifest: for a self-hosted server, a gateway, or a test.
  public var baseURL: ServiceURL?
  /// URLs in the instance's settings; a request may name their origins. A `{placeholder}` in a host stands for one label.
  public var configured: [ServiceURL]
  /// The place of the key in a request that does not name another place.
  public var credential: CredentialPlacement
  /// Returns the key; nil if the instance has none. Called once for each request, not on the HTTP thread; it must be fast.
  public var key: @Sendable () throws(ProviderError) -> String?
  /// A file of certificate authorities to trust instead of the system's.
  public var authorityFile: String?
  /// The URL of a proxy; nil for none. The environment is ignored.
  public var proxy: String?
  /// Hosts that are reached without the proxy, in lower case: each also applies to its subdomains.
  public var directHosts: [String]
  /// True if requests may be sent to addresses of private networks and of this machine.
  public var allowsPrivateAddresses: Bool
  /// The whole User-Agent, such as `placesd/1.0 (+ops@example.org)`.
  public var userAgent: String

  /// The maximum number of connections to one host; nil for the client's default.
  public var connections: Int?

  /// Reads `configured` from the settings of kind `url`. Throws `badRequest` if `baseURL` or such a setting is not an http or https URL.
  public init(
    id: String, manifest: Manifest, baseURL: String? = nil, settings: [String: JSONValue] = [:],
    key: @escaping @Sendable () throws(ProviderError) -> String? = { () throws(ProviderError) in nil }, authorityFile: String? = nil,
    proxy: String? = nil, directHosts: [String] = [], allowsPrivateAddresses: Bool = false,
    userAgent: String = HTTPAccess.userAgent(version: "0", contact: nil)
  ) throws(ProviderError) {
    self.id = id
    self.hosts = manifest.hosts.map { $0.lowercased() }
    self.credential = manifest.credential
    self.key = key
    self.authorityFile = authorityFile
    self.proxy = proxy
    self.directHosts = directHosts.map { $0.lowercased() }
    self.allowsPrivateAddresses = allowsPrivateAddresses
    self.userAgent = userAgent
    self.configured = []
    if let baseURL {
      guard let url = ServiceURL(baseURL), url.query.isEmpty, !url.host.contains("{") else {
        throw ProviderError(.badRequest, "base_url is not an http or https address without a query")
      }
      self.baseURL = url
    }
    for setting in manifest.settings where setting.kind == .url {
      guard let text = settings[setting.name]?.string else { continue }
      guard let url = ServiceURL(text) else {
        throw ProviderError(.badRequest, "\(setting.name) is not an http or https address")
      }
      configured.append(url)
    }
  }

  /// True if a request leaves out the key that the service's requests carry.
  func omitsKey(_ request: HTTPRequest) -> Bool { request.credential == CredentialPlacement.none && credential != .none }

  /// The proxy for a host, in lower case; nil for none.
  func proxy(for host: String) -> String? { directHosts.contains { host == $0 || host.hasSuffix("." + $0) } ? nil : proxy }

  /// The User-Agent: this program and, if the configuration has one, the operator's contact. Characters that are not allowed in its comment
  /// (RFC 9110, section 5.6.5) are removed from the contact: brackets, line breaks, non-ASCII letters.
  public static func userAgent(version: String, contact: String?) -> String {
    let contact = contact.map { $0.filter { $0.isASCII && !$0.isNewline && $0 >= " " && $0 != "\u{7F}" && !"()\\".contains($0) } } ?? ""
    return "placesd/\(version)" + (contact.isEmpty ? "" : " (+\(contact))")
  }
}
