import PlacesKit

/// A row that can be merged: a suggestion or a place.
public protocol MergeableRow: Sendable, Hashable {
  /// The provider's own id; nil for a query.
  var nativeID: String? { get }
  /// Whether the row is a suggested query instead of a place.
  var isQuery: Bool { get }
  /// The name, or the whole text if the provider does not separate the name.
  var title: String { get }
  /// The text that distinguishes the place from others of the same name, if the provider returns one.
  var subtitle: String? { get }
  var types: [PlaceType] { get }
  var location: Coordinate? { get set }
  /// Metres from the request's origin, as the provider reports it; 0 if the origin is in the place.
  var distance: Double? { get }
  var language: String? { get }
  var importance: Double? { get }
  /// True if the provider reports that the row matches only a part of the query.
  var partialMatch: Bool? { get }
  var evidence: Evidence { get }
  var phone: String? { get }
  var website: String? { get }
  var attributions: [Attribution] { get }
  /// Normalizes a row that is not fused with another one, as `fuse` normalizes its result.
  mutating func normalizeAlone()
  /// Takes the visible text of `shown`, the version of this row that the user already sees, so that the text does not change when more
  /// answers arrive.
  mutating func keepLabel(of shown: Self)
  /// Fuses rows of one place that may be blended, and reports the source of each field.
  static func fuse(_ leading: FusionInput<Self>, _ others: [FusionInput<Self>]) -> (Self, [FieldSource])
}

/// An input of a fusion.
public struct FusionInput<Row: Sendable>: Sendable {
  public var row: Row
  public var provider: String
  /// Seconds since 1970.
  public var fetchedAt: Double

  public init(row: Row, provider: String, fetchedAt: Double) {
    self.row = row
    self.provider = provider
    self.fetchedAt = fetchedAt
  }

  func source(of field: String) -> FieldSource { FieldSource(field: field, provider: provider, fetchedAt: fetchedAt) }
}

extension Suggestion: MergeableRow {
  public var nativeID: String? { id }
  public var isQuery: Bool { kind == .query }
  public var title: String { primary?.text ?? text.text }
  public var partialMatch: Bool? { nil }
  public var subtitle: String? { secondary?.text }
  public var phone: String? { evidence.phone }
  public var website: String? { evidence.website }

  public mutating func keepLabel(of shown: Suggestion) {
    (text, primary, secondary, language) = (shown.text, shown.primary, shown.secondary, shown.language)
  }

  public mutating func normalizeAlone() {
    if types.indices.contains(where: { types[..<$0].contains(types[$0]) }) { types = union([[], types]) }
  }
}

extension Place: MergeableRow {
  public var nativeID: String? { id }
  public var isQuery: Bool { false }
  public var title: String { name ?? formattedAddress ?? id }
  public var subtitle: String? { formattedAddress }
  public var phone: String? { evidence.phone ?? values[.phoneNumber]?.string }
  public var website: String? { evidence.website ?? values[.website]?.string }

  public mutating func keepLabel(of shown: Place) {
    // Only the name is kept. The address must agree with its components and its source, which may have changed.
    if let name = shown.values[.name] { values[.name] = name }
  }

  public mutating func normalizeAlone() { self = Place.fuse(FusionInput(row: self, provider: "", fetchedAt: 0), []).0 }
}
