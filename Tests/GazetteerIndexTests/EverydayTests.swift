import Foundation
import PlacesKit
import PlacesTesting
import Testing

@testable import GazetteerIndex

/// The first row after a few letters, among Debian's countries, largest cities and other places with the same prefix, with their names in
/// 177 languages.
@Suite(.enabled(if: DebianData.installed() != nil, "libgeonames0 is not installed"))
struct EverydayTests {
  /// Built once; nil if that fails, which the first test reports.
  private static let index: (folder: TemporaryFolder, reader: GazetteerReader)? = try? {
    let folder = try TemporaryFolder()
    let path = folder.file("gazetteer.db")
    var build = try IndexBuild(path: path, source: .debian, time: ManualTime(), progress: { _ in }, isCancelled: { false })
    for record in try DebianTests.records.get() where isWanted(record) {
      try build.stage(record)
    }
    try build.finish()
    return (folder, try GazetteerReader(path: path))
  }()

  /// All places take half a minute to index without optimisation, so only `make prove` asks among them all; these keep the company of
  /// each beginning complete.
  private static func isWanted(_ record: GazetteerRecord) -> Bool {
    if ProcessInfo.processInfo.environment["PLACES_PROVE"] != nil { return true }
    if record.types == ["country"] || record.population >= 1_500_000 || territories.contains(record.id) { return true }
    if formerNames.contains(record.id) { return true }
    guard record.name.utf8.count > 3 else { return false }
    return beginnings.contains(record.name.prefix(3).lowercased()[...])
  }

  private static let formerNames: Set<String> = ["3097257", "3082707", "3093524"]

  private static let territories = Set(Territory.all.compactMap { $0.city?.id })

  private static let beginnings: Set<Substring> = [
    "ber", "par", "lon", "mun", "ham", "bir", "mos", "tok", "syd", "mad", "mai", "mil", "war", "was", "fre", "fri",
  ]

  private func rows(_ query: String, _ language: String) throws -> [Suggestion] {
    let reader = try #require(EverydayTests.index).reader
    return try reader.autocomplete(AutocompleteRequest(query: query, language: language.isEmpty ? nil : language)).rows
  }

  @Test(
    "A short prefix of a place's own name finds it",
    arguments: [
      ("berl", "", "2950159"), ("berl", "en", "2950159"), ("berl", "de", "2950159"), ("par", "", "2988507"), ("par", "en", "2988507"),
      ("par", "de", "2988507"), ("lond", "", "2643743"), ("lond", "de", "2643743"), ("germ", "en", "DE"), ("deut", "de", "DE"),
      ("deut", "", "DE"), ("muni", "en", "2867714"), ("münc", "de", "2867714"), ("mün", "", "2867714"), ("tok", "en", "1850147"),
      ("tok", "de", "1850147"), ("mail", "de", "3173435"), ("mila", "en", "3173435"), ("rom", "de", "3169070"), ("wien", "", "2761369"),
      ("vien", "en", "2761369"), ("wars", "de", "756135"), ("mosk", "de", "524901"), ("mosc", "en", "524901"), ("fran", "en", "FR"),
      ("spai", "en", "ES"), ("span", "de", "ES"), ("esp", "es", "ES"), ("ham", "de", "2911298"), ("new y", "en", "5128581"),
    ])
  func prefixes(query: String, language: String, id: String) throws {
    let first = try #require(try rows(query, language).first)
    #expect(first.id == id, "\(first.text.text)")
  }

  @Test(
    "Other names find their place when most of the name is typed, in any script",
    arguments: [
      ("Мюнхен", "2867714"), ("Мюнхе", "2867714"), ("慕尼黑", "2867714"), ("Munich", "2867714"), ("Mailand", "3173435"), ("Peking", "1816670"),
      ("Pekin", "1816670"), ("Москва", "524901"), ("Моск", "524901"), ("東京", "1850147"), ("moskva", "524901"), ("Londres", "2643743"),
      ("Nueva York", "5128581"), ("Γερμανία", "DE"),
    ], ["", "en"])
  func otherNames(pair: (query: String, id: String), language: String) throws {
    let first = try #require(try rows(pair.query, language).first)
    #expect(first.id == pair.id, "\(first.text.text)")
  }

  @Test("A country is not among the first ten for its name in a language that was not requested", arguments: ["", "en", "de"])
  func noForeignCountries(language: String) throws {
    for query in ["berl", "par", "lond", "mun", "ham", "bir", "mos"] {
      for row in try rows(query, language) where row.types == ["country"] {
        #expect(row.primary?.matches.isEmpty == false, "\(query): \(row.text.text)")
      }
    }
  }

  @Test(
    "Without a language rows are in the place's own",
    arguments: [
      ("münch", "München", "Deutschland"), ("wien", "Wien", "Österreich"), ("berl", "Berlin", "Deutschland"), ("mila", "Milano", "Italia"),
      ("lond", "London", "United Kingdom"),
    ])
  func localNames(query: String, name: String, country: String) throws {
    let first = try #require(try rows(query, "").first)
    #expect(first.primary?.text == name)
    #expect(first.secondary?.text.hasSuffix(country) == true, "\(first.text.text)")
  }

  @Test(
    "A country is shown by its usual name, and is found by its official one",
    arguments: [
      ("フランス共和国", "ja", "フランス"), ("República de Santo Domingo", "es", "República Dominicana"), ("united states of", "en", "United States"),
      ("Republik Südafrika", "de", "Südafrika"), ("Slovak Republic", "en", "Slovakia"), ("hong kong s", "en", "Hong Kong"),
    ])
  func countryNames(query: String, language: String, name: String) throws {
    #expect(try rows(query, language).first?.text.text == name)
  }

  @Test("The first rows have highlighted matches", arguments: ["berl", "par", "lond", "mos", "san", "new", "bue", "tok", "syd", "mad"])
  func highlights(query: String) throws {
    let unexplained = try rows(query, "en").prefix(3).filter { $0.text.matches.isEmpty }
    #expect(unexplained.isEmpty, "\(unexplained.map(\.text.text))")
  }

  @Test(
    "Territories that Debian's list lacks exist, and city states exist once",
    arguments: [
      ("Singapur", "de", "1880252"), ("Сингапур", "ru", "1880252"), ("gibraltar", "en", "2411585"), ("vatican", "en", "6691831"),
      ("curacao", "en", "CW"), ("aruba", "en", "AW"), ("willemstad", "en", "3513090"), ("macao", "en", "1821274"),
      ("falkland", "en", "FK"), ("western sahara", "en", "EH"), ("gazetteer:SG", "en", "SG"),
    ])
  func territories(query: String, language: String, id: String) throws {
    let rows = try rows(query, language)
    #expect(rows.first?.id == id, "\(rows.map(\.text.text))")
    #expect(Set(rows.map(\.text.text)).count == rows.count)
  }

  @Test(
    "Short and former names mean their city only as whole names",
    arguments: [
      ("uk", "GB"), ("u.k.", "GB"), ("us", "US"), ("usa", "US"), ("uae", "AE"), ("drc", "CD"), ("prc", "CN"), ("nyc", "5128581"),
      ("washington", "4140963"), ("la", "5368361"), ("Constantinople", "745044"), ("Saigon", "1566083"), ("Bombay", "1275339"),
    ])
  func commonAliases(query: String, id: String) throws {
    #expect(try rows(query, "en").first?.id == id)
    #expect(try rows(query, "").first?.id == id)
  }

  @Test(
    "Former German names find their towns, and the name that matched comes first among the other names",
    arguments: [("Hirschberg", "3097257"), ("waldenburg", "3082707"), ("Lissa", "3093524")])
  func former(query: String, id: String) throws {
    let row = try #require(try rows(query, "de").first)
    #expect(row.id == id)
    #expect(row.evidence.otherNames.first?.lowercased() == query.lowercased(), "\(row.evidence.otherNames)")
  }

  @Test("Freiburg is the largest place of that name in any language", arguments: ["", "de", "en", "fr"])
  func freiburg(language: String) throws {
    #expect(try rows("freiburg", language).first?.id == "2925177")
    #expect(try rows("fribourg", language).first?.id == "2660718")
  }

  @Test("A request with a language gets no name in another script if a Latin one exists")
  func script() throws {
    let cairo = try #require(try rows("kairo", "de").first)
    #expect(cairo.text.text.hasPrefix("Kairo, "))
    #expect(cairo.text.text.unicodeScalars.allSatisfy { $0.value < 0x250 }, "\(cairo.text.text)")
  }
}
