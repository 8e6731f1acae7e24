/// Holds the evidence of a `Suggestion` behind a reference. The fields of a suggestion are copied often and their evidence is rarely read;
/// copying one reference costs less than copying all texts of the evidence.
@usableFromInline final class KeptEvidence: Sendable, Hashable, Codable {
  @usableFromInline let evidence: Evidence
  /// The evidence's size, as `Suggestion.evidenceSize` defines it. It is computed once, because computing it later would copy the evidence.
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

/// Facts by which merging recognizes that rows of different providers are the same place. All of them are optional.
public struct Evidence: Sendable, Hashable, Codable {
  /// Further names, in any language.
  public var otherNames: [String] = []
  /// The street and the house number in one line.
  public var address: String?
  public var houseNumber: String?
  public var street: String?
  public var postcode: String?
  public var locality: String?
  /// The first-level division of the country, such as a state or a province.
  public var region: String?
  /// The country's CLDR code: two letters in upper case.
  public var country: String?
  /// The telephone number in any format, national or international.
  public var phone: String?
  public var website: String?
  /// Ids of the same place elsewhere, as `namespace:id`: `osm:node/1`, `wikidata:Q64`, `geonames:2950159`, `foursquare:…`, `google:…`.
  public var equivalents: [String] = []

  public init() {}

  /// The number of UTF-8 bytes of all texts, and three more for each element of a list: two quotation marks and a comma. `PluginHost` uses
  /// it to bound the length of the JSON text without encoding it: an escaped byte takes at most six bytes.
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
