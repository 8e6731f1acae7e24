/// A row's evidence behind one reference: rows are copied many times on their way, and their evidence is read once or never.
@usableFromInline final class KeptEvidence: Sendable, Hashable, Codable {
  @usableFromInline let evidence: Evidence

  @inlinable init(_ evidence: Evidence) { self.evidence = evidence }
  @usableFromInline init(from decoder: any Decoder) throws { evidence = try Evidence(from: decoder) }
  @usableFromInline func encode(to encoder: any Encoder) throws { try evidence.encode(to: encoder) }
  @usableFromInline static func == (one: KeptEvidence, other: KeptEvidence) -> Bool { one === other || one.evidence == other.evidence }
  @usableFromInline func hash(into hasher: inout Hasher) { evidence.hash(into: &hasher) }
}

/// The parts of a place that help to tell whether two rows mean the same one. Everything is optional.
public struct Evidence: Sendable, Hashable, Codable {
  /// Further names, in any language.
  public var otherNames: [String] = []
  /// Street and house number in one line.
  public var address: String?
  public var houseNumber: String?
  public var street: String?
  public var postcode: String?
  public var locality: String?
  public var region: String?
  /// Two-letter CLDR code, upper case.
  public var country: String?
  public var phone: String?
  public var website: String?
  /// Ids of the same place elsewhere, as `namespace:id`: `osm:node/1`, `wikidata:Q64`, `geonames:2950159`, `foursquare:…`, `google:…`.
  public var equivalents: [String] = []

  public init() {}
}
