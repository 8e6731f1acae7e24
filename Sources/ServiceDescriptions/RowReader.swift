import JSON

/// Reads values of one row of an answer.
final class RowReader {
  let answer: JSONValue
  let row: JSONValue
  /// The values of the paths in the fields' tree.
  private let values: [JSONValue?]

  init(answer: JSONValue, row: JSONValue, fields: RowFields) {
    self.answer = answer
    self.row = row
    values = fields.tree.values(of: row)
  }

  /// The value of a path in the fields' tree, by the path's `valueIndex`.
  subscript(valueIndex: Int) -> JSONValue? { values[valueIndex] }

  /// The value of a placeholder; nil if there is none. The expression of a field has access to paths only.
  func value(of source: TextTemplate.Source) -> JSONValue? {
    guard case .path(let path) = source else { return nil }
    return path.valueIndex.map { values[$0] } ?? path.value(answer: answer, row: row)
  }
}
