import PlacesKit

/// Maps the types of the type table to Foursquare's categories. A search names categories by the ids of Foursquare's public category tree,
/// so a type without an id here cannot be searched for. A row's types follow from the id of its category. The tree has a thousand
/// categories, so the types of an id that `table` lacks follow from the category's English name: an "Italian Restaurant" is an
/// italian_restaurant and a restaurant, a "Shoe Store" a shoe_store and a store.
enum FoursquareTypes {
  /// Types and the ids of their categories.
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

  /// The category id of each type that a search can name; empty for a type that is only derived from the names of categories in answers.
  static let categoryIDs: [String: [String]] = {
    var idsByType: [String: [String]] = [:]
    for type in PlaceType.all where type.group != .region && type.group != .address { idsByType[type.rawValue] = [] }
    for (type, id) in table { idsByType[type.rawValue] = [id] }
    return idsByType
  }()
  private static let typesByCategoryID: [String: PlaceType] = Dictionary(uniqueKeysWithValues: table.map { ($0.1, $0.0) })

  /// The types of a row's categories, most specific first, without duplicates.
  static func types(from categories: JSONValue?) -> [PlaceType] {
    var types: [PlaceType] = []
    for category in categories?.array ?? [] {
      let categoryTypes =
        category["fsq_category_id"]?.string.flatMap { typesByCategoryID[$0] }.map { [$0] }
        ?? self.types(ofCategoryNamed: category["name"]?.string ?? "")
      for type in categoryTypes + categoryTypes.flatMap(\.ancestors) where !types.contains(type) { types.append(type) }
    }
    return types
  }

  /// The types that a category's name means: the type that has the whole name, if there is one, and the type of the last word.
  private static func types(ofCategoryNamed name: String) -> [PlaceType] {
    let foldedName = name.lowercased().replacing("é", with: "e")
    guard !misleadingNames.contains(foldedName) else { return [] }
    let namedType = PlaceType(rawValue: foldedName.replacing(" ", with: "_"))
    let lastWordType = foldedName.split(separator: " ").last.flatMap { typesByLastWord[String($0)] }
    return (namedType.isKnown ? [namedType] : []) + [lastWordType].compactMap { $0 }.filter { $0 != namedType }
  }

  /// The types of last words that mean the same in (nearly) every category.
  private static let typesByLastWord: [String: PlaceType] = {
    let typeNames = [
      "restaurant", "bar", "cafe", "bakery", "pub", "hotel", "hostel", "motel", "museum", "store", "gym", "library", "school", "university",
      "hospital", "stadium", "church", "mosque", "synagogue", "cemetery", "casino",
    ]
    let otherWords: [(String, PlaceType)] = [
      ("steakhouse", "restaurant"), ("bistro", "restaurant"), ("brasserie", "restaurant"), ("diner", "restaurant"),
      ("buffet", "restaurant"),
      ("trattoria", "restaurant"), ("joint", "restaurant"), ("gastropub", "restaurant"), ("pizzeria", "pizza_restaurant"),
      ("nightclub", "night_club"), ("bookstore", "book_store"),
    ]
    return Dictionary(uniqueKeysWithValues: typeNames.map { ($0, PlaceType(rawValue: $0)) } + otherWords)
  }()

  /// Names whose ending suggests a different type.
  private static let misleadingNames: Set<String> = ["juice bar", "oxygen bar", "driving school", "flight school"]
}
