import JSON

/// Reads values of one row of an answer. The fields of a row are often members of one member, such as `properties`, which is looked up once.
final class RowReader {
  let answer: JSONValue
  let row: JSONValue
  private var memberName: String?
  private var member: JSONValue?

  init(answer: JSONValue, row: JSONValue) {
    self.answer = answer
    self.row = row
  }

  func value(_ path: RowPath) -> JSONValue? {
    guard let name = path.memberName else { return path.value(answer: answer, row: row) }
    if name != memberName {
      memberName = name
      member = row[name]
    }
    return member.flatMap { path.descend($0, from: 1) }
  }

  /// The value of a placeholder; a field has access to paths only.
  func value(of source: TextTemplate.Source) -> JSONValue? {
    if case .path(let path) = source { return value(path) }
    return nil
  }
}
