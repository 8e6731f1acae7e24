import JSON
import PlacesAPI
import PlacesKit

/// Formats places as lines of text.
enum PlaceLines {
  /// One line for each place: name, address, type, the fields requested by name, distance, id. The id is never cut,
  /// because the user passes it to the next command.
  static func rows(_ places: [PlaceRow], requested fields: [PlaceField] = [], _ console: Console) -> [String] {
    let extraFields = fields.filter { ![.placeID, .name, .formattedAddress, .types].contains($0) }
    let columns = Array(repeating: TextTable.Column(title: "", shrinks: true), count: 3 + extraFields.count)
    let table = TextTable(
      columns: columns + [TextTable.Column(title: "", isRightAligned: true), TextTable.Column(title: "")],
      rows: places.map { place in
        let type = place.values[.types]?[0]?.string ?? ""
        return [
          SamePlaceMark.mark(place.group) + StyledText(place.values[.name]?.string ?? "", .bold),
          StyledText(ShortAddress.text(place) ?? ""),
          StyledText(type.replacing("_", with: " "), .dim),
        ] + extraFields.map { field in StyledText(place.values[field].map { text(of: $0).joined(separator: "; ") } ?? "") } + [
          StyledText(place.distance.map(Format.distance) ?? "", .dim), StyledText(place.id.text, .dim),
        ]
      }, width: console.width)
    let lines = table.lines(colour: console.usesColour, titles: false)
    return zip(lines, places).flatMap { line, place in [line] + (place.explain.map { Explain.lines($0, console) } ?? []) }
  }

  /// All fields of a place, each on lines of its own, in the order of the field table.
  static func fields(_ place: PlaceRow, _ console: Console) -> [String] {
    var rows = [[StyledText("id", .dim), StyledText(place.id.text)]]
    for field in PlaceField.allCases where field != .placeID {
      guard let value = place.values[field] else { continue }
      let source = place.provenance?[field].map { " (\($0.provider), \($0.at))" } ?? ""
      for (index, line) in text(of: value).enumerated() {
        rows.append([StyledText(index == 0 ? field.rawValue : "", .dim), StyledText(line) + StyledText(index == 0 ? source : "", .dim)])
      }
    }
    rows += distanceAndSources(place.distance, place.sources)
    return table(rows, console) + (place.explain.map { Explain.lines($0, console) } ?? [])
  }

  /// The data of a suggestion, formatted as a place's fields are.
  static func fields(_ row: SuggestionRow, _ console: Console) -> [String] {
    let members: [(name: String, value: String?)] = [
      ("id", row.id?.text), ("text", row.text.text), (PlaceField.coordinate.rawValue, row.location.map { text(of: $0) }),
      (PlaceField.types.rawValue, row.types.isEmpty ? nil : row.types.map(\.rawValue).joined(separator: ", ")),
    ]
    let rows = members.compactMap { name, value in value.map { [StyledText(name, .dim), StyledText($0)] } }
    return table(rows + distanceAndSources(row.distance, row.sources), console) + (row.explain.map { Explain.lines($0, console) } ?? [])
  }

  /// The rows for the distance and the sources, which follow the fields.
  private static func distanceAndSources(_ distance: Double?, _ sources: [Source]) -> [[StyledText]] {
    let distanceRow = distance.map { [StyledText("distance", .dim), StyledText(Format.distance($0))] }
    return [distanceRow, [StyledText("sources", .dim), StyledText(sources.map { $0.id?.text ?? $0.provider }.joined(separator: " "))]]
      .compactMap {
        $0
      }
  }

  /// The rows in two columns. Long texts are not cut, because somebody who requests details wants to read them in full.
  private static func table(_ rows: [[StyledText]], _ console: Console) -> [String] {
    let columns = [TextTable.Column(title: ""), TextTable.Column(title: "")]
    return TextTable(columns: columns, rows: rows, width: nil).lines(colour: console.usesColour, titles: false)
  }

  private static func text(of point: Coordinate) -> String { "\(Format.fixed(point.latitude, 6)),\(Format.fixed(point.longitude, 6))" }

  /// A field's value in one line, or several for a list.
  private static func text(of value: JSONValue) -> [String] {
    switch value {
    case .string(let string): return [string]
    case .array(let elements):
      let strings = elements.compactMap(\.string)
      if strings.count == elements.count { return [strings.joined(separator: ", ")] }
      return elements.map { $0["long"]?.string ?? $0["text"]?.string ?? $0.text }
    case .object:
      if let latitude = value["latitude"]?.double, let longitude = value["longitude"]?.double {
        return ["\(Format.fixed(latitude, 6)),\(Format.fixed(longitude, 6))"]
      }
      if let days = value["weekdayText"]?.array { return days.compactMap(\.string) }
      return [value["text"]?.string ?? value["global"]?.string ?? value.text]
    default: return [value.text]
    }
  }
}

/// The mark of rows that are the same place and that the providers' terms forbid blending.
enum SamePlaceMark {
  /// The mark at the start of a row of this group; blank for a row without a group.
  static func mark(_ group: String?) -> StyledText { group == nil ? StyledText("") : StyledText("~ ", .dim) }
  /// The explanation of the mark, for help.
  static let note =
    "With --unfold, a row that begins with ~ is the same place as another row; the services' terms forbid blending them."
}
