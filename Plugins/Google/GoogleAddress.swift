/// Recognizes an address without a town. Google finds nothing for such an address unless the request has a location
/// (Text Search documentation: "10 High Street, UK").
enum GoogleAddress {
  /// True for a house number and a street, followed by nothing or by a country: `10 High Street, UK`, `12 rue de la Paix`. Only countries
  /// in which the number precedes the street are recognized.
  static func lacksTown(_ query: String) -> Bool {
    let parts = query.lowercased().split(separator: ",").map { part in part.split { !$0.isLetter && !$0.isNumber } }
    guard (1...2).contains(parts.count), let words = parts.first, words.count >= 3, let number = words.first, isHouseNumber(number),
      let last = words.last
    else { return false }
    let isStreet = lastStreetWords.contains(String(last)) || firstStreetWords.contains(String(words[1]))
    return isStreet && (parts.count == 1 || countries.contains(parts[1].joined(separator: " ")))
  }

  /// True for one to five digits and at most one other character, such as `10` and `10a`.
  private static func isHouseNumber(_ word: Substring) -> Bool {
    let digits = word.prefix { ("0"..."9").contains($0) }
    return (1...5).contains(digits.count) && word.count - digits.count <= 1
  }

  /// Words that end a street's name.
  private static let lastStreetWords: Set<String> = [
    "street", "st", "road", "rd", "avenue", "ave", "av", "lane", "ln", "drive", "dr", "way", "court", "ct", "place", "pl", "square", "sq",
    "boulevard", "blvd", "crescent", "cres", "terrace", "close", "gardens", "highway", "hwy", "parkway", "row", "broadway",
  ]

  /// Words that begin a street's name.
  private static let firstStreetWords: Set<String> = ["rue", "avenue", "boulevard", "chemin", "impasse", "quai"]

  private static let countries: Set<String> = [
    "uk", "gb", "united kingdom", "great britain", "england", "scotland", "wales", "northern ireland", "ie", "ireland", "us", "usa",
    "united states", "united states of america", "america", "ca", "canada", "au", "australia", "nz", "new zealand", "za", "south africa",
    "fr", "france",
  ]
}
