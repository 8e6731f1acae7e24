import PlacesKit
import Text

/// The names that the placeholders of a template may use.
struct TemplateVocabulary {
  /// The call whose request has the template; nil if the template has no access to a request.
  var call: Call?
  /// Whether the template may contain paths into the answer.
  var allowsPaths = false
  var settings: [String] = []
  var tables: [String: [String: String]] = [:]

  fileprivate var names: [String] {
    let values = call.map { call in RequestValue.allCases.filter { $0.calls.contains(call) }.map(\.rawValue) } ?? []
    return values + (call == nil ? [] : settings.map { "settings.\($0)" })
  }
}

extension TextTemplate {
  /// The maximum number of parts (placeholders and texts) of a template.
  static let maxParts = 64

  /// Reads a template. If paths are possible, a text that begins with `@` or `$` is a single path with its converters. `{{` and `}}` stand
  /// for braces.
  init(parsing text: String, _ vocabulary: TemplateVocabulary) throws(SyntaxProblem) {
    var scanner = SyntaxScanner(text)
    if vocabulary.allowsPaths, scanner.current == "@" || scanner.current == "$" {
      let placeholder = try TextTemplate.placeholder(from: &scanner, vocabulary)
      guard scanner.isAtEnd else {
        throw SyntaxProblem(scanner.offset, "the path goes on with something that is neither a segment nor `|`")
      }
      self.init(parts: [.placeholder(placeholder)])
      return
    }
    var parts: [Part] = []
    var literal = ""
    while let scalar = scanner.current {
      scanner.advance()
      if (scalar == "{" || scalar == "}") && scanner.take(scalar) {
        literal.unicodeScalars.append(scalar)
      } else if scalar == "{" {
        if !literal.isEmpty { parts.append(.text(literal)) }
        literal = ""
        parts.append(.placeholder(try TextTemplate.placeholder(from: &scanner, vocabulary)))
        try scanner.expect("}", in: "the placeholder")
      } else if scalar == "}" {
        throw SyntaxProblem(scanner.offset - 1, "`}` without `{`", suggestion: "write `}}` for a brace")
      } else {
        literal.unicodeScalars.append(scalar)
      }
      guard parts.count < TextTemplate.maxParts else { throw SyntaxProblem(scanner.offset, "the template has too many placeholders") }
    }
    if !literal.isEmpty || parts.isEmpty { parts.append(.text(literal)) }
    self.init(parts: parts)
  }

  private static func placeholder(
    from scanner: inout SyntaxScanner, _ vocabulary: TemplateVocabulary
  ) throws(SyntaxProblem) -> Placeholder {
    scanner.skipSpaces()
    var presence = Placeholder.Presence.value
    if scanner.take("?") { presence = .required } else if scanner.take("!") { presence = .excluded }
    let valueSource = try source(from: &scanner, vocabulary)
    let converters = try FieldConverter.list(from: &scanner, tables: vocabulary.tables)
    return Placeholder(source: valueSource, presence: presence, converters: converters)
  }

  private static func source(from scanner: inout SyntaxScanner, _ vocabulary: TemplateVocabulary) throws(SyntaxProblem) -> Source {
    let start = scanner.offset
    if scanner.current == "@" || scanner.current == "$" {
      guard vocabulary.allowsPaths else { throw SyntaxProblem(start, "a path has no meaning here, before there is an answer") }
      return .path(try RowPath(from: &scanner))
    }
    let name = scanner.takeWhile { $0.isWordPart || $0 == "." || $0 == "-" }
    if name.hasPrefix("settings."), vocabulary.call != nil {
      let setting = String(name.dropFirst("settings.".count))
      if vocabulary.settings.contains(setting) { return .setting(setting) }
    } else if let value = RequestValue(rawValue: name), let call = vocabulary.call {
      guard value.calls.contains(call) else { throw SyntaxProblem(start, "`\(name)` is not a value of \(call.rawValue)") }
      return .request(value)
    }
    let knownNames = vocabulary.names
    let longerName = name.count > 2 ? knownNames.first { $0.hasPrefix(name) } : nil
    let suggestion = (longerName ?? nearest(to: name, among: knownNames)).map { "did you mean `\($0)`?" }
    let list = knownNames.isEmpty ? "a placeholder here is a path, such as `{@.name}`" : "values: \(knownNames.joined(separator: ", "))"
    throw SyntaxProblem(start, name.isEmpty ? "a placeholder without a name" : "unknown value `\(name)`", suggestion: suggestion ?? list)
  }
}
