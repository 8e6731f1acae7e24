import PlacesKit
import Text

/// The parts of an address as geocoders return them, and texts derived from them.
public struct AddressParts: Sendable, Hashable {
  public var name: String?
  public var houseNumber: String?
  public var street: String?
  public var postcode: String?
  public var district: String?
  public var city: String?
  public var county: String?
  public var state: String?
  public var country: String?
  /// The country's code: two letters in upper case.
  public var countryCode: String?

  public init() {}

  /// The street and the house number, in the order of the country; only the house number if there is no street.
  public var streetLine: String? {
    street.map { StreetLine.text(street: $0, houseNumber: houseNumber, country: countryCode) } ?? houseNumber
  }

  /// The first part of a row's text: the name if there is one, otherwise the street line, otherwise the smallest known area. The postcode
  /// is used only if there is nothing else.
  public var primary: String? { name ?? streetLine ?? district ?? city ?? county ?? state ?? country ?? postcode }

  /// The rest of the address, from small to large, without the part that `primary` shows; nil if nothing remains.
  /// - Parameter region: the user's own region, a two-letter code. The name of that country is omitted.
  public func secondary(region: String? = nil) -> String? {
    // The text of a town's row is not "Schaan, 9494 Schaan".
    let isTown = name != nil && name == city && street == nil
    let cityOrDistrict = city ?? (district == primary ? nil : district)
    let town = isTown ? "" : [postcode, cityOrDistrict].compactMap { $0 }.joined(separator: " ")
    let countyWithoutTown = city == nil && district == nil ? county : nil
    let isHome = countryCode != nil && countryCode == region
    var parts: [String] = []
    for part in [streetLine, town.isEmpty ? nil : town, countyWithoutTown, state, isHome ? nil : country] {
      // A state that has the name of its city, such as Berlin, is omitted.
      guard let part, part != primary, part != city || part == town, !parts.contains(part) else { continue }
      parts.append(part)
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// The primary and the secondary text on one line; nil if the address has no parts.
  public func label(region: String? = nil) -> String? {
    guard let primary else { return nil }
    return secondary(region: region).map { "\(primary), \($0)" } ?? primary
  }

  /// The facts by which merging recognizes the same place in other providers' answers.
  public var evidence: Evidence {
    var evidence = Evidence()
    evidence.address = street == nil ? nil : streetLine
    evidence.houseNumber = houseNumber
    evidence.street = street
    evidence.postcode = postcode
    evidence.locality = city
    evidence.region = state
    evidence.country = countryCode
    return evidence
  }

  /// The value of the place's field `addressComponents`, from small to large.
  public var components: JSONValue {
    let parts: [(String?, String?, [String])] = [
      (houseNumber, nil, ["street_number"]), (street, nil, ["route"]), (district, nil, ["sublocality"]), (city, nil, ["locality"]),
      (county, nil, ["administrative_area_level_2"]), (state, nil, ["administrative_area_level_1"]), (country, countryCode, ["country"]),
      (postcode, nil, ["postal_code"]),
    ]
    return .array(
      parts.compactMap { long, short, types in
        long.map { ["long": .string($0), "short": .string(short ?? $0), "types": .array(types.map { .string($0) })] }
      })
  }
}

extension FormattedText {
  /// A text, and the parts of it that a query matches. Providers use this if their service does not return these parts.
  public init(_ text: String, matching query: String) {
    self.init(text, matching: Folding.words(of: query))
  }

  /// A text, and the parts of it that the words of a query match.
  /// - Parameter queryWords: the words as `Folding.words(of:)` returns them.
  init(_ text: String, matching queryWords: [String]) {
    self.init(text, matches: Highlighting.matches(ofWords: queryWords, in: text).map { TextRange($0) })
  }
}
