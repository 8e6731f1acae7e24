import JSON

/// A problem in the configuration.
public struct ConfigurationProblem: Error, Sendable, Hashable, CustomStringConvertible {
  public var origin: Origin
  /// The problem, including the key's full name.
  public var message: String
  /// How to fix it.
  public var suggestion: String?

  public init(_ origin: Origin, _ message: String, suggestion: String? = nil) {
    self.origin = origin
    self.message = message
    self.suggestion = suggestion
  }

  /// One line: `file:line:column: what is wrong; what to do`.
  public var description: String { "\(origin): \(message)" + (suggestion.map { "; \($0)" } ?? "") }
}

/// All problems in the configuration, in the order of the files.
public struct ConfigurationErrors: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problems, ordered by origin; never empty.
  public var problems: [ConfigurationProblem]

  public init(_ problems: [ConfigurationProblem]) { self.problems = problems.sorted { $0.origin < $1.origin } }

  /// One line for each problem.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// The string in quotes for a message, with escapes. A string of more than 80 code points is shortened.
package func quoted(_ string: String) -> String {
  let short = String(string.unicodeScalars.prefix(80).map(Character.init))
  return JSONValue.string(short == string ? string : short + "…").text
}

/// The first sentence of a summary in a form that can follow a colon: `The service's name for people.` becomes `the service's name for
/// people`.
package func clause(_ summary: String) -> String {
  var text = summary.firstRange(of: ". ").map { String(summary[..<$0.lowerBound]) } ?? summary
  if text.hasSuffix(".") { text.removeLast() }
  // A name such as OpenStreetMap keeps its capital.
  guard let first = text.first, text.prefix(while: { $0 != " " }).count(where: \.isUppercase) == 1 else { return text }
  return first.lowercased() + text.dropFirst()
}
