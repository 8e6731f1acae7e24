import Synchronization
import Text

/// Finds the languages of a country or region, in the order in which names are looked up. CLDR's data is read once for each
/// country or region.
enum LocalLanguages {
  /// The choices that were made so far, by the code of the country, or of the region if its languages differ from those of its country.
  private static let cachedChoices = Mutex<[String: LanguageChoice]>([:])

  /// The languages of a place: those of its region, if `RegionLanguages` has them; then those that are official in the whole country, the
  /// most spoken one first. The choice has no tags if the country is unknown.
  static func choice(of country: String, region: String = "") -> LanguageChoice {
    guard country.utf8.count == 2 else { return LanguageChoice(nil) }
    let regionalLanguages = RegionLanguages.languages(of: region)
    let code = regionalLanguages.isEmpty ? country : region
    return cachedChoices.withLock { cache in
      if let choice = cache[code] { return choice }
      let countryLanguages = Languages.languages(of: country)
      // In a country that writes Latin letters, a name in another script is not the local name: the data has an Arabic name for Bay in
      // Somalia, but no Somali one.
      let isLatinCountry = countryLanguages.first.map { LocalLanguages.isLatin($0, country) } ?? false
      let otherLanguages = countryLanguages.filter {
        !regionalLanguages.contains($0) && (!isLatinCountry || LocalLanguages.isLatin($0, country))
      }
      let regionalTags = LocalLanguages.tags(regionalLanguages, country)
      let choice = LanguageChoice(
        tags: regionalTags + LocalLanguages.tags(otherLanguages, country), key: "@\(code)", regionalCount: regionalTags.count)
      cache[code] = choice
      return choice
    }
  }

  /// Whether a language is written in Latin letters. The country's name in this language shows it; a language without one counts as Latin.
  private static func isLatin(_ language: String, _ country: String) -> Bool {
    Languages.name(ofRegion: country, in: language).map { LatinScript.only(in: $0) } ?? true
  }

  /// The tags to try for languages in a country, such as `de-CH` before `de`.
  private static func tags(_ languages: [String], _ country: String) -> [String] {
    languages.flatMap { ["\($0)-\(country)", "\(LanguageChoice.base($0))-\(country)", $0] }
  }
}

/// The languages of regions that differ from those of their country. CLDR has the languages of countries only.
///
/// The facts are from the constitutions of the Swiss cantons, the constitutions of Belgium (article 4) and Sri Lanka (article 22), and
/// Canada's Official Languages Act and Charter of the French Language.
enum RegionLanguages {
  /// The languages by GeoNames' code of the region, the most spoken one first.
  private static let table: [String: [String]] = {
    var table: [String: [String]] = [:]
    for line in lines.split(separator: "\n") {
      let sides = line.split(separator: "=")
      let languages = sides[1].split(separator: " ").map { String($0) }
      for region in sides[0].split(separator: " ").dropFirst() { table["\(sides[0].prefix(2)).\(region)"] = languages }
    }
    return table
  }()

  /// Each line has a country, GeoNames' codes of its regions, `=`, and the languages.
  private static let lines = """
    CH AG AI AR BL BS GL LU NW OW SG SH SO SZ TG UR ZG ZH=de
    CH GE JU NE VD=fr
    CH TI=it
    CH BE=de fr
    CH FR VS=fr de
    CH GR=de it
    BE VLG=nl
    BE WAL=fr de
    BE BRU=fr nl
    CA 10=fr
    CA 04=en fr
    LK 37 38=ta si
    """

  /// The languages of a region, by its code; empty if they are those of its country.
  static func languages(of region: String) -> [String] { table[region] ?? [] }
}
