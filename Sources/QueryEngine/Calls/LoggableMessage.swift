import PlacesKit
import Storage
import Text

/// Removes the parts of a service's error message that may repeat the request, so that the message can be logged.
enum LoggableMessage {
  /// The message with an ellipsis in place of each part that may repeat the request; nil if no letter remains.
  static func text(_ message: String, about call: ProviderCall) -> String? {
    let secretWords = call.texts.flatMap(Folding.words)
    var parts: [String] = []
    for chunk in withoutQuotations(message).split(separator: " ").map(String.init) {
      let isLoggable = !mayRepeat(chunk, secretWords)
      if isLoggable || parts.last != "…" { parts.append(isLoggable ? chunk : "…") }
    }
    let text = parts.joined(separator: " ")
    return text.contains(where: \.isLetter) ? text : nil
  }

  /// True if a chunk of a message (the text between two spaces) may repeat a part of the request.
  private static func mayRepeat(_ chunk: String, _ secretWords: [String]) -> Bool {
    // These characters occur in URLs and in structured data, in which a query may be encoded.
    if chunk.contains(where: { "=%&\\{}[]<>".contains($0) }) || chunk.dropLast().contains("?") { return true }
    if isCoordinate(chunk) { return true }
    return Folding.words(of: chunk).contains { word in secretWords.contains { resembles(word, $0) } }
  }

  /// True if the words are equal, or one contains the other. ASCII words of one or two letters must be equal, because many other words
  /// contain them.
  private static func resembles(_ word: String, _ secret: String) -> Bool {
    if word == secret { return true }
    let isLong = min(word.count, secret.count) > 2
    guard isLong || !word.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
    return word.contains(secret) || secret.contains(word)
  }

  /// True if the text contains digits on both sides of a decimal point or comma.
  private static func isCoordinate(_ chunk: String) -> Bool {
    let parts = chunk.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    return zip(parts, parts.dropFirst()).contains { $0.last?.isNumber == true && $1.first?.isNumber == true }
  }

  /// The text with each quotation replaced by an ellipsis. An apostrophe within a word does not begin a quotation.
  private static func withoutQuotations(_ text: String) -> String {
    let closingMarks: [Character: Character] = ["\"": "\"", "'": "'", "`": "`", "“": "”", "„": "“", "«": "»", "‘": "’", "「": "」", "『": "』"]
    var result = ""
    var closingMark: Character?
    for character in text {
      let isInWord = result.last?.isLetter == true || result.last?.isNumber == true
      if closingMark != nil {
        if character == closingMark { closingMark = nil }
      } else if let mark = closingMarks[character], character != "'" || !isInWord {
        result += " … "
        closingMark = mark
      } else {
        result.append(character)
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
