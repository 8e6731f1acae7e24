/// Which headers a provider may set. A request carries the key, so a header that chooses another host, path, method or body length at a
/// proxy or a content delivery network would send the key where the manifest's hosts do not allow it.
///
/// Headers that are not listed are refused: `Host`, `Content-Length`, `Transfer-Encoding`, `Connection`, `User-Agent`, cookies, and headers of future
/// standards.
enum HeaderPolicy {
  /// All names here are in lower case.
  private static let content: Set = [
    "accept", "accept-language", "api-version", "cache-control", "content-type", "if-modified-since", "if-none-match",
  ]

  /// Words in extension headers (`X-…`) by which proxies and servers route requests.
  private static let routing: Set<Substring> = [
    "accel", "arr", "cluster", "envoy", "forward", "forwarded", "host", "http", "ip", "method", "original", "override", "path", "port",
    "proto", "proxy", "real", "rewrite", "scheme", "server", "uri", "url", "wap",
  ]

  /// True if a provider may set the header.
  static func allows(_ name: String) -> Bool {
    let name = name.lowercased()
    return content.contains(name) || isExtension(name)
  }

  /// True if the key may be sent in the header.
  static func allowsKey(in name: String) -> Bool {
    let name = name.lowercased()
    let words = name.split(separator: "-")
    return name == "authorization" || isExtension(name)
      || (["key", "apikey", "token"].contains(words.last) && routing.isDisjoint(with: words))
  }

  private static func isExtension(_ name: String) -> Bool {
    name.hasPrefix("x-") && routing.isDisjoint(with: name.split(separator: "-"))
  }
}
