/// Reads the language that the environment sets for programs (locale(7)).
enum Locale {
  /// Scripts that a modifier may name, by their code in ISO 15924.
  private static let scripts: KeyValuePairs = ["latin": "Latn", "cyrillic": "Cyrl", "devanagari": "Deva"]

  /// The language of messages as a BCP 47 tag, such as `pt-BR` for `pt_BR.UTF-8`; nil if none is set, as by `C` and `POSIX`.
  /// - Parameter variable: returns a variable of the environment.
  static func language(_ variable: (String) -> String?) -> String? {
    // The first variable that is not empty decides, even if it does not name a language (setlocale(3)).
    guard let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first(where: { !$0.isEmpty }) else { return nil }
    let name = locale.prefix { $0 != "." && $0 != "@" }
    var parts = name.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
    guard parts.count <= 2, parts.allSatisfy(isCode), parts[0].allSatisfy(\.isLetter) else { return nil }
    if let script = scripts.first(where: { locale.hasSuffix("@" + $0.key) }) { parts.insert(script.value, at: 1) }
    return parts.joined(separator: "-")
  }

  private static func isCode(_ part: String) -> Bool {
    (2...3).contains(part.utf8.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }
}
