/// Recognizes words for a kind of region beside the region's name: `new york state`, `province of québec`, `kanton bern`.
///
/// Each kind has a list of the countries whose first-level divisions are of this kind. So `punjab state` is in India, `punjab province` is
/// in Pakistan, and `canton ohio` is no region.
enum RegionKinds {
  /// A query as a kind of region and the name of the region.
  struct Match: Equatable {
    /// The words of the region's name.
    var name: ArraySlice<String>
    /// The word for the kind and the particles after it.
    var kindWords: [String]
    /// The codes of the countries that have such regions.
    var countries: Set<String>
  }

  /// Divides words into a region's name and a word for its kind, which is the first or the last one. Nil if neither is such a word.
  static func split(_ words: ArraySlice<String>) -> Match? {
    guard words.count > 1, let firstWord = words.first, let lastWord = words.last else { return nil }
    if let countries = countriesByWord[lastWord], lastWord != firstWord {
      return Match(name: words.dropLast(), kindWords: [lastWord], countries: countries)
    }
    guard let countries = countriesByWord[firstWord] else { return nil }
    let name = words.dropFirst().drop { particles.contains($0) }
    guard !name.isEmpty else { return nil }
    return Match(name: name, kindWords: Array(words[words.startIndex..<name.startIndex]), countries: countries)
  }

  /// Whether a word of a region's name, such as `Province`, states only its kind.
  static func isKind(_ word: String) -> Bool { countriesByWord[word] != nil }

  /// Words between the word for the kind and the name: `province of québec`.
  private static let particles: Set<String> = ["of", "de", "du", "des", "d", "di", "do", "da", "del", "della", "la", "l", "von", "van"]

  /// The codes of the countries for each word.
  private static let countriesByWord: [String: Set<String>] = {
    var table: [String: Set<String>] = [:]
    for line in lines.split(separator: "\n") {
      let sides = line.split(separator: "=")
      let countries = Set(sides[1].split(separator: " ").map { String($0) })
      for word in sides[0].split(separator: " ") { table[String(word), default: []].formUnion(countries) }
    }
    return table
  }()

  /// Each line has folded words in English and in languages of the countries, `=`, and the countries. The facts are from ISO 3166-2; a
  /// country is listed only if GeoNames has the same divisions.
  private static let lines = """
    state estado etat staat=AT AU BR DE ET FM IN MM MX MY NG PW SD SS US VE
    land bundesland=AT DE
    province provincia provinz provincie provinsi=AF AO AR BI CA CD CN CR CU DO DZ EC GA ID IE IR KH KP KR LA LK MG MN MZ NL NP PA PG PK RW \
    SB SL SY TH TR VN VU ZA ZM ZW
    region regione regiao=BE BF CH CL CM CZ DK ER ES FI FR GH GQ GY IS IT KG KZ MA ML MR MW NA NZ PE PH SA SK SN SO TD TG TJ TM TT TZ UA UZ
    department departement departamento=BJ BO CG CO GT HN HT NI PY SV UY
    county comitat fylke lan megye judet zupanija=AL EE HR HU KE LR LT NO RO SE TW
    district distrito=BG BN BS BT BW BZ CI CY IL LC LS MD MU NR PT RS SC SR
    municipality=CN LV ME MK SI
    governorate=BH EG GN IQ JO KW LB OM PS TN YE
    prefecture=CF GR JP
    canton kanton cantone=BA CH LU
    parish=AD AG BB DM GD JM VC
    division=BD FJ GM
    oblast=BG BY KG KZ RU UA
    krai kray=RU
    voivodeship wojewodztwo woiwodschaft=PL
    emirate=AE
    territory=AU CA IN
    republic republik=RU
    """
}
