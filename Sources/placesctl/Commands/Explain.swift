import JSON

/// Formats the explanation of a row as lines below the row.
enum Explain {
  static func lines(_ explanation: JSONValue, _ console: Console) -> [String] {
    var lines: [String] = []
    let score = explanation["score"]?.double.map { ", score \(Format.fixed($0, 3))" } ?? ""
    let importance = explanation["importance"]?.double.map { ", importance \(Format.fixed($0, 3))" } ?? ""
    let name = explanation["matchedName"]?.string.map { " by the name “\($0)”" } ?? ""
    if let match = explanation["match"]?.string { lines.append("match \(match)\(name)\(score)\(parts(explanation["parts"]))\(importance)") }
    for merge in explanation["merges"]?.array ?? [] { lines.append("same: \(pair(merge))") }
    for merge in explanation["tied"]?.array ?? [] { lines.append("same, kept apart by terms: \(pair(merge))") }
    for merge in explanation["maybe"]?.array ?? [] { lines.append("maybe: \(pair(merge))") }
    lines += origins(explanation["fields"]?.array ?? [])
    let formattedMembers = ["match", "matchedName", "score", "parts", "merges", "tied", "maybe", "fields", "importance"]
    for member in explanation.object?.members ?? [] where !formattedMembers.contains(member.key) {
      lines.append("\(member.key): \(member.value.text)")
    }
    return lines.flatMap { line in
      Help.wrapped(printable(line), width: (console.width ?? 160) - 4).map {
        StyledText("    " + $0, .dim).text(colour: console.usesColour)
      }
    }
  }

  /// The origins of the fields, one line for each provider and time: `text, location from gazetteer at 2026-01-01T00:00:00Z`.
  private static func origins(_ fields: [JSONValue]) -> [String] {
    var lines: [(origin: String, fields: [String])] = []
    for field in fields {
      let origin = "from \(field["provider"]?.string ?? "?") at \(field["at"]?.string ?? "?")"
      let name = field["field"]?.string ?? "?"
      if let index = lines.firstIndex(where: { $0.origin == origin }) {
        lines[index].fields.append(name)
      } else {
        lines.append((origin, [name]))
      }
    }
    return lines.map { "\($0.fields.joined(separator: ", ")) \($0.origin)" }
  }

  /// The parts of a score, the strongest first: `(text 1.360, votes 0.075)`.
  private static func parts(_ parts: JSONValue?) -> String {
    let parts = (parts?.array ?? []).map { (name: $0["name"]?.string ?? "?", value: $0["value"]?.double ?? 0) }
    guard !parts.isEmpty else { return "" }
    let texts = parts.sorted { $0.value.magnitude > $1.value.magnitude }.map { "\($0.name) \(Format.fixed($0.value, 3))" }
    return " (\(texts.joined(separator: ", ")))"
  }

  /// A pair of rows, the probability that both are the same place, and the reasons for that probability.
  private static func pair(_ merge: JSONValue) -> String {
    let names = "\(merge["first"]?.string ?? "?") and \(merge["second"]?.string ?? "?")"
    return "\(names), probability \(Format.fixed(merge["probability"]?.double ?? 0, 3))\(parts(merge["reasons"]))"
  }
}
