import Geocoders
import PlacesKit
import SQLite
import Text

/// A place that is only a point, which a query states as coordinates or as a Plus Code. It has no record in an index.
struct PointPlace {
  let location: Coordinate
  /// `geo:52.52,13.4` or `pluscode:9F4MGC2M+H4`, valid in every index.
  let id: String
  /// The coordinates, or the code as the user typed it.
  let name: String
  /// `plus_code` for a Plus Code; empty for coordinates, for which there is no type.
  let types: [PlaceType]
  /// The types of the place of a Plus Code.
  static let codeTypes: [PlaceType] = ["plus_code"]

  init(_ point: Coordinate) {
    let (latitude, longitude) = (degrees(point.latitude), degrees(point.longitude))
    // The location is rounded like the id.
    location = FixedPoint(point).coordinate ?? point
    id = "geo:\(latitude),\(longitude)"
    name = "\(latitude), \(longitude)"
    types = []
  }

  /// The place of a full code; nil for a short one.
  /// - Parameter shortCode: the code that the user typed, if it was a short one.
  init?(_ code: PlusCode, typedAs shortCode: PlusCode? = nil) {
    guard let center = code.rectangle?.center else { return nil }
    location = center
    id = "pluscode:\(code.text)"
    name = (shortCode ?? code).text
    types = PointPlace.codeTypes
  }

  /// The point with an id; nil for any other id.
  init?(id: String) {
    if id.hasPrefix("pluscode:"), let code = PlusCode(id.dropFirst("pluscode:".count)) {
      self.init(code)
    } else if id.hasPrefix("geo:"), case .point(let point) = PointQuery(id) {
      self.init(point)
    } else {
      return nil
    }
  }
}

extension IndexFile {
  /// The rank of the town in which a point lies, or of the nearest town; nil if none is within `distance` metres, as at sea. Each town is
  /// treated as a circle, as in `ReverseSearch`.
  func town(near point: Coordinate, within distance: Double = 50_000) throws(SQLiteError) -> UInt32? {
    if let nearestTown = try towns(around: point).first { return nearestTown.rank }
    let townSearch = NearbySearch(file: self, filter: try PlaceFilter(types: ["locality"], in: self))
    return try townSearch.nearest(point, within: distance, limit: 1).first?.rank
  }

  /// The towns within `ReverseSearch.maxTownRadius` of a point, the nearest first. The distance of a town is measured in radiuses of that
  /// town.
  func towns(around point: Coordinate) throws(SQLiteError) -> [SurroundingTown] {
    let townSearch = NearbySearch(file: self, filter: try PlaceFilter(types: ["locality"], in: self))
    return try townSearch.places(around: point, within: ReverseSearch.maxTownRadius).compactMap { town in
      mapped.columns(town.rank).map { columns in
        let radius = ReverseSearch.townRadius(columns)
        return SurroundingTown(rank: town.rank, columns: columns, radius: radius, distance: town.distance / radius)
      }
    }.sorted { ($0.distance, $0.rank) < ($1.distance, $1.rank) }
  }
}

extension RowRenderer {
  /// The row of a point: its coordinates or code, followed by its town.
  /// - Parameter words: the folded words of the query, which are highlighted.
  mutating func suggestion(_ point: PointPlace, _ words: [String]) throws(SQLiteError) -> Suggestion {
    var row = Suggestion(kind: .place, id: point.id, text: FormattedText(point.name), types: point.types, location: point.location)
    let ranges = Highlighting.matches(ofWords: words, in: point.name).map { TextRange($0) }
    row.primary = FormattedText(point.name, matches: ranges)
    row.importance = 1
    var text = point.name
    if let town = try file.town(near: point.location), let townRow = try suggestion(town, []) {
      text += ", \(townRow.text.text)"
      row.secondary = townRow.text
      row.language = townRow.language
      row.evidence.region = townRow.evidence.region
      row.evidence.country = townRow.evidence.country
    }
    row.text = FormattedText(text, matches: ranges)
    return row
  }

  /// The requested fields that a point has.
  mutating func place(_ point: PointPlace, fields: Set<PlaceField>) throws(SQLiteError) -> Place {
    let row = try suggestion(point, [])
    var place = Place(
      id: point.id, types: row.types, location: row.location, language: row.language, importance: row.importance, evidence: row.evidence)
    for field in fields {
      if let value = field == .formattedAddress ? JSONValue.string(row.text.text) : row.value(of: field) { place.values[field] = value }
    }
    return place
  }
}
