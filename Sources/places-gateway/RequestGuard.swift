/// Decides from a request's headers whether the gateway answers it. Any page on the web can make a browser send requests to 127.0.0.1, and
/// an answer may cost money even if the page cannot read it. So a request from a foreign page is rejected before the daemon is called.
struct RequestGuard: Sendable {
  /// The values of Host that name this gateway, in lower case: names and addresses with each of its ports.
  var hosts: Set<String>
  /// The foreign web origins whose pages may send requests; `*` for all.
  var allowedOrigins: Set<String>

  /// The headers on which the decision depends; nil for a header that the request lacks.
  struct Headers: Sendable {
    var host: String?
    var origin: String?
    /// Sec-Fetch-Site (w3c.github.io/webappsec-fetch-metadata).
    var site: String?
    /// Sec-Fetch-Mode.
    var mode: String?
  }

  enum Verdict: Sendable, Equatable {
    /// - Parameter origin: the foreign origin that may read the answer.
    case admitted(origin: String?)
    case refused(status: Int, reason: String)
  }

  init(hosts: some Sequence<String>, ports: some Sequence<UInt16>, allowedOrigins: some Sequence<String>) {
    self.hosts = []
    for host in hosts {
      for port in ports {
        self.hosts.insert("\(host.lowercased()):\(port)")
        // Clients omit port 80, which is the default of http.
        if port == 80 { self.hosts.insert(host.lowercased()) }
      }
    }
    self.allowedOrigins = Set(allowedOrigins)
  }

  /// The decision on a request with these headers.
  /// - Parameter isPage: true for the page itself and its files, to which a link on another page may lead.
  func verdict(_ headers: Headers, isPage: @autoclosure () -> Bool) -> Verdict {
    guard let host = headers.host?.lowercased(), hosts.contains(host) else {
      return .refused(status: 421, reason: "this gateway does not serve that host; see `hosts` in places-gateway(8)")
    }
    if let origin = headers.origin, !isOwnOrigin(origin) {
      guard allowedOrigins.contains("*") || allowedOrigins.contains(origin) else { return RequestGuard.foreignOrigin }
      return .admitted(origin: origin)
    }
    switch headers.site {
    case nil, "same-origin", "none": return .admitted(origin: nil)
    // `same-site` is another port of this machine. Without the header Origin it is unknown whether that origin is allowed.
    default:
      return headers.mode == "navigate" && isPage() ? .admitted(origin: nil) : RequestGuard.foreignOrigin
    }
  }

  private static let foreignOrigin = Verdict.refused(
    status: 403, reason: "pages of other origins may not send requests; see `allow_origins` in places-gateway(8)")

  private func isOwnOrigin(_ origin: String) -> Bool {
    let origin = origin.lowercased()
    let scheme = "http://"
    return origin.hasPrefix(scheme) && hosts.contains(String(origin.dropFirst(scheme.count)))
  }
}
