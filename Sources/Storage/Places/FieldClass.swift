import PlacesKit

/// The three kinds of data for which contracts name different times.
enum FieldClass: Sendable, Hashable {
  case id, coordinates, other

  /// Seconds that the terms allow; nil for ever.
  func lifetime(under terms: Terms) -> Double? {
    switch self {
    case .id: terms.idsSeconds
    case .coordinates: terms.coordinatesSeconds
    case .other: terms.otherSeconds
    }
  }
}

extension PlaceField {
  /// What a contract would call the field. A plus code is a coordinate in other letters.
  var keeping: FieldClass {
    switch self {
    case .placeID: .id
    case .coordinate, .viewport, .plusCode: .coordinates
    default: .other
    }
  }
}
