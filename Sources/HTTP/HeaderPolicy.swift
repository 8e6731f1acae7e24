/// Determines which headers a provider may set. A request carries the key, which must reach only the manifest's hosts. With some headers, a
/// proxy or a content delivery network uses another host, path, method or body length, and the key would be sent elsewhere.
///
/// Only known headers, and extension headers (`X-…`) whose last word is known, are allowed. `Host`, `Content-Length`, `Transfer-Encoding`,
/// `Connection`, `User-Agent`, cookies, and headers of future standards are refused.
enum HeaderPolicy {
  /// The known headers, in lower case.
  private static let knownHeaders: Set = [
    "accept", "accept-language", "api-version", "cache-control", "content-type", "if-modified-since", "if-none-match",
  ]

  /// The last words of extension headers (`X-…`) that place services need, in lower case.
  private static let extensionWords: Set<Substring> = [
    "app", "client", "country", "fieldmask", "id", "key", "lang", "language", "locale", "mask", "region", "units", "version",
  ]

  /// Words of extension headers (`X-…`) by which proxies and servers route requests, in lower case.
  private static let routingWords: Set<Substring> = [
    "accel", "arr", "authority", "backend", "cluster", "destination", "domain", "envoy", "forward", "forwarded", "host", "hostname", "http",
    "ip", "method", "original", "override", "path", "port",
    "proto", "proxy", "real", "rewrite", "route", "scheme", "server", "target", "upstream", "uri", "url", "vhost", "wap",
  ]

  /// True if a provider may set the header.
  static func allows(_ name: String) -> Bool {
    let name = name.lowercased()
    let lastWord = name.split(separator: "-").last ?? ""
    return knownHeaders.contains(name) || isExtension(name) && extensionWords.contains(lastWord)
  }

  /// True if the key may be sent in the header: in `Authorization`, in an extension header, or in a header whose last word means a key.
  static func allowsKey(in name: String) -> Bool {
    let name = name.lowercased()
    let words = name.split(separator: "-")
    return name == "authorization" || isExtension(name)
      || (["key", "apikey", "token"].contains(words.last) && routingWords.isDisjoint(with: words))
  }

  /// True for an extension header without a word by which proxies route requests.
  private static func isExtension(_ name: String) -> Bool {
    name.hasPrefix("x-") && routingWords.isDisjoint(with: name.split(separator: "-"))
  }
}
