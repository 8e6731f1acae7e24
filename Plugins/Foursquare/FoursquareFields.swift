import PlacesKit

/// The fields of the table at Foursquare. Pro fields come in every answer, premium ones when they are named.
enum FoursquareFields {
  static let premium: Set<PlaceField> = [.openingHours, .rating, .priceLevel, .photos, .editorialSummary]

  static let known: Set<PlaceField> = premium.union([
    .placeID, .name, .coordinate, .formattedAddress, .addressComponents, .types, .phoneNumber, .website, .businessStatus,
  ])

  /// The price levels that Foursquare counts from 1 to 4.
  static let prices: [PriceLevel] = [.inexpensive, .moderate, .expensive, .veryExpensive]

  private static func words(_ field: PlaceField) -> [String] {
    switch field {
    case .name: ["name"]
    case .coordinate: ["latitude", "longitude"]
    case .formattedAddress, .addressComponents: ["location"]
    case .types: ["categories"]
    case .phoneNumber: ["tel"]
    case .website: ["website"]
    case .businessStatus: ["date_closed"]
    case .openingHours: ["hours"]
    case .rating: ["rating"]
    case .priceLevel: ["price"]
    case .photos: ["photos"]
    case .editorialSummary: ["description"]
    default: []
    }
  }

  /// The `fields` parameter: the fields asked for, and always the id.
  static func mask(_ fields: Set<PlaceField>) -> String {
    var mask = ["fsq_place_id"]
    for field in PlaceField.allCases where fields.contains(field) {
      for word in words(field) where !mask.contains(word) { mask.append(word) }
    }
    return mask.joined(separator: ",")
  }
}

/// Our types by the ids of Foursquare's public category tree. A type that is not here cannot be searched for, and a row of
/// another category has no type.
enum FoursquareTypes {
  private static let table: [(PlaceType, String)] = [
    ("coffee_shop", "4bf58dd8d48988d1e0931735"), ("cafe", "4bf58dd8d48988d16d941735"), ("restaurant", "4d4b7105d754a06374d81259"),
    ("bar", "4bf58dd8d48988d116941735"), ("bakery", "4bf58dd8d48988d16a941735"), ("pizza_restaurant", "4bf58dd8d48988d1ca941735"),
    ("fast_food_restaurant", "4bf58dd8d48988d16e941735"), ("hotel", "4bf58dd8d48988d1fa931735"), ("museum", "4bf58dd8d48988d181941735"),
    ("park", "4bf58dd8d48988d163941735"), ("gym", "4bf58dd8d48988d176941735"), ("supermarket", "52f2ab2ebcbc57f1066b8b46"),
    ("pharmacy", "4bf58dd8d48988d10f951735"), ("hospital", "4bf58dd8d48988d196941735"), ("airport", "4bf58dd8d48988d1ed931735"),
    ("train_station", "4bf58dd8d48988d129951735"), ("gas_station", "4bf58dd8d48988d113951735"), ("bank", "4bf58dd8d48988d10a951735"),
    ("atm", "52f2ab2ebcbc57f1066b8b56"), ("library", "4bf58dd8d48988d12f941735"), ("movie_theater", "4bf58dd8d48988d17f941735"),
    ("book_store", "4bf58dd8d48988d114951735"), ("art_gallery", "4bf58dd8d48988d1e2931735"), ("zoo", "4bf58dd8d48988d17b941735"),
  ]

  static let words: [String: [String]] = Dictionary(uniqueKeysWithValues: table.map { ($0.0.rawValue, [$0.1]) })
  private static let types: [String: PlaceType] = Dictionary(uniqueKeysWithValues: table.map { ($0.1, $0.0) })

  static func types(from categories: JSONValue?) -> [PlaceType] {
    (categories?.array ?? []).compactMap { $0["fsq_category_id"]?.string.flatMap { types[$0] } }
  }
}
