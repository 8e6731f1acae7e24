import PlacesKit
import Text

/// Recognizes a row that repeats an earlier one: a map may have a station or a hotel twice, once with a word for its type in the name
/// (`Bahnhof Schaan-Vaduz` and `Schaan-Vaduz`). Places with equal names are merged when the index is built.
enum RepeatedRow {
  /// The maximum distance in metres between two rows of one place.
  private static let maxDistance = 150.0

  /// Whether two rows are of one place: they have the same type and are close together, and their names differ in words for the type only.
  static func areOnePlace(_ a: Suggestion, _ b: Suggestion) -> Bool {
    guard let type = a.types.first, b.types.first == type, type.group != .region, type.group != .address, let location = a.location,
      let distance = b.location?.distance(to: location), distance <= maxDistance
    else { return false }
    if let number = a.evidence.houseNumber, let other = b.evidence.houseNumber, number != other { return false }
    let (words, otherWords) = (Folding.words(of: name(of: a)), Folding.words(of: name(of: b)))
    // Nearly all neighbours have different last words, or differ in more than a word for their type.
    guard words.count != otherWords.count, abs(words.count - otherWords.count) <= 3 else { return false }
    return withoutTypeWords(words, type) == withoutTypeWords(otherWords, type)
  }

  private static func name(of row: Suggestion) -> String { (row.primary ?? row.text).text }

  private static func withoutTypeWords(_ words: [String], _ type: PlaceType) -> [String] {
    guard let category = CategoryWords.split(words), category.types.contains(type), !category.otherWords.isEmpty else { return words }
    return category.otherWords
  }
}
