import JSON
import Text

/// The signature of a converter: its name, the types of its parameters, and a sentence for the manual.
public struct ConverterSignature: Sendable {
  enum ParameterType: Sendable {
    case text, number
    /// The name of a table.
    case table
    /// One or more texts.
    case texts
  }

  public var name: String
  var parameters: [ParameterType]
  public var summary: String

  /// The name with the types of its parameters, such as `cut(number)`, for the manual.
  public var usage: String {
    let types = parameters.map { type in
      switch type {
      case .text: "text"
      case .number: "number"
      case .table: "table"
      case .texts: "text, ..."
      }
    }
    return types.isEmpty ? name : "\(name)(\(types.joined(separator: ", ")))"
  }

  /// The signature of the converter with this name; nil for an unknown name.
  static func named(_ name: String) -> ConverterSignature? { all.first { $0.name == name } }

  public static let all: [ConverterSignature] = [
    ConverterSignature(name: "first", parameters: [], summary: "The first element of a list."),
    ConverterSignature(name: "last", parameters: [], summary: "The last element of a list."),
    ConverterSignature(name: "only", parameters: [], summary: "The element of a list of one; absent for a longer list."),
    ConverterSignature(name: "item", parameters: [.number], summary: "The element with this number, from 0."),
    ConverterSignature(
      name: "join", parameters: [.text],
      summary: "The elements as one text, with the argument between them. Without `join`, they are separated by commas."),
    ConverterSignature(name: "split", parameters: [.text], summary: "A list of the parts of a text, at most 100."),
    ConverterSignature(name: "each", parameters: [], summary: "In the query of a URL: one parameter for each element."),
    ConverterSignature(name: "lower", parameters: [], summary: "The text in lower case."),
    ConverterSignature(name: "upper", parameters: [], summary: "The text in upper case."),
    ConverterSignature(name: "cut", parameters: [.number], summary: "At most this many code points."),
    ConverterSignature(
      name: "before", parameters: [.text], summary: "The part before the first such text; absent if the value does not contain it."),
    ConverterSignature(
      name: "after", parameters: [.text], summary: "The part after the first such text; absent if the value does not contain it."),
    ConverterSignature(name: "replace", parameters: [.text, .text], summary: "The value with the second text in place of the first."),
    ConverterSignature(name: "is", parameters: [.texts], summary: "The value if it is one of these texts; else absent."),
    ConverterSignature(name: "plain", parameters: [], summary: "The text without tags such as `<b>`."),
    ConverterSignature(
      name: "markup", parameters: [.text, .text],
      summary:
        "The text without these two marks. In `text`, `primary` and `secondary`, the part between them is what matches the query."
    ),
    ConverterSignature(name: "primary", parameters: [], summary: "The language of a language tag, in lower case: `de` for `de-AT`."),
    ConverterSignature(
      name: "one_of", parameters: [.texts],
      summary: "The value if it is one of these languages; else its language without the region if that is one; else absent."),
    ConverterSignature(name: "alpha2", parameters: [], summary: "A country's code in two letters, in upper case."),
    ConverterSignature(name: "alpha3", parameters: [], summary: "A country's code in three letters, in upper case."),
    ConverterSignature(name: "map", parameters: [.table], summary: "The value's entry in `[tables.NAME]`; absent if the table has none."),
    ConverterSignature(name: "number", parameters: [], summary: "A number; absent for a text that is not one."),
    ConverterSignature(name: "round", parameters: [], summary: "The nearest whole number."),
    ConverterSignature(name: "at_least", parameters: [.number], summary: "The value, or the argument if the value is less."),
    ConverterSignature(name: "at_most", parameters: [.number], summary: "The value, or the argument if the value is greater."),
    ConverterSignature(
      name: "times", parameters: [.number], summary: "The value times the argument: `times(0.001)` converts metres to kilometres."),
    ConverterSignature(name: "plus", parameters: [.number], summary: "The sum of the value and the argument."),
    ConverterSignature(name: "swap", parameters: [], summary: "A list of two, or a text of two parts around a comma, in the other order."),
  ]
}

extension FieldConverter {
  /// The maximum number of converters of one placeholder.
  static let maxConverters = 16

  /// Reads any number of `| name(arguments)`.
  static func list(from scanner: inout SyntaxScanner, tables: [String: [String: String]]) throws(SyntaxProblem) -> [FieldConverter] {
    var converters: [FieldConverter] = []
    scanner.skipSpaces()
    while scanner.take("|") {
      guard converters.count < maxConverters else { throw SyntaxProblem(scanner.offset, "more than \(maxConverters) converters") }
      scanner.skipSpaces()
      converters.append(try converter(from: &scanner, tables: tables))
      scanner.skipSpaces()
    }
    return converters
  }

  /// Reads `name(arguments)`.
  private static func converter(
    from scanner: inout SyntaxScanner, tables: [String: [String: String]]
  ) throws(SyntaxProblem) -> FieldConverter {
    let start = scanner.offset
    let name = scanner.takeWhile(\.isWordPart)
    guard let signature = ConverterSignature.named(name) else {
      let names = ConverterSignature.all.map(\.name)
      let suggestion = nearest(to: name, among: names).map { "did you mean `\($0)`?" }
      throw SyntaxProblem(start, "unknown converter `\(name)`", suggestion: suggestion ?? "converters: \(names.joined(separator: ", "))")
    }
    var arguments: [(offset: Int, text: String)] = []
    if scanner.take("(") {
      repeat {
        scanner.skipSpaces()
        let offset = scanner.offset
        let isQuoted = scanner.current == "\"" || scanner.current == "'"
        let text = isQuoted ? try scanner.quotedText() : scanner.takeWhile { $0.isWordPart || $0 == "." || $0 == "-" }
        arguments.append((offset, text))
        scanner.skipSpaces()
      } while scanner.take(",")
      try scanner.expect(")", in: "`\(name)`")
    }
    let takesList = signature.parameters.contains(.texts)
    guard takesList ? !arguments.isEmpty : arguments.count == signature.parameters.count else {
      throw SyntaxProblem(
        start, "`\(name)` takes \(takesList ? "at least one argument" : argumentCount(signature.parameters.count)), not \(arguments.count)")
    }
    return try converter(signature.name, arguments, at: start, tables: tables)
  }

  private static func argumentCount(_ count: Int) -> String {
    switch count {
    case 0: "no argument"
    case 1: "one argument"
    default: "\(count) arguments"
    }
  }

  /// Creates the converter with this name. Throws if an argument is invalid. The caller has checked the number of
  /// arguments.
  private static func converter(
    _ name: String, _ arguments: [(offset: Int, text: String)], at start: Int, tables: [String: [String: String]]
  ) throws(SyntaxProblem) -> FieldConverter {
    func text(_ index: Int) throws(SyntaxProblem) -> String {
      guard !arguments[index].text.isEmpty || name == "join" || (name == "replace" && index == 1) else {
        throw SyntaxProblem(arguments[index].offset, "`\(name)` needs a text that is not empty")
      }
      return arguments[index].text
    }
    func number() throws(SyntaxProblem) -> Double {
      guard let value = Double(arguments[0].text), value.isFinite, abs(value) <= 1e12 else {
        throw SyntaxProblem(arguments[0].offset, "`\(name)` needs a number, not `\(arguments[0].text)`")
      }
      return value
    }
    func wholeNumber() throws(SyntaxProblem) -> Int {
      guard let count = Int(exactly: try number()), (0...10_000).contains(count) else {
        throw SyntaxProblem(arguments[0].offset, "`\(name)` needs a whole number from 0 to 10000")
      }
      return count
    }
    switch name {
    case "first": return .first
    case "last": return .last
    case "only": return .only
    case "item": return .item(try wholeNumber())
    case "join": return .join(try text(0))
    case "split": return .split(try text(0))
    case "each": return .each
    case "lower": return .lower
    case "upper": return .upper
    case "cut": return .cut(try wholeNumber())
    case "before": return .before(try text(0))
    case "after": return .after(try text(0))
    case "replace": return .replace(try text(0), try text(1))
    case "is": return .is_(try arguments.indices.map(text))
    case "plain": return .plain
    case "markup": return .markup(try text(0), try text(1))
    case "primary": return .primary
    case "one_of": return .oneOf(arguments.map(\.text))
    case "alpha2": return .alpha2
    case "alpha3": return .alpha3
    case "number": return .number
    case "round": return .round
    case "at_least": return .atLeast(try number())
    case "at_most": return .atMost(try number())
    case "times": return .times(try number())
    case "plus": return .plus(try number())
    case "swap": return .swap
    case "map":
      let tableName = arguments[0].text
      guard let table = tables[tableName] else {
        let suggestion = nearest(to: tableName, among: tables.keys.sorted()).map { "did you mean `\($0)`?" } ?? "add [tables.\(tableName)]"
        throw SyntaxProblem(arguments[0].offset, "there is no table `\(tableName)`", suggestion: suggestion)
      }
      return .map(tableName, table)
    default: throw SyntaxProblem(start, "unknown converter `\(name)`")
    }
  }
}
