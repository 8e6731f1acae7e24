import PlacesKit

/// A part of a place: one of its fields, or another member of `Place`. Each part is stored for as long as the terms allow for its class of
/// data.
enum PlacePart: Sendable, Hashable {
  case field(PlaceField)
  case location, types, language, importance, evidence, attributions

  /// The parts that are not fields.
  private static let placeMembers: [PlacePart] = [.location, .types, .language, .importance, .evidence, .attributions]

  /// The name of the part in the database. The name of a field never begins with a period.
  var name: String {
    switch self {
    case .field(let field): field.rawValue
    case .location: ".location"
    case .types: ".types"
    case .language: ".language"
    case .importance: ".importance"
    case .evidence: ".evidence"
    case .attributions: ".attributions"
    }
  }

  init?(name: String) {
    if let field = PlaceField(rawValue: name) {
      self = .field(field)
    } else if let member = PlacePart.placeMembers.first(where: { $0.name == name }) {
      self = member
    } else {
      return nil
    }
  }

  var dataClass: DataClass {
    switch self {
    case .field(let field): field.dataClass
    case .location: .coordinates
    default: .other
    }
  }
}
