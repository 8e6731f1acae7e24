import Text

/// The parts of a web address that are compared: the registered domain and the page below it.
struct WebAddress: Sendable {
  /// The key of the registered domain, without `www.` and other subdomains.
  var domain: UInt64
  /// The key of host and path; nil if the address is that of a whole site.
  var page: UInt64?
  /// The keys of the pages above this one, from the host down, at most five: for `host/a/b` those of `host` and `host/a`. Unused elements
  /// are 0.
  private var parents = InlineArray<5, UInt64>(repeating: 0)
  /// Whether many unrelated places have pages on this domain. Such an address is not compared.
  var isShared: Bool

  /// Nil if the text contains no host with a domain.
  init?(_ text: String) {
    var rest = text.utf8[...]
    let schemeEnd = rest.firstIndex { $0 == UInt8(ascii: ":") || WebAddress.endsHost($0) } ?? rest.endIndex
    if rest[schemeEnd...].starts(with: "://".utf8) { rest = rest[schemeEnd...].dropFirst(3) }
    let hostEnd = rest.firstIndex(where: WebAddress.endsHost) ?? rest.endIndex
    let host = rest[..<hostEnd].prefix { $0 != UInt8(ascii: ":") }.map(WebAddress.lowercased)
    var labels = host.split(separator: UInt8(ascii: "."))
    if labels.count > 2, labels[0].elementsEqual("www".utf8) { labels.removeFirst() }
    guard labels.count >= 2, let top = labels.last else { return nil }
    let second = labels[labels.count - 2]
    // `example.co.uk` is registered below `co.uk`.
    let hasSecondLevel =
      labels.count >= 3 && top.count == 2 && WebAddress.secondLevels.contains(Word.key(of: String(decoding: second, as: UTF8.self)))
    let registeredCount = hasSecondLevel ? 3 : 2
    let registered = Array(labels.suffix(registeredCount).joined(separator: [UInt8(ascii: ".")]))
    let domain = Word.key(of: String(decoding: registered, as: UTF8.self))
    self.domain = domain
    let name = Word.key(of: String(decoding: labels[labels.count - registeredCount], as: UTF8.self))
    isShared = WebAddress.sharedDomains.contains(domain) || WebAddress.sharedNames.contains(name)
    // The host `shop.example.com` counts as the whole site; the host `berlin.shop.example.com` counts as a page.
    let isHostPage = labels.count > registeredCount + 1
    var key = FNV1a.hash(labels.joined(separator: [UInt8(ascii: ".")]))
    var depth = 0
    let path = rest[hostEnd...].prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    for segment in path.split(separator: UInt8(ascii: "/")) {
      if depth < 5 { parents[depth] = key }
      depth += 1
      key = FNV1a.extended(key, UInt64(UInt8(ascii: "/")))
      for byte in segment { key = FNV1a.extended(key, UInt64(WebAddress.lowercased(byte))) }
    }
    page = depth > 0 || isHostPage ? key : nil
  }

  /// Whether both addresses are pages, and these are the same or one is below the other, as a bar's page below its hotel's.
  func isRelated(to other: WebAddress) -> Bool {
    guard let page, let otherPage = other.page else { return false }
    return page == otherPage || isBelow(otherPage) || other.isBelow(page)
  }

  private func isBelow(_ page: UInt64) -> Bool { parents.indices.contains { parents[$0] == page } }

  private static func endsHost(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

  /// Labels below which a country registers domains.
  private static let secondLevels: Set<UInt64> = keys(
    "co com net org gov gob edu ac or ne go nom adv art tur ltd plc nhs sch in id me web gen firm mil k12")

  /// Services with a domain in each country, such as `tripadvisor.de`, on which many unrelated places have pages.
  private static let sharedNames: Set<UInt64> = keys("airbnb blogspot booking foursquare google opentable tripadvisor yelp")

  /// Other domains on which many unrelated places have pages.
  private static let sharedDomains: Set<UInt64> = keys(
    """
    facebook.com fb.com fb.me instagram.com twitter.com x.com linktr.ee goo.gl business.site site123.me wixsite.com \
    wordpress.com weebly.com square.site squareup.com youtube.com tiktok.com linkedin.com yellowpages.com \
    grubhub.com doordash.com ubereats.com wa.me whatsapp.com t.me vk.com jimdo.com jimdofree.com webnode.com negocio.site tabelog.com \
    hotpepper.jp gurunavi.com ameblo.jp wikipedia.org bit.ly massagebook.com vagaro.com
    """)

  private static func keys(_ words: String) -> Set<UInt64> { Set(words.split(whereSeparator: \.isWhitespace).map { Word.key(of: $0) }) }
}
