import Text

/// Reads the tables of the files, and collects the problems and the origin of each value.
struct SectionReader {
  var problems: [ConfigurationProblem] = []
  /// The origin of each value, by the key's full name, such as `daemon.deadline_ms`.
  private(set) var origins: [String: Origin] = [:]
  /// The names of the tables around the value that is being read.
  private var path: [String] = []

  /// The full name of the value that is being read.
  var name: String { SectionReader.joined(path) }

  mutating func report(_ origin: Origin, _ message: String, suggestion: String? = nil) {
    problems.append(ConfigurationProblem(origin, message, suggestion: suggestion))
  }

  /// Reports that a value is of the wrong kind.
  mutating func refuse(_ value: TOMLValue, expected: String) {
    report(value.origin, "`\(name)` must be \(expected), not \(value.kind)")
  }

  /// Reports a value that has the right kind but is not accepted.
  /// - Parameter valueText: the value as the message shows it.
  mutating func refuse(_ value: TOMLValue, _ valueText: String, expected: String, suggestion: String? = nil) {
    report(value.origin, "`\(name)` must be \(expected), not \(valueText)", suggestion: suggestion)
  }

  /// Records the value's position, and runs `body` with its name added to the path.
  mutating func enter<Result>(_ member: TOMLValue.Member, _ body: (inout SectionReader) -> Result) -> Result {
    path.append(member.key)
    defer { path.removeLast() }
    origins[name] = member.value.origin
    return body(&self)
  }

  /// Reads the members of a table that may have only these keys.
  mutating func read<Section>(_ members: [TOMLValue.Member], keys: [KeyDefinition<Section>], into section: inout Section) {
    for member in members {
      if let key = keys.first(where: { $0.name == member.key }) {
        enter(member) { key.read(member.value, &$0, &section) }
      } else {
        reportUnknown(member, known: keys.map(\.name))
      }
    }
  }

  /// Reports an unknown key, and suggests a similar one.
  mutating func reportUnknown(_ member: TOMLValue.Member, known: [String]) {
    let table = path.isEmpty ? "" : " in [\(name)]"
    report(
      member.origin, "unknown key `\(SectionReader.joined(path + [member.key]))`",
      suggestion: SectionReader.advice(member.key, known: known, in: table))
  }

  /// The keys in TOML's spelling, with a dot between them. A key that is not a bare key is quoted, so that a line break in it cannot break
  /// the line of a message.
  private static func joined(_ keys: [String]) -> String {
    keys.map { key in
      let isBare = !key.isEmpty && key.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
      return isBare ? key : quoted(key)
    }.joined(separator: ".")
  }

  /// The advice on an unknown key: a similar key, the tables that have this key, or the known keys.
  private static func advice(_ key: String, known: [String], in table: String) -> String {
    if let similarKey = nearest(to: key, among: known) { return "did you mean `\(similarKey)`?" }
    let tables = ConfigurationKeys.sections.filter { $0.keys.contains { $0.name == key } }.map { "[\($0.name)]" }
    if !tables.isEmpty { return "it belongs in \(tables.joined(separator: " or "))" }
    return "known\(table): \(known.sorted().joined(separator: ", "))"
  }
}
