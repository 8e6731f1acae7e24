import PlacesKit
import Text

/// The other name by which a query names a place.
enum Alias {
  /// The first other name whose words the query begins with; nil if there is none. Merging looks only at the first of a place's many names,
  /// so this one must precede the others.
  static func named(in queryWords: [String], of place: Place) -> String? {
    place.evidence.otherNames.first { name in
      let words = Folding.words(of: name)
      return !words.isEmpty && queryWords.starts(with: words)
    }
  }
}
