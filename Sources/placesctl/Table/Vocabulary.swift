import PlacesAPI
import PlacesKit
import Text

/// The words that an option accepts, their description, and common alternatives.
struct Vocabulary: Sendable, Hashable {
  var words: [String]
  /// Completes the sentence "--type must be …".
  var expected: String
  /// The words that common alternatives mean, by the alternatives in lower case.
  var wordsByAlternative: [String: String] = [:]
  /// True to suggest similar words. False for two-letter codes, because they are all similar to each other.
  var suggestsSimilar = true

  /// The word of the list that the text means; case does not matter, and parentheses may be omitted. Nil for any other text.
  func find(_ text: String) -> String? {
    [text, text.lowercased(), text.uppercased(), "(\(text))"].first(where: words.contains)
  }

  /// The word that was probably meant; nil if none is evident.
  func suggestion(for text: String) -> String? {
    let similar = suggestsSimilar ? nearest(to: text, among: words + wordsByAlternative.keys) : text.lowercased()
    return similar.flatMap { wordsByAlternative[$0] ?? (words.contains($0) ? $0 : nil) }
  }

  static let countries = Vocabulary(
    words: RegionCode.all.sorted(), expected: "a two-letter country code such as DE",
    wordsByAlternative: ["uk": "GB", "en": "GB", "el": "GR"], suggestsSimilar: false)

  static let types = Vocabulary(
    words: PlaceType.all.map(\.rawValue), expected: "a single type of `placesctl types`",
    wordsByAlternative: commonNames.merging(["(cities)": "locality", "cities": "locality"]) { $1 })

  static let typesAndCollections = Vocabulary(
    words: types.words + TypeCollection.allCases.map(\.rawValue), expected: "a type or a collection of `placesctl types`",
    wordsByAlternative: commonNames.merging(["city": "locality, or the collection cities"]) { $1 })

  static let fields = Vocabulary(
    words: PlaceField.Tier.allCases.map(\.rawValue) + PlaceField.allCases.map(\.rawValue),
    expected: "id, basic, advanced, preferred, extended or a field that places-rpc(7) names",
    wordsByAlternative: [
      "address": "formattedAddress", "phone": "phoneNumber", "location": "coordinate", "coordinates": "coordinate", "hours": "openingHours",
      "url": "website",
    ])

  /// Types by the words that people use for them.
  private static let commonNames = [
    "city": "locality", "town": "locality", "village": "locality", "street": "route", "road": "route",
    "state": "administrative_area_level_1",
    "region": "administrative_area_level_1", "zip": "postal_code", "postcode": "postal_code",
  ]
}
