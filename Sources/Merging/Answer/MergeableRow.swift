import PlacesKit

/// What merging must know of a row, whether it is a suggestion or a place.
public protocol MergeableRow: Sendable, Hashable {
  /// The provider's own id; nil for a query.
  var nativeID: String? { get }
}

extension Suggestion: MergeableRow {
  public var nativeID: String? { id }
}

extension Place: MergeableRow {
  public var nativeID: String? { id }
}
