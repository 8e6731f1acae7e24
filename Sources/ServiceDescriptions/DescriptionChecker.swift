import JSON
import PlacesKit
import TOML
import Text

/// Checks a description's file against the table of keys (`DescriptionKeys`), and collects its problems.
struct DescriptionChecker {
  private(set) var problems: [ConfigurationProblem] = []
  /// The keys that have a problem. Each is a path: the names of the tables around the key, then its own name.
  private var faultyKeys: [[String]] = []
  /// The path of the value that is being checked: the names of the tables around it, then its key.
  private var path: [String] = []
  private var vocabulary = TemplateVocabulary()

  /// - Parameters:
  ///   - settings: the names in `[settings]`.
  ///   - tables: the tables in `[tables]`.
  init(settings: [String], tables: [String: [String: String]]) {
    vocabulary.settings = settings
    vocabulary.tables = tables
  }

  /// Checks the members of a table.
  mutating func check(_ members: [TOMLValue.Member], against keys: [DescriptionKey], at origin: Origin) {
    // The known keys to which an unknown key is similar.
    var similarKeys: Set<String> = []
    for member in members {
      guard let key = keys.first(where: { $0.name == member.key }) else {
        if let similarKey = reportUnknown(member, known: keys.map(\.name)) { similarKeys.insert(similarKey) }
        continue
      }
      enter(member.key) { $0.check(member.value, key.shape) }
    }
    // A misspelt key is reported once, and not also as missing.
    for key in keys where key.isRequired && !similarKeys.contains(key.name) && !members.contains(where: { $0.key == key.name }) {
      let table = path.isEmpty ? "the file" : "[\(path.joined(separator: "."))]"
      enter(key.name) {
        $0.report(origin, "\(table) lacks `\(key.name)`: \(clause(key.summary))", suggestion: "it must be \(key.shape.expected)")
      }
    }
  }

  mutating func report(_ origin: Origin, _ message: String, suggestion: String? = nil) {
    problems.append(ConfigurationProblem(origin, message, suggestion: suggestion))
    if !path.isEmpty { faultyKeys.append(path) }
  }

  /// Whether a key, a key in its table or a table around it has a problem already. A further problem may then be only a consequence of it.
  func isFaulty(_ key: String...) -> Bool { faultyKeys.contains { $0.starts(with: key) || key.starts(with: $0) } }

  /// Whether a table has an unknown key. It may be a misspelling of a known key, so that key must not be reported as missing.
  func hasUnknownKey(in table: [String], besides known: [String]) -> Bool {
    faultyKeys.contains { $0.count == table.count + 1 && $0.starts(with: table) && !known.contains($0[table.count]) }
  }

  /// Runs the body with a key appended to the path.
  private mutating func enter(_ key: String, _ body: (inout DescriptionChecker) -> Void) {
    let outerCall = vocabulary.call
    // The table of a call has the call's name, and its templates may use the values of the call.
    if path.isEmpty { vocabulary.call = Call(rawValue: key) }
    path.append(key)
    body(&self)
    path.removeLast()
    vocabulary.call = outerCall
  }

  /// Reports an unknown key. Returns the similar known key that the problem suggests; nil if none is similar.
  private mutating func reportUnknown(_ member: TOMLValue.Member, known: [String]) -> String? {
    let similarKey =
      nearest(to: member.key, among: known) ?? DescriptionChecker.synonyms[member.key].flatMap { known.contains($0) ? $0 : nil }
    let isOfRoot = path.count > 0 && similarKey == nil && DescriptionKeys.root.contains { $0.name == member.key }
    let suggestion = isOfRoot ? "write it before the first table" : similarKey.map { "did you mean `\($0)`?" }
    let page = path == ["types"] ? "places-rpc(7)" : "places-service(5)"
    // A list of more than 40 keys would be too long for a message.
    let list = known.count > 40 ? "see \(page)" : "known: \(known.joined(separator: ", "))"
    enter(member.key) { $0.report(member.origin, "unknown key `\($0.path.joined(separator: "."))`", suggestion: suggestion ?? list) }
    return similarKey
  }

  /// Reports that the current value does not have its shape.
  /// - Parameter valueText: the value as the message shows it; nil to show its type.
  private mutating func refuse(_ value: TOMLValue, _ shape: ValueShape, _ valueText: String? = nil, suggestion: String? = nil) {
    let name = path.joined(separator: ".")
    report(value.origin, "`\(name)` must be \(shape.expected), not \(valueText ?? value.kind)", suggestion: suggestion)
  }

  /// Reports the value if it does not have the shape, and reports the problems inside it.
  private mutating func check(_ value: TOMLValue, _ shape: ValueShape) {
    switch (shape, value.content) {
    case (.text, .string(let text)): if text.isEmpty { refuse(value, shape, "an empty one") }
    case (.boolean, .boolean): break
    case (.integer(let range), .integer(let number)):
      if !(Int(exactly: number).map(range.contains) ?? false) { refuse(value, shape, String(number)) }
    case (.number(let range), .integer), (.number(let range), .float):
      if !(value.json?.double.map(range.contains) ?? false) { refuse(value, shape, value.json?.text) }
    case (.choice(let words), .string(let text)):
      if !words.contains(text) {
        refuse(value, shape, quoted(text), suggestion: nearest(to: text, among: words).map { "did you mean \"\($0)\"?" })
      }
    case (.date, .string(let text)): if !DescriptionChecker.isDate(text) { refuse(value, shape, quoted(text)) }
    case (.host, .string(let text)):
      if ServiceURL("https://\(text)").map({ $0.host != text || text.contains("{") }) ?? true { refuse(value, shape, quoted(text)) }
    case (.address, .string(let text)):
      if !text.hasPrefix("https://") || ServiceURL(String(text.prefix { $0 != "#" })) == nil { refuse(value, shape, quoted(text)) }
    case (.duration, .string(let text)):
      if StorageDuration.seconds(text) == nil { refuse(value, shape, quoted(text), suggestion: StorageDuration.suggestion(for: text)) }
    case (.path, .string(let text)):
      do throws(SyntaxProblem) { _ = try RowPath(parsing: text) } catch { report(error, in: value) }
    case (.template(let allowsPaths), .string(let text)): checkTemplate(text, of: value, allowsPaths: allowsPaths)
    case (.alternatives(let allowsPaths), .string(let text)): checkTemplate(text, of: value, allowsPaths: allowsPaths)
    case (.alternatives(let allowsPaths), .array(let values)):
      checkList(values, .template(allowsPaths: allowsPaths), of: value, count: 1...16)
    case (.list(let element), .array(let values)): checkList(values, element, of: value, count: 0...256)
    case (.oneOrMore(let element), .array(let values)): checkList(values, element, of: value, count: 1...256)
    case (.oneOrMore(let element), _): check(value, element)
    case (.table(let keys), .table(let members)): check(members, against: keys, at: value.origin)
    case (.map(let words, let element), .table(let members)): checkMap(members, words: words, element)
    case (.body, .table): checkBody(value)
    case (.text, .integer), (.text, .float), (.text, .boolean), (.template, .integer), (.template, .float), (.template, .boolean),
      (.alternatives, .integer), (.alternatives, .float), (.alternatives, .boolean):
      refuse(value, shape, value.json?.text, suggestion: value.json.map { "write \"\($0.text)\", in quotation marks" })
    case (.duration, .integer(let number)):
      refuse(value, shape, String(number), suggestion: StorageDuration.suggestion(for: String(number)))
    default: refuse(value, shape)
    }
  }

  /// The key that is probably meant by a name that services and other formats use.
  private static let synonyms = [
    "max_rows": "maximum_rows", "limit": "maximum_rows", "max_results": "maximum_rows", "min_letters": "minimum_letters",
    "lat": "latitude", "lon": "longitude", "lng": "longitude", "zip": "postcode", "postal_code": "postcode", "town": "city",
    "region": "state",
    "title": "name", "address": "label", "formatted_address": "label", "type": "types", "url_template": "path", "params": "query",
    "parameters": "query", "expires": "other", "api_key": "key", "docs": "documentation", "host": "hosts",
  ]

  private mutating func checkList(_ values: [TOMLValue], _ elementShape: ValueShape, of value: TOMLValue, count: ClosedRange<Int>) {
    guard count.contains(values.count) else {
      return report(value.origin, "a list here must have \(count.lowerBound) to \(count.upperBound) elements")
    }
    for element in values { check(element, elementShape) }
  }

  private mutating func checkMap(_ members: [TOMLValue.Member], words: [String], _ valueShape: ValueShape) {
    for member in members {
      if words.isEmpty || words.contains(member.key) {
        enter(member.key) { $0.check(member.value, valueShape) }
      } else {
        _ = reportUnknown(member, known: words)
      }
    }
  }

  /// Checks a value in a body. Texts at any depth are templates, and all values must be possible in JSON.
  private mutating func checkBody(_ value: TOMLValue) {
    switch value.content {
    case .string(let text): checkTemplate(text, of: value, allowsPaths: false)
    case .array(let values): for element in values { checkBody(element) }
    case .table(let members): for member in members { enter(member.key) { $0.checkBody(member.value) } }
    case .integer, .boolean: break
    case .float(let number): if number == nil { report(value.origin, "a number that JSON cannot represent") }
    case .date: report(value.origin, "a date is not JSON", suggestion: "write it as a string")
    }
  }

  private mutating func checkTemplate(_ text: String, of value: TOMLValue, allowsPaths: Bool) {
    var vocabulary = vocabulary
    vocabulary.allowsPaths = allowsPaths
    // The expression of a field reads the answer and has no access to the request.
    if allowsPaths { vocabulary.call = nil }
    var scalars = text.unicodeScalars[...]
    // After a mistake, the text after its placeholder is checked as well.
    while true {
      do throws(SyntaxProblem) {
        _ = try TextTemplate(parsing: String(scalars), vocabulary)
        return
      } catch {
        report(error, in: value, after: text.unicodeScalars.distance(from: text.startIndex, to: scalars.startIndex))
        guard let end = scalars.dropFirst(error.offset).firstIndex(of: "}") else { return }
        scalars = scalars[end...].dropFirst()
        // A rest that begins with `@` or `$` would be read as a path.
        guard scalars.first != "@", scalars.first != "$", scalars.contains("{") else { return }
      }
    }
  }

  /// Reports a problem in the text of a value.
  /// - Parameter count: the number of code points of the text before the part in which the problem's offset is counted.
  private mutating func report(_ problem: SyntaxProblem, in value: TOMLValue, after count: Int = 0) {
    var origin = value.origin
    // The text begins after the quotation mark. In strings with escapes or several lines the column is approximate.
    origin.column += 1 + count + problem.offset
    report(origin, "`\(path.joined(separator: "."))`: \(problem.message)", suggestion: problem.suggestion)
  }

  /// True for a day that the calendar has, such as `2026-11-25`.
  private static func isDate(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else { return false }
    guard let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]) else { return false }
    // A month or a day that does not exist becomes another one.
    let date = Day(year: year, month: month, day: day).civil
    return date.year == year && date.month == month && date.day == day
  }
}
