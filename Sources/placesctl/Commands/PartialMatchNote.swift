import PlacesAPI
import PlacesKit
import Text

/// The note below rows none of which match all words of the query.
enum PartialMatchNote {
  /// The note on suggestions; nil if a row matches all words, or if the rows have no explanation.
  static func text(_ query: String, _ rows: [SuggestionRow]) -> String? {
    var shown: [String] = []
    for row in rows {
      guard let match = row.explain?["match"]?.string, ["part", "other"].contains(match) else { return nil }
      // How the daemon found a row that matches by nothing in it is not known.
      if match == "part" { shown += [row.text.text, row.explain?["matchedName"]?.string ?? ""] }
    }
    return shown.isEmpty ? nil : text(query, shown)
  }

  /// The note on places; nil if a row matches all words.
  static func text(_ query: String, _ rows: [PlaceRow]) -> String? {
    guard !query.isBlank, !rows.isEmpty, rows.allSatisfy({ $0.partialMatch == true }) else { return nil }
    return text(query, rows.flatMap { row in [PlaceField.name, .formattedAddress].compactMap { row.values[$0]?.string } })
  }

  /// - Parameter shown: the texts of the rows.
  private static func text(_ query: String, _ shown: [String]) -> String {
    let shownWords = Set(shown.flatMap { Folding.words(of: $0) })
    let typed = query.split(whereSeparator: \.isWhitespace)
    let ignored = typed.filter { part in
      let words = Folding.words(of: String(part))
      return !words.isEmpty && !words.contains { word in shownWords.contains { $0.hasPrefix(word) } }
    }
    // The rows may match by a name that they do not show, so it is not known which of the words that they do not show are ignored.
    guard !ignored.isEmpty, ignored.count < typed.count else { return "no place matches all words of “\(printable(query))”" }
    return "no place matches all words; ignored: \(printable(ignored.joined(separator: " ")))"
  }
}
