import JSON
import Text

/// A converter's name, its arguments, and a sentence for the manual.
public struct ConverterWord: Sendable {
  /// The type of an argument.
  enum Argument: Sendable { case text, number, table, texts }

  public var name: String
  var arguments: [Argument]
  public var summary: String

  /// The name with the types of its arguments, such as `cut(number)`, for the manual.
  public var usage: String {
    let words = arguments.map { argument in
      switch argument {
      case .text: "text"
      case .number: "number"
      case .table: "table"
      case .texts: "text, ..."
      }
    }
    return words.isEmpty ? name : "\(name)(\(words.joined(separator: ", ")))"
  }

  /// Nil for an unknown name.
  static func named(_ name: String) -> ConverterWord? { all.first { $0.name == name } }

  public static let all: [ConverterWord] = [
    ConverterWord(name: "first", arguments: [], summary: "The first element of a list."),
    ConverterWord(name: "last", arguments: [], summary: "The last element of a list."),
    ConverterWord(name: "only", arguments: [], summary: "The element of a list of one; absent for a longer list."),
    ConverterWord(name: "item", arguments: [.number], summary: "The element with this number, from 0."),
    ConverterWord(
      name: "join", arguments: [.text], summary: "The elements as one text with this text between them. Without `join` it is a comma."),
    ConverterWord(name: "split", arguments: [.text], summary: "A list of the parts of a text, at most 100."),
    ConverterWord(name: "each", arguments: [], summary: "In a query: one parameter for each element."),
    ConverterWord(name: "lower", arguments: [], summary: "In lower case."),
    ConverterWord(name: "upper", arguments: [], summary: "In upper case."),
    ConverterWord(name: "cut", arguments: [.number], summary: "At most this many code points."),
    ConverterWord(
      name: "before", arguments: [.text], summary: "The part before the first such text; absent if the value does not contain it."),
    ConverterWord(
      name: "after", arguments: [.text], summary: "The part after the first such text; absent if the value does not contain it."),
    ConverterWord(name: "replace", arguments: [.text, .text], summary: "With the second text in place of the first."),
    ConverterWord(name: "is", arguments: [.texts], summary: "The value if it is one of these texts; else absent."),
    ConverterWord(name: "plain", arguments: [], summary: "Without tags such as `<b>`."),
    ConverterWord(
      name: "markup", arguments: [.text, .text],
      summary: "Without the two marks; in `text`, `primary` and `secondary`, what they enclose is what matches the query."),
    ConverterWord(name: "primary", arguments: [], summary: "The language without its region: `de` for `de-AT`."),
    ConverterWord(
      name: "one_of", arguments: [.texts], summary: "The listed language that the value names, or whose region it names; else absent."),
    ConverterWord(name: "alpha2", arguments: [], summary: "A country's code in two letters, in upper case."),
    ConverterWord(name: "alpha3", arguments: [], summary: "A country's code in three letters, in upper case."),
    ConverterWord(name: "map", arguments: [.table], summary: "The value's entry in `[tables.NAME]`; absent if the table has none."),
    ConverterWord(name: "number", arguments: [], summary: "A number; absent for a text that is not one."),
    ConverterWord(name: "round", arguments: [], summary: "The nearest whole number."),
    ConverterWord(name: "at_least", arguments: [.number], summary: "The number, or this one if that is greater."),
    ConverterWord(name: "at_most", arguments: [.number], summary: "The number, or this one if that is less."),
    ConverterWord(name: "times", arguments: [.number], summary: "Multiplied: `times(0.001)` makes kilometres of metres."),
    ConverterWord(name: "plus", arguments: [.number], summary: "With this number added."),
    ConverterWord(name: "swap", arguments: [], summary: "A list of two, or a text of two parts around a comma, in the other order."),
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
      converters.append(try one(from: &scanner, tables: tables))
      scanner.skipSpaces()
    }
    return converters
  }

  /// Reads `name(arguments)`.
  private static func one(from scanner: inout SyntaxScanner, tables: [String: [String: String]]) throws(SyntaxProblem) -> FieldConverter {
    let start = scanner.offset
    let name = scanner.run(\.isWordPart)
    guard let word = ConverterWord.named(name) else {
      let names = ConverterWord.all.map(\.name)
      let near = nearest(to: name, among: names).map { "did you mean `\($0)`?" }
      throw SyntaxProblem(start, "unknown converter `\(name)`", suggestion: near ?? "converters: \(names.joined(separator: ", "))")
    }
    var arguments: [(offset: Int, text: String)] = []
    if scanner.take("(") {
      repeat {
        scanner.skipSpaces()
        let offset = scanner.offset
        let isQuoted = scanner.current == "\"" || scanner.current == "'"
        let text = isQuoted ? try scanner.quotedText() : scanner.run { $0.isWordPart || $0 == "." || $0 == "-" }
        arguments.append((offset, text))
        scanner.skipSpaces()
      } while scanner.take(",")
      try scanner.expect(")", in: "`\(name)`")
    }
    let isList = word.arguments.contains { if case .texts = $0 { true } else { false } }
    guard isList ? !arguments.isEmpty : arguments.count == word.arguments.count else {
      throw SyntaxProblem(
        start, "`\(name)` takes \(isList ? "at least one argument" : count(word.arguments.count)), not \(arguments.count)")
    }
    return try make(word, arguments, at: start, tables: tables)
  }

  private static func count(_ count: Int) -> String { count == 0 ? "no argument" : count == 1 ? "one argument" : "\(count) arguments" }

  private static func make(
    _ word: ConverterWord, _ arguments: [(offset: Int, text: String)], at start: Int, tables: [String: [String: String]]
  ) throws(SyntaxProblem) -> FieldConverter {
    func text(_ index: Int) throws(SyntaxProblem) -> String {
      guard !arguments[index].text.isEmpty || word.name == "join" || (word.name == "replace" && index == 1) else {
        throw SyntaxProblem(arguments[index].offset, "`\(word.name)` needs a text that is not empty")
      }
      return arguments[index].text
    }
    func number() throws(SyntaxProblem) -> Double {
      guard let number = Double(arguments[0].text), number.isFinite, abs(number) <= 1e12 else {
        throw SyntaxProblem(arguments[0].offset, "`\(word.name)` needs a number, not `\(arguments[0].text)`")
      }
      return number
    }
    func count() throws(SyntaxProblem) -> Int {
      guard let count = Int(exactly: try number()), (0...10_000).contains(count) else {
        throw SyntaxProblem(arguments[0].offset, "`\(word.name)` needs a whole number from 0 to 10000")
      }
      return count
    }
    switch word.name {
    case "first": return .first
    case "last": return .last
    case "only": return .only
    case "item": return .item(try count())
    case "join": return .join(try text(0))
    case "split": return .split(try text(0))
    case "each": return .each
    case "lower": return .lower
    case "upper": return .upper
    case "cut": return .cut(try count())
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
    default:
      let name = arguments[0].text
      guard let table = tables[name] else {
        let near = nearest(to: name, among: tables.keys.sorted()).map { "did you mean `\($0)`?" } ?? "add [tables.\(name)]"
        throw SyntaxProblem(arguments[0].offset, "there is no table `\(name)`", suggestion: near)
      }
      return .map(name, table)
    }
  }
}
