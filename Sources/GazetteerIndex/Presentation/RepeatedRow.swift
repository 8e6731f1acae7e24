import PlacesKit
import Text

/// Recognizes a row that repeats an earlier one: imported data may have a station or a hotel twice, once with a word for its type in the
/// name (`Bahnhof Schaan-Vaduz` and `Schaan-Vaduz`). Places with equal names are merged when the index is built.
enum RepeatedRow {
  /// The maximum distance in metres between two rows of one place.
  private static let maxDistance = 150.0

  /// Whether a row describes the same place as one of the others: a business or sight of the same type, close by, whose name differs only
  /// in words for the type.
  static func repeats(_ row: Suggestion, anyOf rows: [Suggestion]) -> Bool {
    guard let type = row.types.first, type.group != .region, type.group != .address, let location = row.location else { return false }
    return rows.contains { other in
      guard other.types.first == type, let distance = other.location?.distance(to: location), distance <= maxDistance else { return false }
      if let number = row.evidence.houseNumber, let otherNumber = other.evidence.houseNumber, number != otherNumber { return false }
      let (rowWords, otherWords) = (words(of: row), words(of: other))
      // Names with the same number of words do not differ only by a word for the type.
      return rowWords.count != otherWords.count && withoutTypeWords(rowWords, type) == withoutTypeWords(otherWords, type)
    }
  }

  private static func words(of row: Suggestion) -> [String] { Folding.words(of: (row.primary ?? row.text).text) }

  /// The words of a name without those for its type; all words if no others would remain.
  private static func withoutTypeWords(_ words: [String], _ type: PlaceType) -> [String] {
    guard let category = CategoryWords.split(words), category.types.contains(type), !category.otherWords.isEmpty else { return words }
    return category.otherWords
  }
}
