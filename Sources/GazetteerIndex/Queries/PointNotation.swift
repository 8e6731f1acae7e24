import PlacesKit

/// The notations of a point that a query may have, for programs that take a point elsewhere.
public enum PointNotation {
  /// The point that a text denotes by coordinates or a full Plus Code; nil if it may be a name or an address.
  public static func coordinate(in text: String) -> Coordinate? {
    if case .point(let point) = PointText.reading(of: text, language: nil) { return point }
    return PlusCode(text)?.rectangle?.center
  }
}
