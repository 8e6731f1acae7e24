import Geocoders
import JSON
import PlacesKit

/// The expressions of a row's fields.
struct RowFields: Sendable {
  /// A text of a suggestion: its expression, and how the service marks what matches the query.
  struct Text: Sendable {
    var field: RowField
    var alternatives: TemplateAlternatives
    var matches: MatchRanges?
  }

  /// By the field's raw value: reading a row looks at every field.
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

  /// Determines what follows from the expressions, such as the tree of their paths, once all fields have theirs.
  mutating func complete() {
    func added(_ alternatives: TemplateAlternatives) -> TemplateAlternatives {
      TemplateAlternatives(
        templates: alternatives.templates.map { template in
          var template = template
          template.add(to: &tree)
          return template
        })
    }
    countryIsConstant = self[.country]?.templates.contains { $0.placeholders.isEmpty } ?? false
    expressions = expressions.map { $0.map(added) }
    for index in texts.indices { texts[index].alternatives = added(texts[index].alternatives) }
  }

  /// The fields that have an expression.
  var names: Set<RowField> { Set(RowField.allCases.filter { self[$0] != nil }).union(texts.map(\.field)) }

  /// True if the country's name is constant in the description; a row without other texts is then dropped.
  private(set) var countryIsConstant = false

  /// Whether rows have a position.
  var havePosition: Bool { self[.latitude] != nil || self[.easting] != nil }

  /// Whether rows have types.
  var haveTypes: Bool { self[.types] != nil || self[.osmTag] != nil }
}

/// The location of the match ranges of a text in a row.
struct MatchRanges: Sendable {
  var ranges: RowPath
  var start: RowPath
  var end: RowPath?
  var length: RowPath?

  /// The ranges within a text of this many code points, ascending and without overlaps.
  func read(answer: JSONValue, row: JSONValue, within count: Int) -> [TextRange] {
    var found: [TextRange] = []
    for range in ranges.nodes(answer: answer, row: row).prefix(64) {
      guard let start = start.value(answer: answer, row: range)?.integer else { continue }
      let end =
        self.end.map { $0.value(answer: answer, row: range)?.integer }
        ?? length.map { $0.value(answer: answer, row: range)?.integer.flatMap { start.addingReportingOverflow($0).partialValue } } ?? nil
      guard let end, start >= found.last?.end ?? 0, end > start, end <= count else { continue }
      found.append(TextRange(start: start, end: end))
    }
    return found
  }
}
