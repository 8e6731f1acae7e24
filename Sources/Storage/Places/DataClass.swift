import PlacesKit

/// The three classes of data for which contracts set different limits.
enum DataClass: Sendable, Hashable {
  case id, coordinates, other

  /// The limit in seconds; nil for no limit.
  func lifetime(under terms: Terms) -> Double? {
    switch self {
    case .id: terms.idsSeconds
    case .coordinates: terms.coordinatesSeconds
    case .other: terms.otherSeconds
    }
  }
}

extension PlaceField {
  /// The class of the field. A plus code is another notation of a coordinate.
  var dataClass: DataClass {
    switch self {
    case .placeID, .movedPlaceID: .id
    case .coordinate, .viewport, .plusCode: .coordinates
    default: .other
    }
  }
}
