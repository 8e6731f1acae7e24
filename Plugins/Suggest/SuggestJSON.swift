import PlacesKit

/// The JSON formats of suggestion services. Each function returns nil if the value has a different format.
enum SuggestJSON {
  /// `["q", completions, descriptions?, URLs?, …]` (OpenSearch Suggestions 1.1, Draft 1). Completions are strings, or objects with the
  /// text as `q` or `phrase`. Google adds an object with the kind of each completion; one of the kind `NAVIGATION` is a URL, not a query,
  /// and is dropped.
  static func openSearch(_ value: JSONValue) -> [Completion]? {
    guard let members = value.array, members.count >= 2, let texts = members[1].array else { return nil }
    let kinds = members.compactMap { $0["google:suggesttype"]?.array }.first
    return texts.indices.compactMap { index in
      if let kinds, index < kinds.count, kinds[index].string == "NAVIGATION" { return nil }
      var row = completion(texts[index], keys: ["q", "phrase"])
      row?.note = value[2]?[index]?.string.flatMap(nonEmpty)
      row?.url = value[3]?[index]?.string.flatMap(nonEmpty)
      return row
    }
  }

  /// `["s1", "s2"]` or `[{"phrase": "s1"}]`; or an object that has such a list in one of the members that `candidates` names.
  static func list(_ value: JSONValue) -> [Completion]? {
    let candidates = [value, value["data"], value["data"]?["items"], value["items"], value["suggestions"], value["results"], value["g"]]
    guard let elements = candidates.lazy.compactMap({ $0?.array }).first else { return nil }
    return elements.compactMap { completion($0, keys: ["phrase", "q", "text", "value", "title", "name"]) }
  }

  /// `{"ResultSet": {"Result": ["s1", "s2"]}}`. A single result may be a plain value. A set without `Result` has no results.
  static func yahooRelated(_ value: JSONValue) -> [Completion]? {
    guard let resultSet = value["ResultSet"] else { return nil }
    guard let result = resultSet["Result"], !result.isNull else { return [] }
    return (result.array ?? [result]).compactMap { completion($0, keys: []) }
  }

  /// The completion whose text is the value, if it is a string, or else the first of the members `keys` that is a string. Nil if there is
  /// no such string, or if it cannot be a query.
  static func completion(_ value: JSONValue, keys: [String]) -> Completion? {
    let text = value.string ?? keys.lazy.compactMap { value[$0]?.string }.first
    return text.flatMap { Completion($0) }
  }

  /// The completion of a text of Bing, which marks the beginning of each match with U+E000 and the end with U+E001. Nil for a text that
  /// cannot be a query.
  static func marked(_ text: String?) -> Completion? {
    guard let text else { return nil }
    var unmarkedText = String.UnicodeScalarView()
    var matches: [TextRange] = []
    var openStart: Int?
    func endMatch(at end: Int) {
      if let start = openStart, start < end { matches.append(TextRange(start: start, end: end)) }
      openStart = nil
    }
    var count = 0
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0xE000: openStart = openStart ?? count
      case 0xE001: endMatch(at: count)
      default:
        unmarkedText.append(scalar)
        count += 1
      }
    }
    endMatch(at: count)
    return Completion(String(unmarkedText), matches: matches)
  }

  private static func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}
