import PlacesKit

/// The classes of data. Terms can limit the storage of each class differently.
enum DataClass: Sendable, Hashable {
  case id, coordinates, other

  /// The time in seconds for which the terms allow storing data of this class; nil for no limit.
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
