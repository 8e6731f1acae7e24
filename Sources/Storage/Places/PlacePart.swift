import PlacesKit

/// A place is kept in parts, each for as long as the terms allow its kind of data: its fields, and what it carries beside them.
enum PlacePart: Sendable, Hashable {
  case field(PlaceField)
  case location, types, language, importance, evidence, attributions

  private static let others: [PlacePart] = [.location, .types, .language, .importance, .evidence, .attributions]

  /// The part's name in the database; no field has a name that begins with a point.
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
    } else if let other = PlacePart.others.first(where: { $0.name == name }) {
      self = other
    } else {
      return nil
    }
  }

  var keeping: FieldClass {
    switch self {
    case .field(let field): field.keeping
    case .location: .coordinates
    default: .other
    }
  }
}
