import Geocoders
import PlacesKit

extension DescribedRow {
  /// The row as a suggestion; nil if it has no text. If the service marks no matches, the words of the query are marked.
  /// - Parameter region: the user's region, whose name is omitted.
  func suggestion(query: String, region: String?) -> Suggestion? {
    guard var row = place.suggestion(query: query, region: region) ?? textOnly else { return nil }
    if let primary = texts[.primary] { row.primary = withMatches(primary, query) }
    if let secondary = texts[.secondary] {
      row.secondary = withMatches(secondary, query)
    } else if texts[.primary] != nil, place.parts.primary == nil {
      row.secondary = nil
    }
    if let text = texts[.text] {
      row.text = withMatches(text, query)
    } else if let primary = row.primary, texts[.primary] != nil || texts[.secondary] != nil {
      row.text = FormattedText(row.secondary.map { "\(primary.text), \($0.text)" } ?? primary.text, matches: primary.matches)
    }
    row.language = language
    row.distance = distance
    row.iconImageURL = values[.iconImageURL]?.string
    row.url = url
    if kind == .query {
      row.kind = .query
      row.id = nil
      row.types = []
    }
    return row
  }

  /// The row as a place with the requested fields.
  func place(fields: Set<PlaceField>) -> Place {
    var place = place.place(fields: fields)
    // For a row without a name, the first line that the service composes is a better name than a part of the address.
    if fields.contains(.name), self.place.parts.name == nil, let text = texts[.primary] ?? texts[.text] {
      place.values[.name] = .string(text.text)
    }
    for (field, value) in values where fields.contains(field) { place.values[field] = value }
    place.language = language
    return place
  }

  /// A row that has only the texts that the service composed.
  private var textOnly: Suggestion? {
    guard let text = texts[.primary] ?? texts[.text] else { return nil }
    return Suggestion(
      kind: .place, id: place.id, text: text, primary: text, types: place.types, location: place.location, importance: place.importance)
  }

  /// The text with the matches that the service marks or, if it marks none, with those of the query's words.
  private func withMatches(_ text: FormattedText, _ query: String) -> FormattedText {
    text.matches.isEmpty ? FormattedText(text.text, matching: query) : text
  }
}
