/// A text to display, with the ranges that match the typed query.
public struct FormattedText: Sendable, Hashable, Codable {
  public var text: String
  /// The ranges that match: ascending, without overlaps, each within the text.
  public var matches: [TextRange]

  public init(_ text: String, matches: [TextRange] = []) {
    self.text = text
    self.matches = matches
  }
}

/// A half-open range of Unicode code points of the string that it belongs to.
public struct TextRange: Sendable, Hashable, Codable {
  public var start: Int
  public var end: Int

  public init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  public init(_ range: Range<Int>) { self.init(start: range.lowerBound, end: range.upperBound) }
}
