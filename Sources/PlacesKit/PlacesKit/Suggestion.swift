/// One row of a provider's autocomplete answer.
///
/// A row is copied often and rarely changed. Its fields are therefore in an object (`Shared`) that is copied only before a change.
public struct Suggestion: Sendable, Hashable, Codable {
  /// Whether a row is a place or a text to search for.
  public enum Kind: String, Sendable, Codable, CaseIterable { case place, query }

  public var kind: Kind {
    @inlinable _read { yield shared.fields.kind }
    @inlinable _modify {
      own()
      yield &shared.fields.kind
    }
  }
  /// The provider's own id of the place; nil for a query.
  public var id: String? {
    @inlinable _read { yield shared.fields.id }
    @inlinable _modify {
      own()
      yield &shared.fields.id
    }
  }
  /// The whole text of the row in one line.
  public var text: FormattedText {
    @inlinable _read { yield shared.fields.text }
    @inlinable _modify {
      own()
      yield &shared.fields.text
    }
  }
  /// The name alone, if the provider returns it.
  public var primary: FormattedText? {
    @inlinable _read { yield shared.fields.primary }
    @inlinable _modify {
      own()
      yield &shared.fields.primary
    }
  }
  /// The text that distinguishes the place from others of the same name.
  public var secondary: FormattedText? {
    @inlinable _read { yield shared.fields.secondary }
    @inlinable _modify {
      own()
      yield &shared.fields.secondary
    }
  }
  /// The types, most specific first.
  public var types: [PlaceType] {
    @inlinable _read { yield shared.fields.types }
    @inlinable _modify {
      own()
      yield &shared.fields.types
    }
  }
  /// The BCP 47 language of the text; nil if unknown.
  public var language: String? {
    @inlinable _read { yield shared.fields.language }
    @inlinable _modify {
      own()
      yield &shared.fields.language
    }
  }
  public var location: Coordinate? {
    @inlinable _read { yield shared.fields.location }
    @inlinable _modify {
      own()
      yield &shared.fields.location
    }
  }
  /// The area of the place, to which a map can be fitted without a details call.
  public var viewport: Rectangle? {
    @inlinable _read { yield shared.fields.viewport }
    @inlinable _modify {
      own()
      yield &shared.fields.viewport
    }
  }
  /// The distance in metres from the request's `origin`, if the provider returns it instead of the location; 0 if the origin is in the
  /// place.
  public var distance: Double? {
    @inlinable _read { yield shared.fields.distance }
    @inlinable _modify {
      own()
      yield &shared.fields.distance
    }
  }
  /// The place's importance according to the provider, 0…1; comparable only within one provider.
  public var importance: Double? {
    @inlinable _read { yield shared.fields.importance }
    @inlinable _modify {
      own()
      yield &shared.fields.importance
    }
  }
  /// The `https` or `http` address of an image of the row, such as its category's icon.
  public var iconImageURL: String? {
    @inlinable _read { yield shared.fields.iconImageURL }
    @inlinable _modify {
      own()
      yield &shared.fields.iconImageURL
    }
  }
  /// The `https` or `http` address of a page about the row, such as the article that a completion names.
  public var url: String? {
    @inlinable _read { yield shared.fields.url }
    @inlinable _modify {
      own()
      yield &shared.fields.url
    }
  }
  /// Facts by which merging recognizes the same place in another provider's answer.
  public var evidence: Evidence {
    @inlinable _read { yield shared.fields.kept.evidence }
    @inlinable set {
      own()
      shared.fields.kept = KeptEvidence(newValue)
    }
  }
  /// The number of UTF-8 bytes of the evidence's texts, plus three for each element of its lists. It is stored, so that reading it does not
  /// copy the evidence.
  @inlinable public var evidenceSize: Int { shared.fields.kept.size }
  /// Attributions of this row, besides its provider's.
  public var attributions: [Attribution] {
    @inlinable _read { yield shared.fields.attributions }
    @inlinable _modify {
      own()
      yield &shared.fields.attributions
    }
  }

  public init(
    kind: Kind, id: String? = nil, text: FormattedText, primary: FormattedText? = nil, secondary: FormattedText? = nil,
    types: [PlaceType] = [], language: String? = nil, location: Coordinate? = nil, viewport: Rectangle? = nil,
    distance: Double? = nil, importance: Double? = nil, iconImageURL: String? = nil, url: String? = nil, evidence: Evidence = Evidence(),
    attributions: [Attribution] = []
  ) {
    shared = Shared(
      Fields(
        kind: kind, id: id, text: text, primary: primary, secondary: secondary, types: types, language: language, location: location,
        viewport: viewport, distance: distance, importance: importance, iconImageURL: iconImageURL, url: url, kept: KeptEvidence(evidence),
        attributions: attributions))
  }

  @usableFromInline var shared: Shared

  /// Copies the fields if another row shares them. It must be called before each change of a field.
  @inlinable mutating func own() {
    if !isKnownUniquelyReferenced(&shared) { shared = Shared(shared.fields) }
  }
}

extension Suggestion {
  @usableFromInline struct Fields: Sendable, Hashable, Codable {
    @usableFromInline var kind: Kind
    @usableFromInline var id: String?
    @usableFromInline var text: FormattedText
    @usableFromInline var primary: FormattedText?
    @usableFromInline var secondary: FormattedText?
    @usableFromInline var types: [PlaceType]
    @usableFromInline var language: String?
    @usableFromInline var location: Coordinate?
    @usableFromInline var viewport: Rectangle?
    @usableFromInline var distance: Double?
    @usableFromInline var importance: Double?
    @usableFromInline var iconImageURL: String?
    @usableFromInline var url: String?
    @usableFromInline var kept: KeptEvidence
    @usableFromInline var attributions: [Attribution]

    private enum CodingKeys: String, CodingKey {
      case kind, id, text, primary, secondary, types, language, location, viewport, distance, importance, iconImageURL, url, attributions
      case kept = "evidence"
    }
  }

  /// `@unchecked Sendable` and `@exclusivity(unchecked)`: the fields are changed only if exactly one row refers to them (see `own`), and no
  /// other code reads that row at the same time.
  @usableFromInline final class Shared: @unchecked Sendable {
    @exclusivity(unchecked) @usableFromInline var fields: Fields
    @usableFromInline init(_ fields: Fields) { self.fields = fields }
  }

  public init(from decoder: any Decoder) throws { shared = Shared(try Fields(from: decoder)) }
  public func encode(to encoder: any Encoder) throws { try shared.fields.encode(to: encoder) }
  public func hash(into hasher: inout Hasher) { shared.fields.hash(into: &hasher) }
  public static func == (one: Suggestion, other: Suggestion) -> Bool {
    one.shared === other.shared || one.shared.fields == other.shared.fields
  }
}

extension Suggestion: CustomReflectable {
  /// The row as its fields, so that a failing test shows them.
  public var customMirror: Mirror { Mirror(reflecting: shared.fields) }
}
