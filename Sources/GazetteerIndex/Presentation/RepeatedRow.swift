import PlacesKit
import Text

/// Recognizes a row that repeats an earlier one: a map may have a station or a hotel twice, once with a word for its type in the name
/// (`Bahnhof Schaan-Vaduz` and `Schaan-Vaduz`). Places with equal names are merged when the index is built.
enum RepeatedRow {
  /// The maximum distance in metres between two rows of one place.
  private static let maxDistance = 150.0

  /// Whether a row is of the same place as one of the others: a business or sight of the same type, close by, whose name differs only in
  /// words for the type.
  static func isAmong(_ rows: [Suggestion], _ row: Suggestion) -> Bool {
    guard let type = row.types.first, type.group != .region, type.group != .address, let location = row.location else { return false }
    return rows.contains { other in
      guard other.types.first == type, let distance = other.location?.distance(to: location), distance <= maxDistance else { return false }
      if let number = row.evidence.houseNumber, let otherNumber = other.evidence.houseNumber, number != otherNumber { return false }
      let (words, otherWords) = (words(of: row), words(of: other))
      // Names of equally many words do not differ in a word for the type alone.
      return words.count != otherWords.count && withoutTypeWords(words, type) == withoutTypeWords(otherWords, type)
    }
  }

  private static func words(of row: Suggestion) -> [String] { Folding.words(of: (row.primary ?? row.text).text) }

  private static func withoutTypeWords(_ words: [String], _ type: PlaceType) -> [String] {
    guard let category = CategoryWords.split(words), category.types.contains(type), !category.otherWords.isEmpty else { return words }
    return category.otherWords
  }
}
