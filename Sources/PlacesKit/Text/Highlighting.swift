/// Which parts of a shown text a query matches.
public enum Highlighting {
  /// Half-open ranges in code points of `text`, ascending, without overlaps: each word of the query that a word of the text
  /// starts with, once; a query written together (`sanfran`) also across the text's words (`San Francisco`).
  ///
  /// Right also where folding changes lengths: `strass` in `Straße` ends after the `ß`, and a letter keeps its marks.
  public static func matches(of query: String, in text: String) -> [Range<Int>] {
    matches(ofWords: Folding.words(of: query), in: text)
  }

  /// The ranges for a query whose words are already folded.
  public static func matches(ofWords queryWords: [String], in text: String) -> [Range<Int>] {
    FoldedText(text).matches(ofWords: queryWords)
  }
}
