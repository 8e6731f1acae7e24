import PlacesKit
import Text

/// Recognizes a row that repeats an earlier one: imported data may have a station, a hotel or a hospital twice, as a building and as a point,
/// or for each of its buildings. Places with equal names and addresses are merged when the index is built.
enum RepeatedRow {
  /// The maximum distance in metres between two rows of one place.
  private static let maxDistance = 150.0
  /// Two names of at least `minLetters` letters are spellings of one name if they differ by at most `maxErrors` typing errors.
  private static let (minLetters, maxErrors) = (10, 2)

  /// Whether a row describes the same place as one of the others: a business or sight of the same type, close by, with a similar name.
  static func repeats(_ row: Suggestion, anyOf rows: [Suggestion]) -> Bool {
    guard let type = row.types.first, type.group != .region, type.group != .address, let location = row.location else { return false }
    return rows.contains { other in
      guard other.types.first == type, let distance = other.location?.distance(to: location), distance <= maxDistance else { return false }
      return haveSimilarNames(row, other, type)
    }
  }

  /// Whether the names of two places of a type mean one place. A hotel or a hospital may have several buildings with different numbers. The
  /// name of a hospital may be spelled in two ways. Other names may differ in words for the type: `Bahnhof Schaan-Vaduz` and `Schaan-Vaduz`.
  private static func haveSimilarNames(_ row: Suggestion, _ other: Suggestion, _ type: PlaceType) -> Bool {
    let (rowWords, otherWords) = (words(of: row), words(of: other))
    if type == "hotel" || type == "hospital", rowWords == otherWords { return true }
    if let number = row.evidence.houseNumber, let otherNumber = other.evidence.houseNumber {
      guard number == otherNumber else { return false }
      let (name, otherName) = (rowWords.joined(), otherWords.joined())
      let isOneAddress = row.evidence.street == other.evidence.street
      if type == "hospital", isOneAddress, name.count >= minLetters, typingErrors(between: name, and: otherName) <= maxErrors {
        return true
      }
    }
    // Names with the same number of words do not differ only by a word for the type.
    return rowWords.count != otherWords.count && withoutTypeWords(rowWords, type) == withoutTypeWords(otherWords, type)
  }

  private static func words(of row: Suggestion) -> [String] { Folding.words(of: (row.primary ?? row.text).text) }

  /// The words of a name without those for its type; all words if no others would remain.
  private static func withoutTypeWords(_ words: [String], _ type: PlaceType) -> [String] {
    guard let category = CategoryWords.split(words), category.types.contains(type), !category.otherWords.isEmpty else { return words }
    return category.otherWords
  }
}
