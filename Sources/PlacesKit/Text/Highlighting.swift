/// Finds the parts of a displayed text that a query matches.
public enum Highlighting {
  /// The matches: half-open ranges in code points of `text`, ascending, without overlaps. Each word of the query matches the start of at
  /// most one word of the text. A query without spaces (`sanfran`) also matches several words of the text (`San Francisco`). The ranges are
  /// also correct if folding changes the length: the match of `strass` in `Straße` ends after the `ß`. A range includes the combining marks
  /// of its last letter.
  public static func matches(of query: String, in text: String) -> [Range<Int>] {
    matches(ofWords: Folding.words(of: query), in: text)
  }

  /// The matches of a query whose words are already folded.
  public static func matches(ofWords queryWords: [String], in text: String) -> [Range<Int>] {
    FoldedText(text).matches(ofWords: queryWords)
  }
}
