import PlacesKit

/// The network access of one provider instance: the hosts that it may call, the key and the User-Agent. It is made from the provider's
/// manifest and configuration, and never by the provider.
public struct HTTPAccess: Sendable {
  /// The instance's id in the configuration.
  public var id: String
  /// The hosts of the manifest, in lower case. Requests to them use https and port 443.
  public var hosts: [String]
  /// The URL that replaces every host of the manifest, for a self-hosted server, a gateway, or a test; nil if there is none.
  public var baseURL: ServiceURL?
  /// The URLs in the instance's settings. A request may be sent to their origins. A `{placeholder}` in a host stands for one label.
  public var configuredURLs: [ServiceURL]
  /// Where the key is put in a request that has no `credential` of its own.
  public var credential: CredentialPlacement
  /// Returns the key; nil if the instance has none. It is called once for each request, not on the HTTP thread, and must be fast.
  public var key: @Sendable () throws(ProviderError) -> String?
  /// The path of a file of certificate authorities that are trusted instead of the system's; nil for the system's.
  public var authorityFile: String?
  /// The URL of a proxy; nil for none. Proxies in the environment are ignored.
  public var proxy: String?
  /// The hosts that are reached without the proxy, in lower case. Each also stands for its subdomains.
  public var directHosts: [String]
  /// True if requests may be sent to addresses of private networks and of this machine.
  public var allowsPrivateAddresses: Bool
  /// The whole User-Agent, such as `placesd/1.0 (+ops@example.org)`.
  public var userAgent: String

  /// The maximum number of connections to one host; nil for the client's default.
  public var maxConnectionsPerHost: Int?

  /// Takes `configuredURLs` from the settings of kind `url`.
  /// - Throws: `badRequest` if `baseURL` or such a setting is not an http or https URL.
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
    self.configuredURLs = []
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
      configuredURLs.append(url)
    }
  }

  /// True if the service's requests carry a key but this request does not.
  func omitsKey(_ request: HTTPRequest) -> Bool { request.credential == CredentialPlacement.none && credential != .none }

  /// The proxy for a host, which is in lower case; nil for none.
  func proxy(for host: String) -> String? { directHosts.contains { host == $0 || host.hasSuffix("." + $0) } ? nil : proxy }

  /// The User-Agent: this program and, if there is one, the operator's contact as a comment (RFC 9110, section 5.6.5). Characters that a
  /// comment must not contain are removed: parentheses, backslashes, control characters and characters that are not ASCII.
  public static func userAgent(version: String, contact: String?) -> String {
    func isAllowed(_ character: Character) -> Bool {
      character.isASCII && !character.isNewline && character >= " " && character != "\u{7F}" && !"()\\".contains(character)
    }
    let contact = (contact ?? "").filter(isAllowed)
    return "placesd/\(version)" + (contact.isEmpty ? "" : " (+\(contact))")
  }
}
