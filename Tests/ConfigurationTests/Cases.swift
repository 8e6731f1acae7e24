import Testing

@testable import Configuration

/// An invalid text and all its problem lines.
struct Mistake: Sendable, CustomTestStringConvertible {
  var text: String
  var said: [String]

  var testDescription: String { said.first ?? text }

  /// Cases separated by empty lines: the lines of the text, then its problem lines, each after `=> `.
  static func table(_ cases: String) -> [Mistake] {
    cases.split(separator: "\n\n").map { block in
      let lines = block.split(separator: "\n").map(String.init)
      let said = lines.filter { $0.hasPrefix("=> ") }.map { String($0.dropFirst(3)) }
      return Mistake(text: lines.filter { !$0.hasPrefix("=> ") }.joined(separator: "\n"), said: said)
    }
  }
}

/// The configuration of texts, as the main file `t` and files of `providers.d`.
func configuration(
  _ text: String, dropIns: [String: String] = [:], environment: [String: String] = ["HOME": "/home/ada"], userID: UInt32 = 1000
) throws(ConfigurationErrors) -> Configuration {
  let main = Configuration.Document(path: "t", text: Array(text.utf8), isDropIn: false)
  let others = dropIns.sorted { $0.key < $1.key }.map { Configuration.Document(path: $0.key, text: Array($0.value.utf8), isDropIn: true) }
  return try Configuration.draft(documents: [main] + others, locations: Locations(environment: environment, userID: userID)).validated()
}

/// The problems of a text; empty if it is valid.
func problems(_ text: String, dropIns: [String: String] = [:]) -> [String] {
  do throws(ConfigurationErrors) {
    _ = try configuration(text, dropIns: dropIns)
    return []
  } catch {
    return error.problems.map(\.description)
  }
}
