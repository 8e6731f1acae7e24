import PlacesKit
import Text

/// The parts of an address in the text beside a name, if a service gives nothing else: `Europaplatz 1, Berlin, Germany` beside a business,
/// `Massachusetts, USA` beside a town. Services write the parts from the smallest to the largest, with commas between them.
struct SecondaryText {
  /// Street and house number.
  private(set) var address: String?
  /// Quarter, town and region.
  private(set) var locality: String?
  /// Of a settlement or region only: the largest area in the country that it is a part of.
  private(set) var region: String?
  /// A two-letter code.
  private(set) var country: String?

  /// - Parameters:
  ///   - isArea: True if the text is beside a settlement or region.
  ///   - language: in which the country's name may be, besides English and the country's own.
  init(_ text: String, isArea: Bool, language: String?) {
    var parts = text.split(whereSeparator: { $0 == "," || $0 == "、" || $0 == "،" }).map { part in
      String(part.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
    parts.removeAll(where: \.isEmpty)
    if let last = parts.last, let code = Country.code(last, in: language) {
      country = code
      parts.removeLast()
    }
    if isArea {
      region = parts.popLast()
    } else if let first = parts.first, SecondaryText.isStreetLine(first, isFollowed: parts.count > 1) {
      address = first
      parts.removeFirst()
    }
    if !parts.isEmpty { locality = parts.joined(separator: " ") }
  }

  /// A part with a house number; without one, the first of several parts if it names a kind of street.
  private static func isStreetLine(_ part: String, isFollowed: Bool) -> Bool {
    if !HouseNumber(part).isEmpty { return true }
    return isFollowed && Folding.words(of: part).contains { WordBuffer.isStreetKind($0) }
  }
}

extension MatchRecord {
  /// Takes the parts of the text beside the name, if the service gave no part of the address.
  mutating func readSecondaryText(_ text: String?, language: String?) {
    guard let text, address == nil, locality == nil, region == nil, country == nil else { return }
    let parts = SecondaryText(text, isArea: types.contains { $0.group == .region }, language: language)
    (address, locality, region, country) = (parts.address, parts.locality, parts.region, parts.country)
  }
}
