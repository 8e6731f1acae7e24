import Geocoders
import JSON
import PlacesKit

extension JSONValue {
  /// The value as a boolean: true, false, or one of the texts `yes`, `true`, `no` and `false`; nil for any other value.
  var yesOrTrue: Bool? {
    switch string {
    case "yes", "true": true
    case "no", "false": false
    default: boolean
    }
  }
}

extension RowField {
  /// Whether each template of the field is a separate value, instead of an alternative.
  var isList: Bool { [.types, .otherNames, .equivalents].contains(self) }

  /// Whether a value of this field's expression is valid, so that the row uses it.
  func uses(_ value: JSONValue) -> Bool {
    let text = (value.array.map { $0.first ?? .null } ?? value).shownText
    let number = value.numberOrText
    switch self {
    case .kind: return text.map(["place", "query", "skip"].contains) ?? false
    case .countryCode: return text.map { JSONValue.string($0).countryCode != nil } ?? false
    case .latitude, .south, .north: return number.map((-90...90).contains) ?? false
    case .longitude, .west, .east: return number.map((-180...180).contains) ?? false
    case .easting, .northing, .importance: return number != nil
    case .distance: return number.map { $0 >= 0 } ?? false
    case .wheelchair, .partialMatch: return value.yesOrTrue != nil
    case .rating: return number.map { PlaceField.rating.accepts(.number($0)) } ?? false
    case .userRatingsTotal: return number.map { $0 >= 0 } ?? false
    case .priceLevel: return text.map { PlaceField.priceLevel.accepts(.string($0)) } ?? false
    case .businessStatus: return text.map { PlaceField.businessStatus.accepts(.string($0)) } ?? false
    default: return text != nil
    }
  }
}
