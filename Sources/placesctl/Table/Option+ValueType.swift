import GazetteerIndex
import JSON
import Text

extension Option.ValueType {
  /// A time of at most a day.
  static let longTime = Option.ValueType.duration(0...86_400_000)

  /// Converts the texts that were given for one option to a value of the protocol. A list has the values of all texts; otherwise only the
  /// last text is used. Nil if a text is not valid.
  func json(_ texts: [String]) -> JSONValue? {
    guard let text = texts.last else { return nil }
    switch self {
    case .flag: return .boolean(true)
    case .text, .provider, .source: return .string(text)
    case .choice(let words): return words.contains(text) ? .string(text) : nil
    case .word(let vocabulary): return vocabulary.find(text).map { .string($0) }
    case .integer: return Int64(text).map { .integer($0) }
    case .number: return Double(text).flatMap { $0.isFinite ? .number($0) : nil }
    case .list(let element):
      let parts = Option.ValueType.parts(texts)
      let values = parts.compactMap { element.json([$0]) }
      return values.count == parts.count ? .array(values) : nil
    case .duration(let range): return Option.ValueType.milliseconds(text).flatMap { range.contains($0) ? .integer(Int64($0)) : nil }
    case .language: return Option.ValueType.isLanguage(text) ? .string(text) : nil
    case .point:
      if let point = Option.ValueType.pointValue(text) { return point }
      // A text without a letter, or with coordinates in its first word, was meant as coordinates.
      let isName = text.contains(where: \.isLetter) && Option.ValueType.numbers(String(text.prefix { $0 != " " }), count: 2) == nil
      return isName ? JSONValue.string(text) : Optional.none
    case .area:
      if let (centerText, radius) = Option.ValueType.circle(text) {
        guard let center = Option.ValueType.point.json([centerText]) else { return nil }
        return center.string == nil ? ["circle": ["center": center, "radius": .number(radius)]] : .string(text)
      }
      guard let degrees = Option.ValueType.numbers(text, count: 4), let low = Option.ValueType.point(degrees[0], degrees[1]),
        let high = Option.ValueType.point(degrees[2], degrees[3]), degrees[0] <= degrees[2]
      else { return nil }
      return ["rectangle": ["low": low, "high": high]]
    }
  }

  /// The name of a place, and for an area its radius, in a text that gives a name instead of coordinates. Nil for any other text.
  func place(in text: String) -> (name: String, radius: String?)? {
    guard self == .point || self == .area, json([text])?.string != nil else { return nil }
    guard self == .area, let comma = text.lastIndex(of: ",") else { return (text, nil) }
    return (String(text[..<comma]), String(text[text.index(after: comma)...]))
  }

  /// The parts of `POINT,METRES`: the text of the centre, and a radius of at most 50 km. Nil for other texts, such as four numbers.
  private static func circle(_ text: String) -> (center: String, radius: Double)? {
    guard numbers(text, count: 4) == nil, let comma = text.lastIndex(of: ","),
      let radius = Double(text[text.index(after: comma)...].drop { $0 == " " }), 0...50_000 ~= radius
    else { return nil }
    return (String(text[..<comma]), radius)
  }

  /// The accepted values. Completes the message “--option must be …”.
  var expected: String {
    switch self {
    case .flag: "nothing"
    case .text: "a text"
    case .provider: "a provider's id"
    case .source: "a source's name"
    case .integer: "a whole number"
    case .number: "a number"
    case .list(let element): element.expected
    case .choice(let words): "one of \(words.joined(separator: ", "))"
    case .word(let vocabulary): vocabulary.expected
    case .duration(let range):
      self == .longTime
        ? "a time such as 500ms or 2s"
        : "a time from \(Format.duration(Double(range.lowerBound) / 1000)) to \(Format.duration(Double(range.upperBound) / 1000)), such as 500ms or 2s"
    case .language: "a BCP 47 language tag such as de or pt-BR"
    case .point: "LATITUDE,LONGITUDE in degrees, at most 90 and 180, such as 52.52,13.4, or the name of a place"
    case .area:
      "a circle, such as 52.52,13.4,500 or Berlin,500 (at most 50000 metres), or a rectangle, SOUTH,WEST,NORTH,EAST in degrees"
    }
  }

  /// The invalid word in an invalid text, and the word that was probably meant; nil if none is evident.
  func fault(in text: String) -> (word: String, suggestion: String?) {
    switch self {
    case .choice(let words): return (text, nearest(to: text, among: words))
    case .word(let vocabulary): return (text, vocabulary.suggestion(for: text))
    case .language: return (text, Languages.named(text))
    case .list(let element):
      let invalidPart = Option.ValueType.parts([text]).first { element.json([$0]) == nil }
      return invalidPart.map(element.fault) ?? (text, nil)
    default: return (text, nil)
    }
  }

  /// True if the language at the start of the tag is known. The rest of the tag is checked later, with the request's other parameters.
  private static func isLanguage(_ text: String) -> Bool {
    let languageSubtag = text.prefix { $0 != "-" && $0 != "_" }
    return (2...3).contains(languageSubtag.count) && Languages.isKnown(String(languageSubtag))
  }

  /// A point of the protocol; nil if the text is not one.
  private static func pointValue(_ text: String) -> JSONValue? {
    if let numbers = coordinates(text) { return point(numbers[0], numbers[1]) }
    guard let coordinate = PointNotation.coordinate(in: text) else { return nil }
    return point(coordinate.latitude, coordinate.longitude)
  }

  /// The parts of all texts between commas.
  private static func parts(_ texts: [String]) -> [String] { texts.flatMap { $0.split(separator: ",").map(String.init) } }

  /// The time in milliseconds; nil if the text is not a time from 0 to a day.
  static func milliseconds(_ text: String) -> Int? {
    let unit = ["ms", "s"].first { text.hasSuffix($0) } ?? ""
    let factor = unit == "ms" ? 1.0 : 1000.0
    guard let number = Double(text.dropLast(unit.count)), (0...86_400_000).contains(number * factor) else { return nil }
    return Int((number * factor).rounded())
  }

  /// Two numbers separated by a comma; if a semicolon or a space separates them, commas may be decimal commas.
  private static func coordinates(_ text: String) -> [Double]? {
    if let numbers = numbers(text, count: 2) { return numbers }
    let parts = text.split { $0 == ";" || $0 == " " }.map { $0.hasSuffix(",") ? $0.dropLast() : $0 }
    guard parts.count == 2 else { return nil }
    return numbers(parts.map { $0.replacing(",", with: ".") }.joined(separator: ","), count: 2)
  }

  /// Exactly `count` finite numbers, separated by commas; nil for any other text.
  static func numbers(_ text: String, count: Int) -> [Double]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in Double(part.drop { $0 == " " }).flatMap { $0.isFinite ? $0 : nil } }
    return parts.count == count && numbers.count == count ? numbers : nil
  }

  /// A point as JSON; nil if the coordinates are out of range.
  private static func point(_ latitude: Double, _ longitude: Double) -> JSONValue? {
    guard -90...90 ~= latitude, -180...180 ~= longitude else { return nil }
    return ["latitude": .number(latitude), "longitude": .number(longitude)]
  }
}
