import PlacesKit
import Text

/// Words that ask for a kind of place: the type table's own (`gas station`), their plurals, and what people say instead.
enum TypeWords {
  /// A kind that was asked for, and the words that tell where.
  struct Match: Equatable {
    var types: [PlaceType]
    var rest: [String]
  }

  /// Nil where no word, or no row of words, names a kind.
  static func split(_ words: [String]) -> Match? {
    let kept = words.filter { !joining.contains($0) }
    // The longest row of words first: a `gas station` is no station.
    for length in stride(from: min(3, kept.count), to: 0, by: -1) {
      for start in 0...(kept.count - length) {
        guard let types = table[kept[start..<(start + length)].joined()] else { continue }
        return Match(types: types, rest: Array(kept[..<start] + kept[(start + length)...]))
      }
    }
    return nil
  }

  /// Words between a kind and a place.
  private static let joining: Set<String> = [
    "in", "near", "at", "by", "around", "close", "to", "the", "of", "nearby", "me", "bei", "im", "nahe",
  ]

  private static let table: [String: [PlaceType]] = {
    var table: [String: [PlaceType]] = [:]
    for type in PlaceType.all where type.group != .region {
      let word = type.rawValue.filter { $0 != "_" }
      table[word, default: []].append(type)
      for plural in plurals(word) { table[plural, default: []].append(type) }
    }
    for line in synonyms.split(separator: "\n") {
      let sides = line.split(separator: "=")
      let types = sides[1].split(separator: " ").map { PlaceType(rawValue: String($0)) }
      for word in sides[0].split(separator: " ") { for form in [String(word)] + plurals(String(word)) { table[form] = types } }
    }
    return table
  }()

  private static func plurals(_ word: String) -> [String] {
    if word.hasSuffix("y"), let before = word.dropLast().last, !"aeiou".contains(before) { return [word.dropLast() + "ies"] }
    if word.hasSuffix("s") || word.hasSuffix("ch") || word.hasSuffix("sh") { return [word + "es"] }
    return [word + "s"]
  }

  /// Short names of types, and common words of English and German; multi-word ones are written together.
  private static let synonyms = """
    chemist apotheke=pharmacy drugstore
    petrolstation fuel tankstelle=gas_station
    station bahnhof railwaystation=train_station transit_station
    church kirche=church place_of_worship
    groceries grocer grocerystore=supermarket grocery_store convenience_store
    shop shops laden=store
    gasthaus eatery=restaurant
    coffee coffeehouse=cafe coffee_shop
    icecream gelato=ice_cream_shop
    hairdresser barber friseur=hair_care
    bookshop=book_store
    theatre theater=performing_arts_theater
    movies kino=cinema movie_theater
    hostelry accommodation=lodging
    townhall rathaus=city_hall
    postoffice post=post_office
    mountain peak summit=mountain_peak
    chargingstation=electric_vehicle_charging_station
    doctor physician arzt=doctor medical_clinic
    schule=school
    spital krankenhaus=hospital
    burg schloss=castle
    playground spielplatz=playground
    pool=swimming_pool
    """
}
