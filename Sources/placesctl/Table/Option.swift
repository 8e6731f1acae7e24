import JSON

/// An option of a command, as help, completion, the manual and the parser know it.
struct Option: Sendable {
  /// What an option takes, and what becomes of it.
  enum Value: Sendable, Hashable {
    /// Nothing: the option is there or not.
    case flag
    case text
    case integer
    case number
    /// Several, by repeating the option or with commas.
    case list
    /// One of these words.
    case choice([String])
    /// `500ms`, `2s`, or seconds without a unit; becomes milliseconds.
    case duration
    /// `LAT,LON`.
    case point
    /// `LAT,LON,RADIUS` in metres, or `SOUTH,WEST,NORTH,EAST`.
    case area
  }

  /// The long name, without dashes.
  var name: String
  var short: Character?
  var value: Value
  /// What stands for the value in help.
  var label: String
  /// One sentence.
  var summary: String
  /// The parameter of the wire that it sets; nil for one that only this program knows.
  var parameter: String?

  /// A flag.
  init(_ name: String, short: Character? = nil, sets parameter: String? = nil, _ summary: String) {
    self.init(name, short: short, .flag, "", sets: parameter, summary)
  }

  init(
    _ name: String, short: Character? = nil, _ value: Value, _ label: String, sets parameter: String? = nil, _ summary: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.label = label
    self.parameter = parameter
    self.summary = summary
  }

  /// As it stands in help: `-n, --name LABEL`.
  var usage: String {
    (short.map { "-\($0), " } ?? "") + "--\(name)" + (value == .flag ? "" : " \(label)")
  }
}

extension Option.Value {
  /// The value as the wire spells it; nil where the text is none.
  func json(_ texts: [String]) -> JSONValue? {
    guard let text = texts.last else { return nil }
    switch self {
    case .flag: return .boolean(true)
    case .text: return .string(text)
    case .choice(let words): return words.contains(text) ? .string(text) : nil
    case .integer: return Int64(text).map { .integer($0) }
    case .number: return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
    case .list: return .array(texts.flatMap { $0.split(separator: ",") }.map { .string(String($0)) })
    case .duration: return Option.Value.milliseconds(text).map { .integer(Int64($0)) }
    case .point: return Option.Value.numbers(text, count: 2).map { Option.Value.point($0[0], $0[1]) }
    case .area:
      if let n = Option.Value.numbers(text, count: 3) {
        return ["circle": ["center": Option.Value.point(n[0], n[1]), "radius": .number(n[2])]]
      }
      guard let n = Option.Value.numbers(text, count: 4) else { return nil }
      return ["rectangle": ["low": Option.Value.point(n[0], n[1]), "high": Option.Value.point(n[2], n[3])]]
    }
  }

  /// What the value must be, for a message.
  var expected: String {
    switch self {
    case .flag: "nothing"
    case .text, .list: "a text"
    case .integer: "a whole number"
    case .number: "a number"
    case .choice(let words): "one of \(words.joined(separator: ", "))"
    case .duration: "a time such as 500ms or 2s"
    case .point: "LATITUDE,LONGITUDE in degrees, such as 52.52,13.4"
    case .area: "LATITUDE,LONGITUDE,METRES or SOUTH,WEST,NORTH,EAST"
    }
  }

  /// Nil for what is no time from 0 to a day.
  static func milliseconds(_ text: String) -> Int? {
    let (digits, factor) =
      text.hasSuffix("ms") ? (text.dropLast(2), 1.0) : text.hasSuffix("s") ? (text.dropLast(), 1000.0) : (text[...], 1000.0)
    guard let number = Double(digits), (0...86_400_000).contains(number * factor) else { return nil }
    return Int((number * factor).rounded())
  }

  static func numbers(_ text: String, count: Int) -> [Double]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in Double(part.drop { $0 == " " }).flatMap { $0.isFinite ? $0 : nil } }
    return parts.count == count && numbers.count == count ? numbers : nil
  }

  private static func point(_ latitude: Double, _ longitude: Double) -> JSONValue {
    ["latitude": .number(latitude), "longitude": .number(longitude)]
  }
}
