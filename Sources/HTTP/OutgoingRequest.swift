import PlacesKit

/// A request in its final form: checked against the access of its provider, encoded, and with the key. The value must not be logged or
/// returned.
struct OutgoingRequest: Sendable {
  var method: HTTPRequest.Method
  var url: String
  /// The host to which the request is sent, for messages and for the choice of a proxy.
  var host: String
  /// The header lines, in libcurl's form.
  var headers: [String]
  var body: [UInt8]
  /// True if the request carries the key without TLS.
  var sendsKeyUnencrypted: Bool
  /// Identifies the connections that the request may use.
  var poolKey: ConnectionPoolKey

  /// The maximum number of headers. It is low because libcurl iterates over the whole list for each header that is added.
  static let maxHeaders = 64

  /// Finds the destination, checks the path and the headers, adds the key, and encodes the URL.
  /// - Throws: `badRequest` for a request that the instance may not send; `credentials` for a key that is malformed or would be sent to a
  ///   public host without TLS; any error of `access.key`.
  init(_ request: HTTPRequest, access: HTTPAccess) throws(ProviderError) {
    let (origin, host, prefix) = try OutgoingRequest.destination(of: request, access: access)
    self.host = host
    method = request.method
    body = request.body

    let segments = prefix + request.path
    guard !segments.contains(where: { $0 == "." || $0 == ".." || $0.utf8.contains(0) }) else {
      throw ProviderError(.badRequest, "the provider sent a path with a segment . or ..")
    }
    guard request.headers.count <= Self.maxHeaders else {
      throw ProviderError(.badRequest, "the provider set more than \(Self.maxHeaders) headers")
    }
    var query = request.query
    headers = []
    for header in request.headers {
      try OutgoingRequest.add(header.name, header.value, to: &headers)
      guard HeaderPolicy.allows(header.name) else { throw OutgoingRequest.forbiddenHeader(header.name) }
    }

    let key: String?
    switch request.credential ?? access.credential {
    case .none: key = nil
    case .query(let name):
      key = try OutgoingRequest.key(of: access)
      if let key { query.append(HTTPRequest.Item(name, key)) }
    case .header(let name, let prefix):
      key = try OutgoingRequest.key(of: access)
      if let key {
        try OutgoingRequest.add(name, prefix + key, to: &headers)
        guard HeaderPolicy.allowsKey(in: name) else { throw OutgoingRequest.forbiddenHeader(name) }
      }
    }
    sendsKeyUnencrypted = key != nil && origin.hasPrefix("http://")
    // If private addresses are not allowed, every address to which the request may be sent is public. If they are allowed, the address is
    // checked after name resolution.
    guard !sendsKeyUnencrypted || access.allowsPrivateAddresses else { throw OutgoingRequest.unencryptedKeyError(to: host) }
    poolKey = ConnectionPoolKey(
      instance: access.id, key: key, allowsPrivateAddresses: access.allowsPrivateAddresses,
      maxConnectionsPerHost: access.maxConnectionsPerHost, authorities: access.authorityFile.flatMap(FileIdentity.init))

    url = OutgoingRequest.url(origin, segments, query)
    guard url.utf8.count <= 8_192 else { throw ProviderError(.badRequest, "the request's address is longer than 8 KiB") }
  }

  /// The error of a request that would carry the key to a public host without TLS.
  static func unencryptedKeyError(to host: String) -> ProviderError {
    ProviderError(.credentials, "the key is not sent to the public host \(host) without encryption: use https://", detail: "unencrypted")
  }

  private static func url(_ origin: String, _ segments: [String], _ query: [HTTPRequest.Item]) -> String {
    var url = Array(origin.utf8)
    url.reserveCapacity(256)
    if segments.isEmpty { url.append(UInt8(ascii: "/")) }
    for segment in segments {
      url.append(UInt8(ascii: "/"))
      PercentEncoding.append(segment: segment, to: &url)
    }
    for (index, item) in query.enumerated() {
      url.append(UInt8(ascii: index == 0 ? "?" : "&"))
      PercentEncoding.append(queryPart: item.name, to: &url)
      url.append(UInt8(ascii: "="))
      PercentEncoding.append(queryPart: item.value, to: &url)
    }
    return String(decoding: url, as: UTF8.self)
  }

  /// The origin, the host and the path prefix of the URL to which a request is sent. Throws if the instance may not access its host.
  private static func destination(
    of request: HTTPRequest, access: HTTPAccess
  ) throws(ProviderError) -> (origin: String, host: String, prefix: [String]) {
    let name = request.host?.lowercased() ?? access.hosts.first
    if let base = access.baseURL, name.map(access.hosts.contains) ?? true {
      // A slash at the end of base_url does not begin another segment.
      return (base.origin, base.host, base.path.last == "" ? base.path.dropLast() : base.path)
    }
    guard let name else { throw ProviderError(.badRequest, "base_url is missing in the configuration of \(access.id)") }
    if access.hosts.contains(name) { return ("https://" + name, name, []) }
    if let url = ServiceURL(name), url.path.isEmpty, url.query.isEmpty, access.configuredURLs.contains(where: { $0.covers(url) }) {
      return (url.origin, url.host, [])
    }
    throw ProviderError(.badRequest, "the provider requested a host that its manifest does not declare")
  }

  private static func key(of access: HTTPAccess) throws(ProviderError) -> String? {
    guard let key = try access.key() else { return nil }
    guard !key.isEmpty, key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw ProviderError(.credentials, "the key of \(access.id) is empty or contains spaces, line breaks or letters that are not ASCII")
    }
    return key
  }

  private static func forbiddenHeader(_ name: String) -> ProviderError {
    ProviderError(.badRequest, "a provider may not set the header \(name.prefix(40)); see HTTP in places-provider(7)")
  }

  /// Appends a header line. Throws `badRequest` if the name is not a token of HTTP, or if the value contains a control character.
  private static func add(_ name: String, _ value: String, to headers: inout [String]) throws(ProviderError) {
    let isToken = !name.isEmpty && name.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"\"(),/:;<=>?@[\\]{}".utf8.contains($0) }
    guard isToken, value.utf8.allSatisfy({ ($0 >= 0x20 && $0 != 0x7F) || $0 == 0x09 }) else {
      throw ProviderError(.badRequest, "the provider set a header with a line break or a bad name")
    }
    // An empty header must end with a semicolon, because libcurl removes a header that ends with a colon.
    headers.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
  }
}

extension ServiceURL {
  /// True if the other URL has the same origin. A `{placeholder}` in this URL's host matches one label of letters, digits and hyphens.
  func covers(_ other: ServiceURL) -> Bool {
    guard scheme == other.scheme, port == other.port else { return false }
    guard host.contains("{") else { return host == other.host }
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    let otherLabels = other.host.split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count == otherLabels.count else { return false }
    return zip(labels, otherLabels).allSatisfy { label, other in
      if label.hasPrefix("{"), label.hasSuffix("}") {
        return !other.isEmpty
          && other.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-") }
      }
      return label == other
    }
  }
}
