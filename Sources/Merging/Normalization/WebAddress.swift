/// The parts of a web address that are compared: the registered domain and the page below it.
struct WebAddress: Sendable {
  /// The key of the registered domain, without `www.` and other subdomains.
  var domain: UInt64
  /// The key of host and path; nil if the address is that of a whole site.
  var page: UInt64?
  /// The keys of the pages above this one, from the top of the site, at most four: for `/a/b/c` those of `/a` and `/a/b`. The rest is 0.
  private var parents = InlineArray<4, UInt64>(repeating: 0)
  /// Whether many unrelated places have pages on this domain. Such an address is not compared.
  var isShared: Bool

  /// Nil if the text contains no host with a domain.
  init?(_ text: String) {
    var rest = text.utf8[...]
    if let schemeEnd = WebAddress.end(of: "://", in: rest) { rest = rest[schemeEnd...] }
    let hostEnd = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
    var host: [UInt8] = []
    for byte in rest[..<hostEnd] {
      if byte == UInt8(ascii: ":") { break }
      host.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
    }
    let labels = host.split(separator: UInt8(ascii: "."))
    guard labels.count >= 2, let top = labels.last else { return nil }
    let second = labels[labels.count - 2]
    // `example.co.uk` is registered below `co.uk`.
    let hasSecondLevel =
      labels.count >= 3 && top.count == 2 && WebAddress.secondLevels.contains(Word.key(of: String(decoding: second, as: UTF8.self)))
    let registeredCount = hasSecondLevel ? 3 : 2
    let registered = Array(labels.suffix(registeredCount).joined(separator: [UInt8(ascii: ".")]))
    let domain = Word.key(of: String(decoding: registered, as: UTF8.self))
    self.domain = domain
    isShared = WebAddress.sharedDomains.contains(domain)
    // One further label is often `www` or a language, so only two or more make a host a page of its own.
    let hasOwnHost = labels.count > registeredCount + 1
    var key = WebAddress.seed
    for byte in host.starts(with: Array("www.".utf8)) ? host.dropFirst(4) : host[...] { key = (key ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var segments = 0
    for segment in rest[hostEnd...].prefix(while: { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }).split(
      separator: UInt8(ascii: "/"))
    {
      if segments > 0, segments <= 4 { parents[segments - 1] = key }
      segments += 1
      key = (key ^ UInt64(UInt8(ascii: "/"))) &* 0x100_0000_01B3
      for byte in segment { key = (key ^ UInt64((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)) &* 0x100_0000_01B3 }
    }
    page = segments > 0 || hasOwnHost ? key : nil
  }

  /// Whether both pages are the same, or one is below the other, as a bar's page below its hotel's.
  func isRelated(to other: WebAddress) -> Bool {
    guard let page, let otherPage = other.page else { return false }
    for index in 0..<4 where parents[index] != 0 && parents[index] == otherPage || other.parents[index] != 0 && other.parents[index] == page
    {
      return true
    }
    return page == otherPage
  }

  private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

  private static func end(of mark: String, in text: Substring.UTF8View) -> String.Index? {
    var index = text.startIndex
    let mark = Array(mark.utf8)
    while index != text.endIndex {
      if text[index...].starts(with: mark) { return text.index(index, offsetBy: mark.count) }
      index = text.index(after: index)
    }
    return nil
  }

  /// Labels below which a country registers domains.
  private static let secondLevels: Set<UInt64> = keys(
    "co com net org gov gob edu ac or ne go nom adv art tur ltd plc nhs sch in id me web gen firm mil k12")

  /// Domains on which many unrelated places have pages.
  private static let sharedDomains: Set<UInt64> = keys(
    """
    facebook.com fb.com fb.me instagram.com twitter.com x.com linktr.ee tripadvisor.com yelp.com google.com goo.gl business.site site123.me wixsite.com \
    wordpress.com blogspot.com weebly.com square.site squareup.com booking.com airbnb.com youtube.com tiktok.com linkedin.com yellowpages.com foursquare.com \
    opentable.com grubhub.com doordash.com ubereats.com wa.me whatsapp.com t.me vk.com jimdo.com jimdofree.com webnode.com negocio.site tabelog.com \
    hotpepper.jp gurunavi.com ameblo.jp wikipedia.org bit.ly massagebook.com vagaro.com
    """)

  private static func keys(_ words: String) -> Set<UInt64> { Set(words.split(whereSeparator: \.isWhitespace).map { Word.key(of: $0) }) }
}
