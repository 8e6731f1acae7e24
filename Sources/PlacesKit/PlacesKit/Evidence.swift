/// A row's evidence as an object. Rows are copied many times, and copying a reference costs less than copying the evidence, which is read
/// at most once.
@usableFromInline final class KeptEvidence: Sendable, Hashable, Codable {
  @usableFromInline let evidence: Evidence
  /// The evidence's size; it is computed once, because reading it from a row's evidence would copy the evidence.
  @usableFromInline let size: Int

  @usableFromInline init(_ evidence: Evidence) {
    self.evidence = evidence
    size = evidence.size
  }
  @usableFromInline convenience init(from decoder: any Decoder) throws { self.init(try Evidence(from: decoder)) }
  @usableFromInline func encode(to encoder: any Encoder) throws { try evidence.encode(to: encoder) }
  @usableFromInline static func == (one: KeptEvidence, other: KeptEvidence) -> Bool { one === other || one.evidence == other.evidence }
  @usableFromInline func hash(into hasher: inout Hasher) { evidence.hash(into: &hasher) }
}

/// The parts of a place by which two rows are recognized as the same place. Everything is optional.
public struct Evidence: Sendable, Hashable, Codable {
  /// Further names, in any language.
  public var otherNames: [String] = []
  /// The street and the house number in one line.
  public var address: String?
  public var houseNumber: String?
  public var street: String?
  public var postcode: String?
  public var locality: String?
  public var region: String?
  /// The country's CLDR code: two letters in upper case.
  public var country: String?
  public var phone: String?
  public var website: String?
  /// Ids of the same place elsewhere, as `namespace:id`: `osm:node/1`, `wikidata:Q64`, `geonames:2950159`, `foursquare:…`, `google:…`.
  public var equivalents: [String] = []

  public init() {}

  /// The UTF-8 bytes of all its texts, and three more for each element of a list. As JSON, with every character escaped and without the
  /// members' names, the evidence takes at most six times as many bytes.
  fileprivate var size: Int {
    var size = 0
    func add(_ text: String?) { if let text { size += text.utf8.count } }
    add(address)
    add(houseNumber)
    add(street)
    add(postcode)
    add(locality)
    add(region)
    add(country)
    add(phone)
    add(website)
    for text in otherNames { size += text.utf8.count + 3 }
    for text in equivalents { size += text.utf8.count + 3 }
    return size
  }
}
