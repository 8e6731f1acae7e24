/// One row of a provider's autocomplete answer.
public struct Suggestion: Sendable, Hashable, Codable {
  public enum Kind: String, Sendable, Codable, CaseIterable { case place, query }

  public var kind: Kind
  /// The provider's own id of the place; nil for a query.
  public var id: String?
  /// The whole text, as it would stand in a list of one line.
  public var text: FormattedText
  /// The name alone, where the provider tells it apart.
  public var primary: FormattedText?
  /// What sets the place apart from its namesakes.
  public var secondary: FormattedText?
  /// Most specific first.
  public var types: [PlaceType]
  /// BCP 47 language of the text, where known.
  public var language: String?
  public var location: Coordinate?
  /// Metres from the request's `origin`, where the provider tells that and not the location.
  public var distance: Double?
  /// How important the place is in the provider's eyes, 0…1; comparable only within one provider.
  public var importance: Double?
  /// What is known beside the text, for recognising the same place in another provider's answer.
  @inlinable public var evidence: Evidence {
    _read { yield kept.evidence }
    set { kept = KeptEvidence(newValue) }
  }
  @usableFromInline var kept: KeptEvidence
  /// Attributions that this row must carry beyond its provider's.
  public var attributions: [Attribution]

  /// Inlinable, since it would copy the whole row once more where it is called in another library.
  @inlinable public init(
    kind: Kind, id: String? = nil, text: FormattedText, primary: FormattedText? = nil, secondary: FormattedText? = nil,
    types: [PlaceType] = [], language: String? = nil, location: Coordinate? = nil, distance: Double? = nil, importance: Double? = nil,
    evidence: Evidence = Evidence(), attributions: [Attribution] = []
  ) {
    self.kind = kind
    self.id = id
    self.text = text
    self.primary = primary
    self.secondary = secondary
    self.types = types
    self.language = language
    self.location = location
    self.distance = distance
    self.importance = importance
    kept = KeptEvidence(evidence)
    self.attributions = attributions
  }

  private enum CodingKeys: String, CodingKey {
    case kind, id, text, primary, secondary, types, language, location, distance, importance, attributions
    case kept = "evidence"
  }
}

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
