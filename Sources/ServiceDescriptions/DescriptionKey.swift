import PlacesKit

/// A key of a description: its name, its permitted values and its meaning.
public struct DescriptionKey: Sendable {
  public var name: String
  var shape: ValueShape
  /// One sentence for the manual.
  public var summary: String
  public var isRequired: Bool

  init(_ name: String, _ shape: ValueShape, _ summary: String, required: Bool = false) {
    self.name = name
    self.shape = shape
    self.summary = summary
    isRequired = required
  }
}

/// The permitted values of a key.
indirect enum ValueShape: Sendable {
  case text
  case boolean
  case integer(ClosedRange<Int>)
  case number(ClosedRange<Double>)
  case choice([String])
  /// `YYYY-MM-DD`.
  case date
  case host
  /// An address that begins with https://.
  case address
  /// `30 days`, `forever` or `never`.
  case duration
  /// A path into an answer.
  case path(example: String)
  /// A template. Only the templates in `[fields]` may have paths.
  case template(allowsPaths: Bool)
  /// A template, or a list of templates; the first one that has a value is used.
  case alternatives(allowsPaths: Bool)
  /// A JSON object. All texts in it, at any depth, are templates.
  case body
  case list(ValueShape)
  case oneOrMore(ValueShape)
  case table([DescriptionKey])
  /// A table whose keys are among `words`, or are any names if `words` is empty.
  case map(words: [String], ValueShape)

  /// A description of the permitted values that can follow "must be".
  var expected: String {
    switch self {
    case .text: "a string that is not empty"
    case .boolean: "true or false"
    case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range): "a number from \(range.lowerBound.decimalText) to \(range.upperBound.decimalText)"
    case .choice(let words): "one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
    case .date: "a date such as \"2026-11-25\""
    case .host: "a host name in lower case, such as \"api.example.org\""
    case .address: "an address that begins with https://"
    case .duration: "a duration such as \"30 days\", \"forever\" or \"never\""
    case .path(let example): "a path such as \"\(example)\""
    case .template: "a template such as \"{query}\""
    case .alternatives(let allowsPaths): "a template such as \"\(allowsPaths ? "@.name" : "{query}")\", or a list of alternatives"
    case .body: "a table"
    case .list(let element): "a list, each element \(element.expected)"
    case .oneOrMore(let element): "\(element.expected), or a list of such"
    case .table, .map: "a table"
    }
  }
}
