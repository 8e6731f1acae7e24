import PlacesKit
import SQLite
import Text

extension Presenter {
  /// The row of a point: its coordinates or code, and beside them the nearest town.
  mutating func suggestion(_ point: PointPlace, _ words: [String]) throws(SQLiteError) -> Suggestion {
    var row = Suggestion(kind: .place, id: point.id, text: FormattedText(point.name), types: PointPlace.types, location: point.location)
    let ranges = Highlighting.matches(ofWords: words, in: point.name).map { TextRange($0) }
    row.primary = FormattedText(point.name, matches: ranges)
    row.importance = 1
    var text = point.name
    if let town = try file.town(near: point.location), let near = try suggestion(town, []) {
      text += ", \(near.text.text)"
      row.secondary = near.text
      row.language = near.language
      row.evidence.region = near.evidence.region
      row.evidence.country = near.evidence.country
    }
    row.text = FormattedText(text, matches: ranges)
    return row
  }

  /// Those of the fields that a point has.
  mutating func place(_ point: PointPlace, fields: Set<PlaceField>) throws(SQLiteError) -> Place {
    let row = try suggestion(point, [])
    var place = Place(
      id: point.id, types: row.types, location: row.location, language: row.language, importance: row.importance, evidence: row.evidence)
    for field in fields {
      switch field {
      case .name: place.values[field] = .string(point.name)
      case .formattedAddress: place.values[field] = .string(row.text.text)
      case .coordinate:
        place.values[field] = ["latitude": .number(point.location.latitude), "longitude": .number(point.location.longitude)]
      case .plusCode: place.values[field] = ["global": .string(PlusCode.encode(point.location))]
      case .types: place.values[field] = .array(row.types.map { .string($0.rawValue) })
      default: break
      }
    }
    return place
  }
}
