import PlacesKit
import Text

/// Finds rows that repeat an earlier row of a list: a map may have a station or a hotel twice, once with a word for its type in the name
/// (`Bahnhof Schaan-Vaduz` and `Schaan-Vaduz`). Places with equal names are merged when the index is built.
struct RepeatedRows {
  private var rows: [Suggestion] = []

  /// The maximum distance in metres between two rows of one place.
  private static let maxDistance = 150.0

  /// Whether the row repeats an earlier one. Otherwise it is added to the list.
  mutating func contain(_ row: Suggestion) -> Bool {
    if rows.contains(where: { RepeatedRows.areSame($0, row) }) { return true }
    rows.append(row)
    return false
  }

  private static func areSame(_ a: Suggestion, _ b: Suggestion) -> Bool {
    guard let type = a.types.first, b.types.first == type, type.group != .region, type.group != .address, let location = a.location,
      let distance = b.location?.distance(to: location), distance <= maxDistance
    else { return false }
    if let number = a.evidence.houseNumber, let other = b.evidence.houseNumber, number != other { return false }
    return nameWords(of: a, type) == nameWords(of: b, type)
  }

  /// The words of a row's name without those for its type.
  private static func nameWords(of row: Suggestion, _ type: PlaceType) -> [String] {
    let words = Folding.words(of: (row.primary ?? row.text).text)
    guard let category = CategoryWords.split(words), category.types.contains(type), !category.otherWords.isEmpty else { return words }
    return category.otherWords
  }
}
