import PlacesKit

/// Our types by Foursquare's categories. To search is by the ids of its public category tree: a type that is not in the table cannot be
/// searched for. What a row is of is told by the id, and by the category's English name, since the tree has a thousand categories:
/// an "Italian Restaurant" is a restaurant, a "History Museum" a museum, a "Shoe Store" a shoe_store and a store.
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
  private static let ids: [String: PlaceType] = Dictionary(uniqueKeysWithValues: table.map { ($0.1, $0.0) })

  /// Most specific first, each once.
  static func types(from categories: JSONValue?) -> [PlaceType] {
    var found: [PlaceType] = []
    for category in categories?.array ?? [] {
      let own = category["fsq_category_id"]?.string.flatMap { ids[$0] }.map { [$0] } ?? named(category["name"]?.string ?? "")
      for type in own.flatMap({ [$0] + (wider[$0] ?? []) }) where !found.contains(type) { found.append(type) }
    }
    return found
  }

  /// The types that a name tells: the whole name where it is one of ours, and what its last word tells.
  private static func named(_ name: String) -> [PlaceType] {
    let name = name.lowercased().replacing("é", with: "e")
    guard !misleading.contains(name) else { return [] }
    let whole = PlaceType(rawValue: name.replacing(" ", with: "_"))
    let last = name.split(separator: " ").last.flatMap { kinds[String($0)] }
    return (whole.isKnown ? [whole] : []) + [last].compactMap { $0 }.filter { $0 != whole }
  }

  /// What a last word tells, where it does so in (nearly) every category.
  private static let kinds: [String: PlaceType] = {
    let own = [
      "restaurant", "bar", "cafe", "bakery", "pub", "hotel", "hostel", "motel", "museum", "store", "gym", "library", "school", "university",
      "hospital", "stadium", "church", "mosque", "synagogue", "cemetery", "casino",
    ]
    let others: [(String, PlaceType)] = [
      ("steakhouse", "restaurant"), ("bistro", "restaurant"), ("brasserie", "restaurant"), ("diner", "restaurant"),
      ("buffet", "restaurant"),
      ("trattoria", "restaurant"), ("joint", "restaurant"), ("gastropub", "restaurant"), ("pizzeria", "pizza_restaurant"),
      ("nightclub", "night_club"), ("bookstore", "book_store"),
    ]
    return Dictionary(uniqueKeysWithValues: own.map { ($0, PlaceType(rawValue: $0)) } + others)
  }()

  /// Names that end like something else.
  private static let misleading: Set<String> = ["juice bar", "oxygen bar", "driving school", "flight school"]

  /// What a place of a type is as well.
  private static let wider: [PlaceType: [PlaceType]] = {
    var wider: [PlaceType: [PlaceType]] = [
      "pizza_restaurant": ["restaurant"], "fast_food_restaurant": ["restaurant"], "wine_bar": ["bar"], "pub": ["bar"],
      "supermarket": ["store"],
    ]
    for type in ["hotel", "hostel", "motel", "guest_house", "bed_and_breakfast"] as [PlaceType] { wider[type] = ["lodging"] }
    for type in PlaceType.all where type.rawValue.hasSuffix("_store") { wider[type] = ["store"] }
    return wider
  }()
}
