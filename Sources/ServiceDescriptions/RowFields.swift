import Geocoders
import JSON
import PlacesKit

/// The expressions of a row's fields.
struct RowFields: Sendable {
  /// A text of a suggestion: its expression, and the paths of the ranges that match the query.
  struct Text: Sendable {
    var field: RowField
    var alternatives: TemplateAlternatives
    var matches: MatchRanges?
  }

  /// The expressions by the raw values of the fields. It is an array instead of a dictionary, because reading a row looks at every field.
  private var expressions = [TemplateAlternatives?](repeating: nil, count: RowField.allCases.count)
  var texts: [Text] = []
  /// The grid of `easting` and `northing`.
  var grid: NationalGrid?
  /// The paths of the fields that select one value each.
  private(set) var tree = PathTree()

  /// The expression of a field that is not one of `texts`; for a list, the templates of its elements.
  subscript(field: RowField) -> TemplateAlternatives? {
    get { expressions[field.rawValue] }
    set { expressions[field.rawValue] = newValue }
  }

  /// Builds the tree of paths and sets `countryIsConstant`. Call it after all expressions are set.
  mutating func complete() {
    /// Adds the paths of the templates to the tree. Returns the templates with the indices of the paths' values.
    func withPathsInTree(_ alternatives: TemplateAlternatives) -> TemplateAlternatives {
      TemplateAlternatives(
        templates: alternatives.templates.map { template in
          var template = template
          template.add(to: &tree)
          return template
        })
    }
    countryIsConstant = self[.country]?.templates.contains { $0.placeholders.isEmpty } ?? false
    expressions = expressions.map { $0.map(withPathsInTree) }
    for index in texts.indices { texts[index].alternatives = withPathsInTree(texts[index].alternatives) }
  }

  /// The fields that have an expression.
  var definedFields: Set<RowField> { Set(RowField.allCases.filter { self[$0] != nil }).union(texts.map(\.field)) }

  /// Whether the country's name is constant in the description. If it is, it does not count as a text of a row, so a row without
  /// other texts is dropped.
  private(set) var countryIsConstant = false

  /// Whether rows may have a position.
  var mayHavePosition: Bool { self[.latitude] != nil || self[.easting] != nil }

  /// Whether rows may have types.
  var mayHaveTypes: Bool { self[.types] != nil || self[.osmTag] != nil }
}

/// The paths of the match ranges of a text in a row.
struct MatchRanges: Sendable {
  var ranges: RowPath
  var start: RowPath
  var end: RowPath?
  var length: RowPath?

  /// The ranges in a row, in ascending order and without overlaps. Invalid ranges are dropped.
  /// - Parameter count: the number of code points of the text.
  func read(answer: JSONValue, row: JSONValue, within count: Int) -> [TextRange] {
    var textRanges: [TextRange] = []
    for range in ranges.nodes(answer: answer, row: row).prefix(64) {
      guard let rangeStart = start.value(answer: answer, row: range)?.integer else { continue }
      let rangeEnd: Int?
      if let endPath = end {
        rangeEnd = endPath.value(answer: answer, row: range)?.integer
      } else {
        // A length so great that the sum overflows gives a negative end, and the range is dropped.
        rangeEnd = length?.value(answer: answer, row: range)?.integer.map { rangeStart.addingReportingOverflow($0).partialValue }
      }
      guard let exclusiveEnd = rangeEnd, rangeStart >= textRanges.last?.end ?? 0, exclusiveEnd > rangeStart, exclusiveEnd <= count
      else { continue }
      textRanges.append(TextRange(start: rangeStart, end: exclusiveEnd))
    }
    return textRanges
  }
}
