/// Finds the link of a web page to its site's OpenSearch description:
/// `<link rel="search" type="application/opensearchdescription+xml" href="/opensearch.xml">`.
enum SearchLink {
  /// The maximum number of `<link` elements that are read.
  private static let maxLinks = 1_000

  /// The `href` of the first such link in an HTML page; nil if there is none.
  static func address(in page: String) -> String? {
    var remaining = page[...]
    for _ in 0..<maxLinks {
      guard let start = remaining.firstRange(of: "<link", ignoringCase: true) else { return nil }
      remaining = remaining[start.upperBound...]
      guard remaining.first?.isWhitespace == true else { continue }
      let attributes = attributes(&remaining)
      let relations = attributes["rel"]?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
      let type = attributes["type"]?.lowercased().split(separator: ";").first
      if relations.contains("search"), type == "application/opensearchdescription+xml", let address = attributes["href"], !address.isEmpty {
        return address
      }
    }
    return nil
  }

  /// Reads the attributes of a tag up to its `>`. The keys are the attributes' names in lower case. A value is quoted, or ends at white
  /// space.
  private static func attributes(_ remaining: inout Substring) -> [String: String] {
    var attributes: [String: String] = [:]
    while true {
      remaining = remaining.drop { $0.isWhitespace || $0 == "/" }
      guard let first = remaining.first, first != ">" else { return attributes }
      let name = remaining.prefix { !$0.isWhitespace && $0 != "=" && $0 != ">" && $0 != "/" }
      remaining = remaining.dropFirst(max(1, name.count)).drop(while: \.isWhitespace)
      guard remaining.first == "=" else { continue }
      remaining = remaining.dropFirst().drop(while: \.isWhitespace)
      let value: Substring
      if let quote = remaining.first, quote == "\"" || quote == "'" {
        value = remaining.dropFirst().prefix { $0 != quote }
        remaining = remaining.dropFirst(value.count + 2)
      } else {
        value = remaining.prefix { !$0.isWhitespace && $0 != ">" }
        remaining = remaining.dropFirst(value.count)
      }
      if attributes[name.lowercased()] == nil { attributes[name.lowercased()] = unescaped(value) }
    }
  }

  /// The value of an attribute, with the character references that occur in addresses replaced by their characters.
  private static func unescaped(_ value: Substring) -> String {
    String(value).replacing("&quot;", with: "\"").replacing("&#38;", with: "&").replacing("&amp;", with: "&")
  }

  /// The absolute form of an address on a page (RFC 3986, section 5.2); dot segments are not resolved. Nil if the page's address is not a
  /// URL.
  static func absolute(_ address: String, on page: String) -> String? {
    if address.lowercased().hasPrefix("http://") || address.lowercased().hasPrefix("https://") { return address }
    guard let slashes = page.firstRange(of: "://") else { return nil }
    if address.hasPrefix("//") { return "\(page[..<slashes.lowerBound]):\(address)" }
    let start = page[slashes.upperBound...].firstIndex { "/?#".contains($0) } ?? page.endIndex
    if address.hasPrefix("/") { return "\(page[..<start])\(address)" }
    let path = page[start...].prefix { $0 != "?" && $0 != "#" }
    guard let last = path.lastIndex(of: "/") else { return "\(page[..<start])/\(address)" }
    return "\(page[...last])\(address)"
  }
}

extension Substring {
  /// The first range that equals an ASCII text. Setting the bit 0x20 converts an ASCII capital to lower case.
  fileprivate func firstRange(of text: String, ignoringCase: Bool) -> Range<Index>? {
    let pattern = Array(text.lowercased().utf8)
    var index = utf8.startIndex
    while let start = utf8[index...].firstIndex(of: pattern[0]) {
      var end = start
      var matched = 0
      while matched < pattern.count, end < utf8.endIndex,
        utf8[end] | (utf8[end] >= 0x41 && utf8[end] <= 0x5A ? 0x20 : 0) == pattern[matched]
      {
        end = utf8.index(after: end)
        matched += 1
      }
      if matched == pattern.count { return start..<end }
      index = utf8.index(after: start)
    }
    return nil
  }
}
