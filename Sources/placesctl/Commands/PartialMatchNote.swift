import PlacesAPI
import PlacesKit
import Text

/// The note that is printed if no row matches all words of the query.
enum PartialMatchNote {
  /// The note on suggestions; nil if a row matches all words, or if the rows have no explanation.
  static func text(_ query: String, _ rows: [SuggestionRow]) -> String? {
    var rowTexts: [String] = []
    for row in rows {
      guard let match = row.explain?["match"]?.string, ["part", "other"].contains(match) else { return nil }
      // Nothing in a row with the match `other` shows why the daemon returned it.
      if match == "part" { rowTexts += [row.text.text, row.explain?["matchedName"]?.string ?? ""] }
    }
    return rowTexts.isEmpty ? nil : text(query, rowTexts)
  }

  /// The note on places; nil if a row matches all words.
  static func text(_ query: String, _ rows: [PlaceRow]) -> String? {
    guard !query.isBlank, !rows.isEmpty, rows.allSatisfy({ $0.partialMatch == true }) else { return nil }
    return text(query, rows.flatMap { row in [PlaceField.name, .formattedAddress].compactMap { row.values[$0]?.string } })
  }

  private static func text(_ query: String, _ rowTexts: [String]) -> String {
    let wordsOfRows = Set(rowTexts.flatMap { Folding.words(of: $0) })
    let parts = query.split(whereSeparator: \.isWhitespace)
    let ignored = parts.filter { part in
      let words = Folding.words(of: String(part))
      return !words.isEmpty && !words.contains { word in wordsOfRows.contains { $0.hasPrefix(word) } }
    }
    // If the texts of the rows contain all of the words or none, the ignored words are not known: a row may match by a name that it does
    // not show.
    guard !ignored.isEmpty, ignored.count < parts.count else { return "no place matches all words of “\(printable(query))”" }
    return "no place matches all words; ignored: \(printable(ignored.joined(separator: " ")))"
  }
}
