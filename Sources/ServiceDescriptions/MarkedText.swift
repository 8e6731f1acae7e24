import PlacesKit

/// A text from which marks were removed, with the ranges that they enclosed.
struct MarkedText {
  var text: String
  /// Ascending, in code points of `text`.
  var matches: [TextRange] = []

  /// Removes every pair of marks, such as `<b>` and `</b>`, and records the enclosed ranges, at most 64.
  /// - Parameter removesTags: true to remove the text between the marks too, as for HTML tags.
  init(_ marked: String, open: String, close: String, removesTags: Bool = false) {
    text = ""
    var rest = marked[...]
    var length = 0
    func append(_ part: Substring, to text: inout String) {
      text += part
      length += part.unicodeScalars.count
    }
    while let start = rest.firstRange(of: open), let end = rest[start.upperBound...].firstRange(of: close) {
      append(rest[..<start.lowerBound], to: &text)
      let from = length
      if !removesTags { append(rest[start.upperBound..<end.lowerBound], to: &text) }
      if length > from, matches.count < 64 { matches.append(TextRange(start: from, end: length)) }
      rest = rest[end.upperBound...]
    }
    append(rest, to: &text)
  }
}
