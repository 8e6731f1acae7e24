import Geocoders
import JSON
import PlacesKit
import Text

/// A converter of a value, which follows a `|` in a placeholder or a field's path.
///
/// `ConverterSignature.all` describes each case. A converter for texts or numbers applies to each element of a list. A value that the
/// converter cannot convert becomes absent.
enum FieldConverter: Sendable, Hashable {
  case first, last, only, item(Int), join(String), split(String), each
  case lower, upper, cut(Int), before(String), after(String), replace(String, String), is_([String])
  case plain, markup(String, String)
  case primary, oneOf([String]), alpha2, alpha3
  case map(String, [String: String])
  case number, round, atLeast(Double), atMost(Double), times(Double), plus(Double), swap

  /// The maximum number of bytes of a text that a converter makes.
  static let maxTextLength = 8_192

  /// The converted value; nil if the value cannot be converted.
  func apply(to value: JSONValue) -> JSONValue? {
    switch self {
    // Except for `item`, a value that is not a list is treated as a list with this value as its only element.
    case .first: return value.array.map { $0.first } ?? value
    case .last: return value.array.map { $0.last } ?? value
    case .only:
      guard case .array(let elements) = value else { return value }
      return elements.count == 1 ? elements.first : .none
    case .item(let index): return value[index]
    case .each: return .array(value.array ?? [value])
    case .join(let separator): return value.array.map { FieldConverter.joined($0, separator) } ?? value
    case .swap: return swapped(value)
    default: break
    }
    if case .array(let elements) = value {
      let converted = elements.compactMap { convert($0) }
      return converted.isEmpty ? .none : .array(converted)
    }
    return convert(value)
  }

  private func convert(_ value: JSONValue) -> JSONValue? {
    switch self {
    case .number: return value.numberOrText.map(FieldConverter.number)
    case .round: return value.numberOrText.map { FieldConverter.number($0.rounded()) }
    case .atLeast(let minimum): return value.numberOrText.map { FieldConverter.number(max($0, minimum)) }
    case .atMost(let maximum): return value.numberOrText.map { FieldConverter.number(min($0, maximum)) }
    case .times(let factor): return value.numberOrText.map { FieldConverter.number($0 * factor) }
    case .plus(let summand): return value.numberOrText.map { FieldConverter.number($0 + summand) }
    default: return value.shownText.flatMap(convert)
    }
  }

  private func convert(_ text: String) -> JSONValue? {
    switch self {
    case .lower: return .string(text.lowercased())
    case .upper: return .string(text.uppercased())
    case .cut(let count): return .string(String(String.UnicodeScalarView(text.unicodeScalars.prefix(count))))
    case .before(let mark): return text.firstRange(of: mark).map { .string(String(text[..<$0.lowerBound])) }
    case .after(let mark): return text.firstRange(of: mark).map { .string(String(text[$0.upperBound...])) }
    case .replace(let old, let new):
      let replaced = text.replacing(old, with: new)
      return replaced.utf8.count <= FieldConverter.maxTextLength ? .string(replaced) : .none
    case .is_(let accepted): return accepted.contains(text) ? .string(text) : .none
    case .split(let separator): return .array(text.split(separator: separator, maxSplits: 99).map { .string(String($0)) })
    case .plain: return .string(MarkedText(text, open: "<", close: ">", removesTags: true).text)
    case .markup(let open, let close): return .string(MarkedText(text, open: open, close: close).text)
    case .primary: return .string(text.prefix { $0 != "-" && $0 != "_" }.lowercased())
    case .oneOf(let languages): return FieldConverter.language(text, among: languages).map { .string($0) }
    case .alpha2:
      if let code = JSONValue.string(text).countryCode { return .string(code) }
      return CountryCodes.two(of: text).map { .string($0) }
    case .alpha3: return CountryCodes.three(of: text.uppercased()).map { .string($0) }
    case .map(_, let table): return table[text].map { .string($0) }
    // `apply` and the `convert` above handle all other converters.
    default: return .string(text)
    }
  }

  /// A list of two elements, or a text of two parts around a comma, in the other order; nil for any other value.
  private func swapped(_ value: JSONValue) -> JSONValue? {
    if case .array(let elements) = value { return elements.count == 2 ? .array([elements[1], elements[0]]) : .none }
    guard let parts = value.string?.split(separator: ",", omittingEmptySubsequences: false), parts.count == 2 else { return nil }
    return .string("\(parts[1]),\(parts[0])")
  }

  /// The element of `languages` that equals the tag in any case of letters or, if there is none, its language subtag. Nil if neither is in
  /// the list.
  private static func language(_ tag: String, among languages: [String]) -> String? {
    let lowercasedTag = tag.lowercased()
    let languageSubtag = String(lowercasedTag.prefix { $0 != "-" && $0 != "_" })
    return languages.first { $0.lowercased() == lowercasedTag } ?? languages.first { $0.lowercased() == languageSubtag }
  }

  /// The elements as one text; nil if that text is empty or too long.
  static func joined(_ elements: [JSONValue], _ separator: String) -> JSONValue? {
    let text = elements.compactMap(\.shownText).joined(separator: separator)
    return text.isEmpty || text.utf8.count > maxTextLength ? .none : .string(text)
  }

  /// A number as JSON. A whole number becomes an integer, so that it is written without a fraction.
  static func number(_ value: Double) -> JSONValue { Int64(exactly: value).map { .integer($0) } ?? .number(value) }
}

extension JSONValue {
  /// The value as text. The elements of a list are joined with commas. Nil for null, objects and empty texts.
  var shownText: String? {
    switch self {
    case .string: filledString
    case .integer(let value): String(value)
    case .number(let value): value.decimalText
    case .boolean(let value): value ? "true" : "false"
    case .array(let elements): FieldConverter.joined(elements, ",")?.string
    case .null, .object: nil
    }
  }
}

extension Double {
  /// The number without an exponent and with at most seven decimals, which are about a centimetre if the number is in degrees. A number of
  /// 10¹¹ or more, which would overflow below, is written as Swift writes it.
  var decimalText: String {
    guard abs(self) < 1e11 else { return description }
    let scaled = Int64((self * 1e7).rounded())
    let (whole, fraction) = (abs(scaled) / 10_000_000, abs(scaled) % 10_000_000)
    var decimals = String(fraction)
    decimals = String(repeating: "0", count: 7 - decimals.utf8.count) + decimals
    while decimals.hasSuffix("0") { decimals.removeLast() }
    return (scaled < 0 ? "-" : "") + String(whole) + (decimals.isEmpty ? "" : "." + decimals)
  }
}
