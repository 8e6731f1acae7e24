import PlacesKit
import Text

/// Reads the parts of an address from the secondary text of a row, for services that return no address: `Europaplatz 1, Berlin, Germany` of
/// a business, `Massachusetts, USA` of a town. The parts are separated by commas. They begin with the smallest one, but in Chinese,
/// Japanese and Korean with the largest.
struct SecondaryText {
  /// The kind of place that the text belongs to.
  enum Subject { case business, address, area }

  /// The street and the house number.
  private(set) var address: String?
  /// The parts between street and country: quarter, postcode, town, region.
  private(set) var locality: String?
  /// The state's name or code in the text of a town, for countries whose services write it.
  private(set) var region: String?
  /// The country's two-letter code.
  private(set) var country: String?

  /// - Parameters:
  ///   - name: the name of the place; a first part that repeats it is ignored.
  ///   - language: the language in which the country's name may be, besides English and the country's own.
  ///   - known: the country's two-letter code, if the service returns it. The text may then lack the country's name.
  init(_ text: String, beside subject: Subject, named name: String = "", language: String?, country known: String? = nil) {
    var parts = SecondaryText.parts(of: text)
    if parts.first == name { parts.removeFirst() }
    if let last = parts.last, let code = Country.code(ofName: last, in: language) {
      country = code
      parts.removeLast()
    } else if parts.count > 1, let code = Country.code(ofName: parts[0], in: language) {
      country = code
      parts.removeFirst()
      parts.reverse()
    }
    if subject == .business, parts.count > 1 || country == nil, let first = parts.first,
      SecondaryText.isStreetLine(first, isFollowed: parts.count > 1)
    {
      address = first
      parts.removeFirst()
      if HouseNumber(first).isEmpty, parts.count > 1, isHouseNumber(parts[0]) { address = "\(first), \(parts.removeFirst())" }
    } else if subject != .area, parts.count > 2, isHouseNumber(parts[0]), SecondaryText.isStreetLine(parts[1], isFollowed: true) {
      address = "\(parts.removeFirst()) \(parts.removeFirst())"
    }
    country = country ?? known
    // A free description, such as `Swiss retail company`, is not an address.
    guard country != nil || address != nil else { return }
    if subject == .area, let country, SecondaryText.countriesWithStates.contains(country), let last = parts.popLast() {
      region = last.split(separator: " ").filter { !$0.contains(where: \.isNumber) }.joined(separator: " ")
    }
    if !parts.isEmpty { locality = parts.joined(separator: " ") }
  }

  /// The parts between commas, without the spaces around them. Unicode scalars are compared, because finding the boundaries of characters is
  /// slow.
  private static func parts(of text: String) -> [String] {
    text.unicodeScalars.split(whereSeparator: { commas.contains($0) }).compactMap { part in
      guard let start = part.firstIndex(where: { !$0.properties.isWhitespace }),
        let end = part.lastIndex(where: { !$0.properties.isWhitespace })
      else { return nil }
      return String(part[start...end])
    }
  }

  /// The commas of Latin, Chinese, Japanese and Arabic.
  private static let commas: [Unicode.Scalar] = [",", "、", "،", "，"]

  /// Whether a part is a house number alone, as in `Av. Paulista, 1578` and `5, Avenue Anatole France`. A number with as many digits as a
  /// postcode of the country is a postcode.
  private func isHouseNumber(_ part: String) -> Bool {
    let digits = part.prefix { $0.isASCII && $0.isNumber }.count
    guard (1...5).contains(digits), part.count <= digits + 1, part.dropFirst(digits).allSatisfy(\.isLetter) else { return false }
    guard let country else { return digits < 4 }
    return digits < (SecondaryText.threeDigits.contains(country) ? 3 : SecondaryText.fourDigits.contains(country) ? 4 : 5)
  }

  /// Countries whose postcodes have, or begin with, three or four digits (Universal Postal Union). In other countries they have five or
  /// more digits, or letters.
  private static let threeDigits: Set<String> = ["FO", "IS", "LS", "MG", "OM", "TW"]
  private static let fourDigits: Set<String> = [
    "AF", "AM", "AT", "AU", "BD", "BE", "BG", "CH", "CV", "CY", "DK", "ET", "GE", "GL", "HU", "LI", "LU", "LV", "MD", "MK", "MZ", "NE",
    "NL",
    "NO", "NZ", "PA", "PH", "PY", "SI", "SJ", "SV", "TN", "VE", "ZA",
  ]

  /// Countries in whose texts the last part before the country is the state. In other countries it may be the town of a quarter, a province
  /// or a county.
  fileprivate static let countriesWithStates: Set<String> = ["US", "CA", "AU", "IN"]

  /// Whether a part is a street line: it has a house number or, if other parts follow it, names a kind of street. Parts that begin with a
  /// postcode, and numbered districts (`Dublin 2`, `Sector 62`), are not street lines.
  private static func isStreetLine(_ part: String, isFollowed: Bool) -> Bool {
    let words = Folding.words(of: part)
    guard let first = words.first, !(first.count >= 4 && first.allSatisfy(\.isNumber)), !words.contains(where: wordsBeforeNumbers.contains)
    else {
      return false
    }
    if words.contains(where: WordBuffer.isStreetKind) { return isFollowed || !HouseNumber(part).isEmpty }
    return words.count > 1 && !HouseNumber(part).isEmpty
  }

  /// Words for districts and other places that a number may follow.
  private static let wordsBeforeNumbers: Set<String> = [
    "sector", "district", "quan", "phase", "zone", "ward", "terminal", "gate", "dublin", "praha",
  ]
}

extension MatchRecord {
  /// Uses the parts of the secondary text if the service returned no address. If the service returned the country of a town, only the state
  /// is used.
  mutating func readSecondaryText(_ text: String?, language: String?) {
    guard let text, address == nil, locality == nil, region == nil else { return }
    let subject: SecondaryText.Subject =
      types.contains { $0.group == .address } ? .address : types.contains { $0.group == .region } ? .area : .business
    guard let known = country else {
      let parts = SecondaryText(text, beside: subject, named: name, language: language)
      (address, locality, region, country) = (parts.address, parts.locality, parts.region, parts.country)
      return
    }
    guard subject == .area, let code = Country.code(known), SecondaryText.countriesWithStates.contains(code) else { return }
    let parts = SecondaryText(text, beside: subject, named: name, language: language, country: code)
    if parts.country == code { region = parts.region }
  }
}
