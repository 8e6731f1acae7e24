import PlacesKit
import Text

/// Words that ask for a kind of place: the type table's own (`gas station`), their plurals, and what people say instead (`TypeSynonyms`).
enum TypeWords {
  /// A kind that was asked for, and the words that tell where.
  struct Match: Equatable {
    var types: [PlaceType]
    var rest: [String]
  }

  /// Nil where no word, or no row of words, names a kind.
  static func split(_ words: [String]) -> Match? {
    let kept = withoutJoining(words)
    // The longest row of words first: a `gas station` is no station.
    for length in stride(from: min(3, kept.count), to: 0, by: -1) {
      for start in 0...(kept.count - length) {
        guard let types = table[kept[start..<(start + length)].joined()] else { continue }
        return Match(types: types, rest: Array(kept[..<start] + kept[(start + length)...]))
      }
    }
    return nil
  }

  private static func withoutJoining(_ words: [String]) -> [String] {
    words.indices.filter { index in
      !joining.contains(words[index]) && !saysNear(words, index) && !(particles.contains(words[index]) && saysNear(words, index - 1))
    }.map { words[$0] }
  }

  /// `près de Nice`, `vicino a Roma`; behind an article or a particle such a word is a part of a name: `Saint-Germain-des-Prés`.
  private static func saysNear(_ words: [String], _ index: Int) -> Bool {
    guard words.indices.contains(index), near.contains(words[index]) else { return false }
    return index == words.startIndex || !articles.contains(words[index - 1]) && !particles.contains(words[index - 1])
  }

  /// Words between a kind and a place.
  private static let joining: Set<String> = [
    "in", "near", "at", "by", "around", "close", "to", "the", "of", "nearby", "me", "bei", "im", "nahe", "bij",
  ]
  private static let near: Set<String> = ["pres", "proche", "cerca", "vicino", "perto", "blisko", "nabij"]
  private static let articles: Set<String> = ["le", "la", "les", "des", "el", "los", "las", "il", "gli", "os", "as", "dos", "das"]
  private static let particles: Set<String> = ["a", "al", "alla", "ao", "da", "de", "del", "di", "do", "du"]

  private static let table: [String: [PlaceType]] = {
    var table: [String: [PlaceType]] = [:]
    for type in PlaceType.all where type.group != .region {
      let word = type.rawValue.filter { $0 != "_" }
      table[word, default: []].append(type)
      for plural in plurals(word) { table[plural, default: []].append(type) }
    }
    for line in TypeSynonyms.lines.split(separator: "\n") {
      let sides = line.split(separator: "=")
      let types = sides[1].split(separator: " ").map { PlaceType(rawValue: String($0)) }
      for word in sides[0].split(separator: " ") { for form in [String(word)] + plurals(String(word)) { table[form] = types } }
    }
    return table
  }()

  private static func plurals(_ word: String) -> [String] {
    if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) { return [word.dropLast() + "ies"] }
    if word.hasSuffix("s") || word.hasSuffix("ch") || word.hasSuffix("sh") { return [word + "es"] }
    return [word + "s"]
  }
}
