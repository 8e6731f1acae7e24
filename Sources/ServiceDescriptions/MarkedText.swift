import PlacesKit

/// A text from which marks were removed, with the ranges that they enclosed.
struct MarkedText {
  var text: String
  /// Ascending, in code points of `text`.
  var matches: [TextRange] = []

  /// Removes every pair of marks, such as `<b>` and `</b>`, and records the enclosed ranges, at most 64.
  /// - Parameter removesTags: whether the text between the marks is removed as well, as for HTML tags.
  init(_ marked: String, open: String, close: String, removesTags: Bool = false) {
    text = ""
    var remaining = marked[...]
    // The number of code points of `text`.
    var length = 0
    func append(_ part: Substring, to text: inout String) {
      text += part
      length += part.unicodeScalars.count
    }
    while let start = remaining.firstRange(of: open), let end = remaining[start.upperBound...].firstRange(of: close) {
      append(remaining[..<start.lowerBound], to: &text)
      let matchStart = length
      if !removesTags { append(remaining[start.upperBound..<end.lowerBound], to: &text) }
      if length > matchStart, matches.count < 64 { matches.append(TextRange(start: matchStart, end: length)) }
      remaining = remaining[end.upperBound...]
    }
    append(remaining, to: &text)
  }
}
