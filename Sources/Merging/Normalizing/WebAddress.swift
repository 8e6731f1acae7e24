/// What a web address tells of who a place is: the registered domain and the page below it.
struct WebAddress: Sendable {
  /// Key of the registered domain, without `www.` and subdomains.
  var domain: UInt64
  /// Key of host and path without query; nil where the address names a whole site.
  var page: UInt64?
  /// Whether many unrelated places have pages on this domain, so that only the page tells.
  var isShared: Bool

  init?(_ text: String) {
    var rest = text.utf8[...]
    if let scheme = WebAddress.end(of: "://", in: rest) { rest = rest[scheme...] }
    let hostEnd = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? rest.endIndex
    var host: [UInt8] = []
    for byte in rest[..<hostEnd] {
      if byte == UInt8(ascii: ":") { break }
      host.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
    }
    let labels = host.split(separator: UInt8(ascii: "."))
    guard labels.count >= 2, let top = labels.last else { return nil }
    let second = labels[labels.count - 2]
    let deep =
      labels.count >= 3 && top.count == 2
      && (second.count <= 3 && WebAddress.secondLevels.contains(Word.key(of: String(decoding: second, as: UTF8.self))))
    let registered = Array(labels.suffix(deep ? 3 : 2).joined(separator: [UInt8(ascii: ".")]))
    let domain = Word.key(of: String(decoding: registered, as: UTF8.self))
    self.domain = domain
    isShared = WebAddress.sharedDomains.contains(domain)
    var path: [UInt8] = host.starts(with: Array("www.".utf8)) ? Array(host.dropFirst(4)) : host
    let site = path.count
    for byte in rest[hostEnd...] {
      if byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#") { break }
      path.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
    }
    while path.last == UInt8(ascii: "/") { path.removeLast() }
    page = path.count > site + 1 || labels.count > (deep ? 4 : 3) ? Word.key(of: String(decoding: path, as: UTF8.self)) : nil
  }

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

  /// Hosts of pages of places that have nothing to do with each other.
  private static let sharedDomains: Set<UInt64> = keys(
    """
    facebook.com fb.com fb.me instagram.com twitter.com x.com linktr.ee tripadvisor.com yelp.com google.com goo.gl business.site site123.me wixsite.com \
    wordpress.com blogspot.com weebly.com square.site squareup.com booking.com airbnb.com youtube.com tiktok.com linkedin.com yellowpages.com foursquare.com \
    opentable.com grubhub.com doordash.com ubereats.com wa.me whatsapp.com t.me vk.com jimdo.com jimdofree.com webnode.com negocio.site tabelog.com \
    hotpepper.jp gurunavi.com ameblo.jp wikipedia.org bit.ly sites.google.com massagebook.com vagaro.com
    """)

  private static func keys(_ words: String) -> Set<UInt64> { Set(words.split(whereSeparator: \.isWhitespace).map { Word.key(of: $0) }) }
}
