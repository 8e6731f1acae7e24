import PlacesKit
import Storage
import Text

/// What a service says about an error, as it may be logged: without the parts that may repeat the request.
enum LoggableMessage {
  /// Nil if nothing is left.
  static func text(_ message: String, about call: ProviderCall) -> String? {
    let secrets = call.texts.flatMap(Folding.words)
    var kept: [String] = []
    for chunk in withoutQuotations(message).split(separator: " ").map(String.init) {
      let isKept = !mayRepeat(chunk, secrets)
      if isKept || kept.last != "…" { kept.append(isKept ? chunk : "…") }
    }
    let text = kept.joined(separator: " ")
    return text.contains(where: \.isLetter) ? text : nil
  }

  private static func mayRepeat(_ chunk: String, _ secrets: [String]) -> Bool {
    // Parts of an address or of a structure, in which a query may be encoded.
    if chunk.contains(where: { "=%&\\{}[]<>".contains($0) }) || chunk.dropLast().contains("?") { return true }
    if isCoordinate(chunk) { return true }
    return Folding.words(of: chunk).contains { word in
      secrets.contains { secret in
        word == secret
          || (min(word.count, secret.count) > 2 || !word.utf8.allSatisfy { $0 < 0x80 })
            && (word.contains(secret) || secret.contains(word))
      }
    }
  }

  /// True if the text contains digits on both sides of a decimal point or comma.
  private static func isCoordinate(_ chunk: String) -> Bool {
    let bytes = Array(chunk.utf8)
    return bytes.indices.dropFirst().dropLast().contains { index in
      [UInt8(ascii: "."), UInt8(ascii: ",")].contains(bytes[index]) && isDigit(bytes[index - 1]) && isDigit(bytes[index + 1])
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// The text with each quotation replaced by an ellipsis. An apostrophe within a word does not begin one.
  private static func withoutQuotations(_ text: String) -> String {
    let closing: [Character: Character] = ["\"": "\"", "'": "'", "`": "`", "“": "”", "„": "“", "«": "»", "‘": "’", "「": "」", "『": "』"]
    var result = ""
    var index = text.startIndex
    while index < text.endIndex {
      let character = text[index]
      let isInWord = result.last?.isLetter == true || result.last?.isNumber == true
      if let mark = closing[character], character != "'" || !isInWord {
        let rest = text[text.index(after: index)...]
        result += " … "
        guard let end = rest.firstIndex(of: mark) else { return result }
        index = text.index(after: end)
      } else {
        result.append(character)
        index = text.index(after: index)
      }
    }
    return result
  }
}

extension ProviderCall {
  /// The texts of the request that come from the user.
  fileprivate var texts: [String] {
    switch self {
    case .autocomplete(let request): [request.query]
    case .search(let request), .geocode(let request): [request.query]
    case .details(let request): [request.id]
    case .reverse: []
    case .photo(let request): [request.id]
    }
  }
}
