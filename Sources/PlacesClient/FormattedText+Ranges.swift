import PlacesKit

/// The matched parts of a text as ranges of the text itself. The protocol counts code points; Swift strings have their own indices, and
/// Qt, Cocoa and JavaScript count UTF-16 code units.
extension FormattedText {
  /// The matches as ranges of `text`, ascending. A match outside the text is omitted.
  public var matchRanges: [Range<String.Index>] { matches.compactMap { $0.range(in: text) } }

  /// The matches in UTF-16 code units of `text`, ascending. A match outside the text is omitted.
  public var utf16MatchRanges: [Range<Int>] { matchRanges.map { text.utf16Range(of: $0) } }
}

extension TextRange {
  /// The range as indices of its string; nil if it is empty, reversed or outside the string.
  public func range(in text: String) -> Range<String.Index>? {
    let scalars = text.unicodeScalars
    guard start >= 0, start < end, let lower = scalars.index(scalars.startIndex, offsetBy: start, limitedBy: scalars.endIndex),
      let upper = scalars.index(lower, offsetBy: end - start, limitedBy: scalars.endIndex)
    else { return nil }
    return lower..<upper
  }
}

extension String {
  /// A range of this string in UTF-16 code units.
  fileprivate func utf16Range(of range: Range<Index>) -> Range<Int> {
    let start = utf16.distance(from: utf16.startIndex, to: range.lowerBound)
    return start..<(start + utf16.distance(from: range.lowerBound, to: range.upperBound))
  }
}
