/// Finds the parts of a displayed text that a query matches.
public enum Highlighting {
  /// The matches: half-open ranges in code points of `text`, ascending, without overlaps. Each word of the query has at most one range, at
  /// the beginning of a word of the text that starts with it. A query without spaces (`sanfran`) also matches across the text's words (`San
  /// Francisco`). The ranges are also right if folding changes lengths: the match of `strass` in `Straße` ends after the `ß`. A range
  /// includes the combining marks of its last letter.
  public static func matches(of query: String, in text: String) -> [Range<Int>] {
    matches(ofWords: Folding.words(of: query), in: text)
  }

  /// The ranges for a query whose words are already folded.
  public static func matches(ofWords queryWords: [String], in text: String) -> [Range<Int>] {
    FoldedText(text).matches(ofWords: queryWords)
  }
}
