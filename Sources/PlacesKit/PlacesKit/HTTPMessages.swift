/// An HTTP request that a provider asks the daemon to send. The daemon adds the key and encodes the request.
public struct HTTPRequest: Sendable, Hashable, Codable {
  public enum Method: String, Sendable, Hashable, Codable { case get = "GET", post = "POST" }

  public var method: Method
  /// One of the manifest's hosts, such as `places.googleapis.com`, or the origin of a URL in the instance's settings, such as
  /// `http://127.0.0.1:8088`; nil for the manifest's first host. If the instance has a `base_url`, it replaces every host of the manifest.
  public var host: String?
  /// The segments of the path, not percent-encoded; the daemon encodes them.
  public var path: [String]
  /// The parameters of the query, in the order in which they are sent; the daemon encodes names and values.
  public var query: [Item]
  /// The headers; neither a name nor a value may contain a line break.
  public var headers: [Item]
  public var body: [UInt8]
  /// The part of the request into which the daemon inserts the key; nil for the part that the manifest declares.
  public var credential: CredentialPlacement?

  /// A name and a value.
  public struct Item: Sendable, Hashable, Codable {
    public var name: String
    public var value: String
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  public init(
    _ method: Method = .get, host: String? = nil, path: [String], query: [Item] = [], headers: [Item] = [], body: [UInt8] = [],
    credential: CredentialPlacement? = nil
  ) {
    self.method = method
    self.host = host
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
    self.credential = credential
  }
}

/// An HTTP response of any status.
public struct HTTPResponse: Sendable, Hashable, Codable {
  public var status: Int
  /// The headers, with names in lower case.
  public var headers: [HTTPRequest.Item]
  /// The content without its content coding, such as gzip; at most 2 MiB.
  public var body: [UInt8]

  public init(status: Int, headers: [HTTPRequest.Item] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first value of a header, whose name may be in upper or lower case; nil if the response lacks the header.
  public func header(_ name: String) -> String? { headers.first { $0.name == name.lowercased() }?.value }
}

/// The part of a request into which the daemon inserts the key. The provider never receives the key.
public enum CredentialPlacement: Sendable, Hashable, Codable {
  /// The key is in a header: `name: prefix + key`.
  case header(name: String, prefix: String)
  /// The key is in the query: `?name=key`.
  case query(name: String)
  /// The request is sent without the key.
  case none
}
