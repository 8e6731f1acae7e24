import PlacesKit
import Text

/// The words of services' own categories, by the group of types that they belong to.
enum CategoryTable {
  static func bit(_ group: TypeGroup) -> UInt32 { bits[group] ?? 0 }

  private static let bits: [TypeGroup: UInt32] = Dictionary(
    uniqueKeysWithValues: TypeGroup.allCases.enumerated().map { ($0.element, 1 << UInt32($0.offset)) })

  /// The key of the last part of a path of categories; 0 for an empty part. Case, spaces and punctuation do not matter.
  static func specific(_ words: String) -> UInt64 {
    // The hash begins with 0 instead of `FNV1a.seed`, so that it is 0 without letters.
    var key: UInt64 = 0
    for byte in words.utf8 {
      switch byte {
      case UInt8(ascii: ">"): key = 0
      case 0x41...0x5A: key = FNV1a.extended(key, UInt64(byte | 0x20))
      case 0x61...0x7A, 0x30...0x39, 0x80...: key = FNV1a.extended(key, UInt64(byte))
      default: break
      }
    }
    return key
  }

  /// The categories of the types in the type table.
  static let types: [String: Category] = Dictionary(
    PlaceType.all.map { ($0.rawValue, Category(words: $0.rawValue)) }, uniquingKeysWith: { first, _ in first })

  /// The group to which each word belongs.
  static let groups: [String: TypeGroup] = {
    var groups: [String: TypeGroup] = [:]
    for (group, words) in table { for word in words.split(whereSeparator: \.isWhitespace) { groups[String(word)] = group } }
    return groups
  }()

  /// Words for places that are often parts of a larger place; synonyms share one bit.
  static let parts: [String: UInt32] = {
    var parts: [String: UInt32] = [:]
    for (bit, words) in partWords.enumerated() {
      for word in words.split(separator: " ") { parts[String(word)] = 1 << UInt32(bit) }
    }
    return parts
  }()

  private static let partWords = [
    "atm atms", "pharmacy drugstore", "optician optical eyewear optometrist", "photo photography", "parking garage",
    "fuel gas petrol", "charging", "platform stop", "gym fitness", "court courts pitch", "pool swimming", "playground", "library bookstore",
    "kiosk", "entrance exit gate", "toilet toilets restroom",
  ]

  /// Words for stations and stops. Services locate one at an entrance, on a platform or in its middle.
  static let stations: Set<String> = ["airport", "bus", "ferry", "metro", "rail", "railway", "subway", "train", "tram", "transit"]

  /// The extent that each word implies.
  static let extents: [String: Category.Extent] = {
    var extents: [String: Category.Extent] = [:]
    for (extent, words) in extentWords { for word in words.split(whereSeparator: \.isWhitespace) { extents[String(word)] = extent } }
    return extents
  }()

  private static let extentWords: [(Category.Extent, String)] = [
    (.address, "street_address premise subpremise address house intersection plus_code"),
    (
      .village,
      "village hamlet neighborhood neighbourhood sublocality suburb quarter borough isolated_dwelling street route town postal_code"
    ),
    (
      .city,
      "city locality settlement settlements municipality place populated ppl ppla ppla2 ppla3 ppla4 pplc pplx administrative_area_level_3 island"
    ),
    (
      .region,
      "country region state province county district archipelago continent administrative_area_level_1 administrative_area_level_2 administrative adm1 adm2"
    ),
  ]

  static let levels: [String: Category.Level] = [
    "country": .country, "administrative_area_level_1": .firstRegion, "administrative_area_level_2": .region, "locality": .settlement,
  ]

  private static let table: [(TypeGroup, String)] = [
    (
      .food,
      """
      restaurant restaurants food dining drinking cafe café coffee tea bar bars pub bakery pizza burger steakhouse sushi deli sandwich dessert desserts \
      donut brewery winery cidery eat diner buffet bistro noodle barbecue seafood breakfast brunch snack juice beer cocktail lounge cuisine caterer catering
      """
    ),
    (.lodging, "hotel hotels motel hostel inn resort lodging accommodation lodge campground guest pension bed cabin cottage vacation rv"),
    (
      .health,
      """
      hospital doctor dentist clinic pharmacy health medical medicine surgeon nurse therapy therapist chiropractor optometrist drugstore veterinarian \
      veterinary physician pediatrician cardiologist neurologist dental dermatologist psychologist optician eyewear urologist oncologist wellness care
      """
    ),
    (
      .finance,
      "bank banks banking atm atms credit financial finance insurance mortgage accountant accounting tax lender broker investment loans money"
    ),
    (
      .shopping,
      """
      store stores shop shops shopping retail supermarket market mall boutique grocery clothing fashion furniture jewelry hardware florist flowers \
      bookstore electronics supplier supply supplies dealer dealership gift gifts
      """
    ),
    (.education, "school schools college university education preschool kindergarten academy campus tutoring library_school"),
    (.religion, "church churches cathedral mosque temple synagogue religious religion worship chapel cemetery spiritual"),
    (.government, "government courthouse police fire post embassy municipal town_hall townhall civic political"),
    (
      .transport,
      "station airport bus train transit transport transportation parking taxi fuel gas petrol charging port ferry metro subway railway rail travel freight"
    ),
    (
      .entertainment,
      "entertainment park arcade cinema theater theatre casino nightclub zoo aquarium attraction playground event venue nightlife amusement concert"
    ),
    (.culture, "museum gallery library art arts landmark historical monument castle sculpture cultural heritage"),
    (.sports, "sports sport gym fitness stadium yoga golf pool swimming tennis soccer martial recreation club dance athletic"),
    (
      .service,
      """
      service services salon barber hair beauty nail spa massage repair laundry cleaning plumbing plumber electrician contractor lawyer law legal attorney \
      estate realtor agency agent locksmith photographer photography storage moving marketing automotive mechanic tire rental rentals construction hvac \
      landscaping professional business office company industrial engineering printing
      """
    ),
    (.natural, "beach lake river mountain forest island trail waterfall nature peak hill bay valley"),
  ]
}
